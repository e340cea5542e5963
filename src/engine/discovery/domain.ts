import { at, code, type Item, quoted } from "./Draft.ts"
import type { Entity, ObservedFile, States } from "./Observed.ts"
import { languageTitles, type Survey } from "./Survey.ts"

const MAX_ENTITIES = 60
const MAX_STATES = 40
const MAX_TERMS = 40

export interface Placed<A> {
  readonly what: A
  readonly file: ObservedFile
}

/** One entry per name, the one with most fields; tables of migrations are listed once. */
export const entitiesIn = (survey: Survey): ReadonlyArray<Placed<Entity>> => {
  const found = new Map<string, Placed<Entity>>()
  for (const file of survey.files) {
    for (const entity of file.entities) {
      const known = found.get(`${entity.as} ${entity.name}`)
      if (known === undefined || entity.fields.length > known.what.fields.length)
        found.set(`${entity.as} ${entity.name}`, { what: entity, file })
    }
  }
  const weight = ({ what }: Placed<Entity>) => what.fields.length + 3 * what.relations.length
  return [...found.values()]
    .sort((a, b) => weight(b) - weight(a) || (a.what.name < b.what.name ? -1 : 1))
    .slice(0, MAX_ENTITIES)
}

export const entityItems = (entities: ReadonlyArray<Placed<Entity>>): ReadonlyArray<Item> =>
  entities.map(({ what: { name, as, line, fields, relations }, file }) => {
    const has =
      fields.length === 0 ? "" : `: ${fields.slice(0, 14).map(code).join(", ")}${fields.length > 14 ? " …" : ""}`
    const refers = relations.length === 0 ? "" : `; refers to ${relations.slice(0, 8).map(code).join(", ")}`
    return {
      text: `**${name}** (${as}, ${at({ path: file.path, line })})${has}${refers}`,
      cites: [{ path: file.path, line, names: [name] }]
    }
  })

const speaking =
  /status|state|kind|type|phase|stage|role|mode|level|priority|severity|category|reason|event|action|method|result|outcome|visibility|access|scope/i

export const statesIn = (survey: Survey): ReadonlyArray<Placed<States>> => {
  const found = new Map<string, Placed<States>>()
  for (const file of survey.source)
    for (const states of file.states) if (!found.has(states.name)) found.set(states.name, { what: states, file })
  const weight = ({ what }: Placed<States>) =>
    (speaking.test(what.name) ? 10 : 0) + (/status|state/i.test(what.name) ? 10 : 0)
  return [...found.values()]
    .sort((a, b) => weight(b) - weight(a) || (a.what.name < b.what.name ? -1 : 1))
    .slice(0, MAX_STATES)
}

export const stateItems = (states: ReadonlyArray<Placed<States>>): ReadonlyArray<Item> =>
  states.map(({ what: { name, line, values }, file }) => ({
    text: `**${name}** (${at({ path: file.path, line })}): ${values.slice(0, 16).map(code).join(", ")}${values.length > 16 ? ` and ${values.length - 16} more` : ""}`,
    cites: [{ path: file.path, line, names: [name] }]
  }))

/** Types that much of the code names and that say in a comment what they are. */
export const glossaryItems = (survey: Survey): ReadonlyArray<Item> => {
  const uses = new Map<string, number>()
  for (const { imports } of survey.files) {
    const names = new Set(imports.flatMap(({ module, names: own }) => [...own, module.split(/[./\\:]+/).at(-1)!]))
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  const declared = new Map<string, number>()
  for (const { definitions } of survey.source)
    for (const { name } of definitions) declared.set(name, (declared.get(name) ?? 0) + 1)
  const terms = survey.source.flatMap((file) =>
    file.definitions.flatMap((definition) =>
      definition.doc !== null &&
      /^[A-Z]\w{3,}$/.test(definition.name) &&
      definition.kind === "type" &&
      declared.get(definition.name) === 1
        ? [{ definition, file, uses: uses.get(definition.name) ?? 0 }]
        : []
    )
  )
  return terms
    .filter(
      (term) => term.uses > 0 || !languageTitles[term.file.language] || /^(?:ruby|csharp|php)$/.test(term.file.language)
    )
    .sort((a, b) => b.uses - a.uses || b.file.lines - a.file.lines || (a.definition.name < b.definition.name ? -1 : 1))
    .slice(0, MAX_TERMS)
    .map(({ definition, file }) => ({
      text: `**${definition.name}**: ${quoted(definition.doc!)} (${at({ path: file.path, line: definition.line })})`,
      cites: [{ path: file.path, line: definition.line, end: definition.line + 3, names: [definition.name] }]
    }))
}
