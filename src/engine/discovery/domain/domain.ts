import { at, code, type Item, plural, quoted } from "../Draft.ts"
import type { States } from "../Observed.ts"
import { languageTitles, type Survey } from "../Survey.ts"
import { isMachinery } from "./declarations.ts"
import { type Noun, nounKey, type Placed } from "./Noun.ts"
import { isStatus } from "./nounStates.ts"
import { nounsOf } from "./nouns.ts"
import { sayingsOf } from "./sayings.ts"
import { statesInReadme } from "./statesInReadme.ts"
import { transitionItems } from "./transitions.ts"

const MAX_NOUNS = 40
/** So many are described with all that is known of them; the rest with their place. */
const MAX_DESCRIBED = 15
const MAX_CANDIDATES = 12
const MAX_FIELDS = 14
const MAX_SETS = 20
const MAX_TERMS = 20

/** Columns that every table has. */
const isBoilerplate = (field: string): boolean =>
  /^_?(?:id|pk|uuid|guid|created|updated|modified|deleted|(?:created|updated|modified|deleted)_?(?:at|on|ts|time|date|by)|createdat|updatedat|sizeCache|unknownFields|serialVersionUID|logger|log|mu|mutex|lock)$/i.test(
    field
  )

const placeOf = ({ what: { as, line }, file }: Noun["declarations"][number]): string =>
  `${as} ${at({ path: file.path, line })}`

const shown = (names: ReadonlyArray<string>, max: number): string =>
  `${names.slice(0, max).map(code).join(", ")}${names.length > max ? ` and ${names.length - max} more` : ""}`

const valuesText = ({ what: { name, line, values, owner }, file }: Placed<States>): string => {
  const own = values.filter((value) => !/_?UNSPECIFIED$/.test(value))
  const label = owner === undefined || nounKey(owner) === nounKey(name) ? name : `${owner}.${name}`
  return `${code(label)}: ${shown(own, 16)} (${at({ path: file.path, line })})`
}

const described = ({ name, declarations, doc, uses, states }: Noun, quotation: Item | null): Item => {
  const withFields = declarations.map(({ what }) => what.fields.filter((field) => !isBoilerplate(field)))
  const fields = withFields.find((own) => own.length > 0) ?? []
  const relations = [...new Set(declarations.flatMap(({ what }) => what.relations))]
  const kept = states.slice(0, 4)
  const parts = [
    `**${name}** (${declarations.slice(0, 3).map(placeOf).join("; ")}), named in ${plural(uses, "source file")}.`,
    ...(doc === null ? (quotation === null ? [] : [quotation.text]) : [`${quoted(doc.what.doc!)}`]),
    ...(fields.length === 0 ? [] : [`Has ${shown(fields, MAX_FIELDS)}.`]),
    ...(relations.length === 0 ? [] : [`Refers to ${shown(relations, 8)}.`]),
    ...kept.map((one) => `Values of ${valuesText(one)}.`)
  ]
  return {
    text: parts.join(" "),
    cites: [
      ...declarations.slice(0, 3).map(({ what, file }) => ({ path: file.path, line: what.line, names: [what.name] })),
      ...(doc === null
        ? (quotation?.cites ?? [])
        : [{ path: doc.file.path, line: doc.what.line, end: doc.what.line + 3, names: [doc.what.name] }]),
      ...kept.map(citationOfSet)
    ]
  }
}

const citationOfSet = ({ what: { name, line }, file }: Placed<States>) => ({ path: file.path, line, names: [name] })

const listed = ({ name, declarations, uses }: Noun): Item => ({
  text: `**${name}** (${placeOf(declarations[0]!)}), named in ${plural(uses, "source file")}.`,
  cites: [{ path: declarations[0]!.file.path, line: declarations[0]!.what.line, names: [declarations[0]!.what.name] }]
})

const speaking = /status|state|phase|stage|role|visibility|priority|severity|kind|type|level|category|action|event/i

