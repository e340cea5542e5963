import { baseName } from "../core/text/paths.ts"
import { at, code, type Item, type Rule, type Skill } from "./Draft.ts"
import { type Group, nounOf } from "./groups.ts"
import type { ObservedFile } from "./Observed.ts"
import { type Commit, folderOf, type Survey } from "./Survey.ts"

const MAX_SKILLS = 14
const MIN_ADDITIONS = 4
const MIN_TOGETHER = 0.6
const MAX_CHANGES = 40

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

const inGroup = ({ scope }: Group, path: string): boolean =>
  scope.suffix === undefined
    ? folderOf(path) === scope.folder
    : path.endsWith(scope.suffix) && (scope.folder === "" || path.startsWith(`${scope.folder}/`))

const kindsOf = (survey: Survey, group: Group, changes: Commit["changes"]): ReadonlySet<string> =>
  new Set(
    changes.flatMap(({ status, path }) => {
      if (status === "M" && survey.has(path)) return [`edit\n${path}`]
      const isOther = status === "A" && !inGroup(group, path) && survey.hasFolder(folderOf(path))
      return isOther ? [`add\n${folderOf(path)}`] : []
    })
  )

/** What was changed in most commits that added a file of the group, as far as it still exists. */
const fromHistory = (
  survey: Survey,
  group: Group
): { readonly additions: number; readonly items: ReadonlyArray<Item> } => {
  const together = new Map<string, number>()
  let additions = 0
  for (const { changes } of survey.commits) {
    if (changes.length > MAX_CHANGES) continue
    const added = changes.filter(({ status, path }) => status === "A" && inGroup(group, path))
    if (added.length === 0 || added.length > 3) continue
    additions++
    const kinds = kindsOf(survey, group, changes)
    for (const kind of kinds) together.set(kind, (together.get(kind) ?? 0) + 1)
  }
  if (additions < MIN_ADDITIONS) return { additions, items: [] }
  const items = [...together]
    .filter(([, count]) => count >= MIN_ADDITIONS && count >= additions * MIN_TOGETHER)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 6)
    .map(([key, count]): Item => {
      const [what, path] = key.split("\n") as [string, string]
      const action = what === "edit" ? `Edit ${code(path)}` : `Add a file in ${code(path)}`
      return {
        text: `${action}: done in ${count} of the ${additions} commits that added one.`,
        cites: what === "edit" ? [{ path, line: 1 }] : []
      }
    })
  return { additions, items }
}

const stemOf = (path: string): string => baseName(path).replace(/\.\w+$/, "")

/** A file beside or above that imports nearly all of the group: where a new one has to be listed. */
const registry = (survey: Survey, group: Group): Item | null => {
  const stems = new Map(group.files.map(({ path }) => [stemOf(path), path]))
  let best: {
    readonly file: ObservedFile
    readonly count: number
    readonly line: number
    readonly total: number
  } | null = null
  for (const file of survey.source) {
    const folder = folderOf(file.path)
    const isNear =
      folder === group.scope.folder ||
      folder === folderOf(group.scope.folder) ||
      group.scope.folder.startsWith(`${folder}/`)
    if (!isNear || file.imports.length < 4) continue
    const listed = file.imports.filter(
      ({ module }) =>
        /^[./]/.test(module) &&
        stems.has(stemOf(`${module.replace(/\/index(?:\.\w+)?$/, "")}.x`.replace(/\.\w+\.x$/, ".x")))
    )
    const total = group.files.length - (stems.get(stemOf(file.path)) === file.path ? 1 : 0)
    if (listed.length >= 4 && listed.length >= total * 0.8 && (best === null || listed.length > best.count))
      best = { file, count: listed.length, line: listed.at(-1)!.line, total }
  }
  if (best === null) return null
  return {
    text: `List it in ${at({ path: best.file.path, line: best.line })}, which imports ${best.count} of ${best.total}.`,
    cites: [{ path: best.file.path, line: best.line }]
  }
}

const testOf = (survey: Survey, group: Group): Item | null => {
  const tests = new Map(
    survey.tests.map((file) => [
      stemOf(file.path).replace(/^test_|[._-](?:test|spec)$|(?<=[a-z])(?:Tests?|Spec)$/g, ""),
      file.path
    ])
  )
  const paired = group.files.flatMap(({ path }) => {
    const test = tests.get(stemOf(path))
    return test === undefined ? [] : [[path, test] as const]
  })
  if (paired.length < 3 || paired.length < group.files.length * MIN_TOGETHER) return null
  const [path, test] = paired[0]!
  return {
    text: `Add a test: ${paired.length} of ${group.files.length} have one of their name, such as ${code(test)} for ${code(path)}.`,
    cites: [{ path: test, line: 1 }]
  }
}

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
  survey: Survey,
  group: Group,
  rules: ReadonlyArray<Rule>
): (Skill & { readonly rank: number }) | null => {
  const { additions, items: changed } = fromHistory(survey, group)
  const listed = registry(survey, group)
  const test = group.scope.role === "test" ? null : testOf(survey, group)
  const own = rules.filter(
    ({ scope, origin }) =>
      origin === "inferred" &&
      scope.folder === group.scope.folder &&
      scope.suffix === group.scope.suffix &&
      scope.role === group.scope.role
  )
  const example = model(group)
  const evidence = changed.length + (listed === null ? 0 : 2) + (test === null ? 0 : 1) + own.length
  if (evidence === 0) return null
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
    rank: evidence * 2 + Math.log2(group.files.length) * 2 + Math.min(additions, 10)
  }
}

/** Tasks of the kind "add one more of these", for groups that have something in common besides their place. */
export const skillsOf = (
  survey: Survey,
  groups: ReadonlyArray<Group>,
  rules: ReadonlyArray<Rule>
): ReadonlyArray<Skill> => {
  const found = groups.flatMap((group) => {
    const folder = baseName(group.scope.folder)
    const isVague =
      group.scope.suffix === undefined &&
      (vague.test(folder) || folder === "" || (group.scope.role !== "test" && !isSpecific(folder)))
    const skill =
      isVague || vague.test(nounOf(group.noun)) || group.noun.length < 3 ? null : skillOf(survey, group, rules)
    return skill === null ? [] : [skill]
  })
  const named = new Map<string, Skill>()
  for (const { rank: _, ...skill } of found.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1))) {
    if (!named.has(skill.name) && named.size < MAX_SKILLS) named.set(skill.name, skill)
  }
  return [...named.values()]
}
