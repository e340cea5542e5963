import { baseName } from "../core/text/paths.ts"
import { code, type Item, type Rule, type Skill } from "./Draft.ts"
import { GroupEvidence, MIN_ADDITIONS } from "./groupEvidence.ts"
import { type Group, nounOf } from "./groups.ts"
import type { ObservedFile } from "./Observed.ts"
import type { Survey } from "./Survey.ts"

const MAX_SKILLS = 14

/** Folders whose name is too general to name a task after. */
const vague =
  /^(?:src|lib|libs|source|sources|app|apps|main|core|common|utils?|helpers?|internal|pkg|packages?|misc|shared|support|includes?|inc|classes|modules?|impl|base|types?|scripts?|bin|tests?|specs?|unit|functional|integration|public|static|assets|js|css|php|java|python|ruby|go|ts)$/i

/** A folder says what one of its files is when its name is a plural, or one of these. */
const isSpecific = (folder: string): boolean =>
  (/[a-z]s$/i.test(folder) && !/(?:ss|us|is|kubernetes|redis|aws|dns|tls|css|js|ops)$/i.test(folder)) ||
  /^(?:model|controller|route|view|handler|service|migration|migrate|middleware|component|plugin|job|worker|command|task|resource|entity|repository|hook|rule|schema|widget)$/i.test(
    folder
  )

const startsWithVowel = (word: string): boolean => /^(?:[aeio]|u(?!ser|ni|se|tili|rl))/.test(word)

export const taskName = (noun: string): string => `add ${startsWithVowel(noun) ? "an" : "a"} ${noun}`

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

/** Neither the longest nor the shortest. */
const model = (group: Group): ObservedFile => {
  const plain = group.files.filter(({ path }) => !/(?:^|\/)(?:index|__init__|mod|base|abstract)\w*\.\w+$/i.test(path))
  const files = [...(plain.length === 0 ? group.files : plain)].sort(
    (a, b) => a.lines - b.lines || (a.path < b.path ? -1 : 1)
  )
  return files[files.length >> 1]!
}

const namingOf = (group: Group): string => {
  const shown = group.files.slice(0, 3).map(({ path }) => code(baseName(path)))
  const { suffix } = group.scope
  return `Name it like its ${group.files.length} siblings: ${shown.join(", ")}${suffix === undefined ? "" : ` (\`…${suffix}\`)`}.`
}

const skillOf = (
  evidence: GroupEvidence,
  group: Group,
  rules: ReadonlyArray<Rule>
): (Skill & { readonly rank: number }) | null => {
  const { count: additions, items: changed } = evidence.additions(group)
  const listed = evidence.registry(group)
  const test = group.scope.role === "test" ? null : evidence.test(group)
  const own = rules.filter(
    ({ scope, origin }) =>
      origin === "inferred" &&
      scope.folder === group.scope.folder &&
      scope.suffix === group.scope.suffix &&
      scope.role === group.scope.role
  )
  const example = model(group)
  const weight = changed.length + (listed === null ? 0 : 2) + (test === null ? 0 : 1) + own.length
  if (weight === 0) return null
  const where =
    group.scope.suffix === undefined
      ? `in ${code(group.scope.folder || ".")}`
      : `named ${code(`*${group.scope.suffix}`)}${group.scope.folder === "" ? "" : ` under ${code(group.scope.folder)}`}`
  const items: Array<Item> = [
    {
      text: `Start from ${code(example.path)} (${example.lines} lines), one of medium size.`,
      cites: [{ path: example.path, line: 1 }]
    },
    { text: namingOf(group), cites: group.files.slice(0, 3).map(({ path }) => ({ path, line: 1 })) },
    ...own.map(({ text, cites }) => ({ text, cites })),
    ...(listed === null ? [] : [listed]),
    ...(test === null ? [] : [test]),
    ...changed.filter(({ cites }) => listed === null || cites[0]?.path !== listed.cites[0]!.path)
  ]
  const noun = group.scope.role === "test" && !/test|spec/.test(group.noun) ? `${group.noun} test` : group.noun
  return {
    name: slug(taskName(noun)),
    description: `How ${group.files.length} files ${where} were made${additions >= MIN_ADDITIONS ? `; ${additions} commits added one` : ""}.`,
    intro: `To ${taskName(noun)}, make a file ${where}.`,
    items,
    rank: weight * 2 + Math.log2(group.files.length) * 2 + Math.min(additions, 10)
  }
}

/** Tasks of the kind "add one more of these", for groups that have something in common besides their place. */
export const skillsOf = (
  survey: Survey,
  groups: ReadonlyArray<Group>,
  rules: ReadonlyArray<Rule>
): ReadonlyArray<Skill> => {
  const evidence = new GroupEvidence(survey, groups)
  const found = groups.flatMap((group) => {
    const folder = baseName(group.scope.folder)
    const isVague =
      group.scope.suffix === undefined &&
      (vague.test(folder) || folder === "" || (group.scope.role !== "test" && !isSpecific(folder)))
    const skill =
      isVague || vague.test(nounOf(group.noun)) || group.noun.length < 3 ? null : skillOf(evidence, group, rules)
    return skill === null ? [] : [skill]
  })
  const named = new Map<string, Skill>()
  for (const { rank: _, ...skill } of found.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1))) {
    if (!named.has(skill.name) && named.size < MAX_SKILLS) named.set(skill.name, skill)
  }
  return [...named.values()]
}