/** How many source files name each of some types. */
const namedIn = (survey: Survey, names: ReadonlySet<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const file of survey.source)
    for (const name of file.names.split(" ")) if (names.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const setItems = (survey: Survey, sets: ReadonlyArray<Placed<States>>): ReadonlyArray<Item> => {
  const counts = namedIn(survey, new Set(sets.map(({ what }) => what.name)))
  const best = new Map<string, Placed<States>>()
  for (const one of sets) {
    const known = best.get(one.what.name)
    if (known === undefined || one.what.values.length > known.what.values.length) best.set(one.what.name, one)
  }
  const weight = ({ what: { name } }: Placed<States>) => (counts.get(name) ?? 0) + 1 + (speaking.test(name) ? 4 : 0)
  return [...best.values()]
    .sort((a, b) => weight(b) - weight(a) || (a.what.name < b.what.name ? -1 : 1))
    .slice(0, MAX_SETS)
    .map((one) => ({ text: `${valuesText(one)}.`, cites: [citationOfSet(one)] }))
}

const isTerm = (name: string): boolean =>
  /^[A-Z]\w{3,}$/.test(name) && !isMachinery(name) && !/(?:Command|Input|Module|Methods)$/.test(name)

/** Types that say in a comment what they are, those that most of the code names first. */
const glossaryItems = (survey: Survey, known: ReadonlySet<string>): ReadonlyArray<Item> => {
  const terms = survey.source.flatMap((file) =>
    languageTitles[file.language] === undefined
      ? []
      : file.definitions.flatMap((definition) =>
          definition.doc !== null &&
          definition.kind === "type" &&
          isTerm(definition.name) &&
          !known.has(nounKey(definition.name))
            ? [{ definition, file }]
            : []
        )
  )
  const counts = namedIn(survey, new Set(terms.map(({ definition }) => definition.name)))
  const uses = (name: string) => counts.get(name) ?? 0
  const seen = new Set<string>()
  return terms
    .filter(({ definition: { name } }) => uses(name) > 2 && !seen.has(name) && seen.add(name))
    .sort(
      (a, b) => uses(b.definition.name) - uses(a.definition.name) || (a.definition.name < b.definition.name ? -1 : 1)
    )
    .slice(0, MAX_TERMS)
    .map(({ definition: { name, doc, line }, file }) => ({
      text: `**${name}**: ${quoted(doc!)} (${at({ path: file.path, line })}, named in ${plural(uses(name), "file")})`,
      cites: [{ path: file.path, line, end: line + 3, names: [name] }]
    }))
}

export interface Domain {
  readonly main: ReadonlyArray<Item>
  readonly others: ReadonlyArray<Item>
  readonly candidates: ReadonlyArray<Item>
  readonly transitions: ReadonlyArray<Item>
  readonly sets: ReadonlyArray<Item>
  readonly glossary: ReadonlyArray<Item>
}

/** What the code is about. */
export const domainOf = (survey: Survey): Domain => {
  const { nouns, candidates, sets } = nounsOf(survey)
  const sayings = sayingsOf(survey)
  const listedStates = statesInReadme(survey)
  const withStates = (noun: Noun): Noun =>
    noun.states.some(isStatus) ? noun : { ...noun, states: [...listedStates(nounKey(noun.name)), ...noun.states] }
  const describedNoun = (noun: Noun): Item =>
    described(withStates(noun), noun.doc === null ? sayings(nounKey(noun.name)) : null)
  const shown = [...nouns.slice(0, MAX_NOUNS), ...candidates.slice(0, MAX_CANDIDATES)]
  const known = new Set(shown.map(({ name }) => nounKey(name)))
  return {
    main: nouns.slice(0, MAX_DESCRIBED).map(describedNoun),
    others: nouns.slice(MAX_DESCRIBED, MAX_NOUNS).map(listed),
    candidates: candidates.slice(0, MAX_CANDIDATES).map(describedNoun),
    transitions: transitionItems(survey),
    sets: setItems(survey, sets),
    glossary: glossaryItems(survey, known)
  }
}
