import { at, code, type Rule } from "./Draft.ts"
import { type Feature, featuresOf } from "./features.ts"
import { family, type Group, MIN_FILES } from "./groups.ts"
import type { ObservedFile } from "./Observed.ts"
import type { Survey } from "./Survey.ts"

const MIN_SHARE = 0.8
/** How much more common something must be inside than outside of a group to be reported for the group. */
const MIN_LIFT = 2.5
const MAX_PER_GROUP = 3
const MAX_RULES = 40
const MAX_DEVIATING = 8
const PRUNE_EVERY = 256

type KeysOf = (file: ObservedFile) => Iterable<string>

/**
 * Features that nearly all files of a group have, with the count. What too many of the files so far lack can no longer
 * become one, so that only the first files of a large group are remembered with all that they do.
 */
const commonIn = ({ files }: Group, keysOf: KeysOf): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const needed = Math.max(MIN_FILES, files.length * MIN_SHARE)
  const prune = (remaining: number): void => {
    for (const [key, count] of counts) if (count + remaining < needed) counts.delete(key)
  }
  for (const [index, file] of files.entries()) {
    const remaining = files.length - index
    if (index % PRUNE_EVERY === 0) prune(remaining)
    for (const key of keysOf(file)) {
      const count = counts.get(key) ?? 0
      if (count + remaining >= needed) counts.set(key, count + 1)
    }
  }
  prune(0)
  return counts
}

const populationOf = (role: string, language: string): string => `${role}\n${language}`

/** In how many files of each role and language some features occur. */
class Occurrences {
  private readonly files = new Map<string, number>()
  private readonly counts = new Map<string, number>()

  constructor(files: ReadonlyArray<ObservedFile>, keysOf: KeysOf, counted: ReadonlySet<string>) {
    for (const file of files) {
      const population = populationOf(file.role, family(file.language))
      this.files.set(population, (this.files.get(population) ?? 0) + 1)
      for (const key of keysOf(file)) {
        if (!counted.has(key)) continue
        const at = `${population}\n${key}`
        this.counts.set(at, (this.counts.get(at) ?? 0) + 1)
      }
    }
  }

  /** Share of files outside of a group, of its role and languages, that have a feature which `inside` of it have. */
  elsewhere({ files, scope }: Group, key: string, inside: number): number {
    const populations = [...new Set(files.map(({ language }) => family(language)))].map((language) =>
      populationOf(scope.role ?? "source", language)
    )
    const total = populations.reduce((sum, population) => sum + (this.files.get(population) ?? 0), 0)
    const having = populations.reduce((sum, population) => sum + (this.counts.get(`${population}\n${key}`) ?? 0), 0)
    return total === files.length ? 0 : (having - inside) / (total - files.length)
  }
}

interface RankedRule extends Rule {
  readonly rank: number
}

/** Which files of a group have a feature. */
class Division {
  readonly deviating: Array<string> = []
  deviations = 0
  private first: Example | null = null
  private typical: Example | null = null

  add(file: ObservedFile, feature: Feature | undefined): void {
    if (feature === undefined) {
      this.deviations++
      if (this.deviating.length < MAX_DEVIATING) this.deviating.push(file.path)
      return
    }
    this.first ??= { path: file.path, feature }
    if (!/(?:^|\/)(?:index|__init__|mod)\.\w+$/.test(file.path)) this.typical ??= { path: file.path, feature }
  }

  get example(): Example | null {
    return this.typical ?? this.first
  }
}

interface Example {
  readonly path: string
  readonly feature: Feature
}

const divisions = (survey: Survey, { files }: Group, keys: ReadonlyArray<string>): ReadonlyMap<string, Division> => {
  const found = new Map(keys.map((key) => [key, new Division()]))
  if (keys.length === 0) return found
  for (const file of files) {
    const features = featuresOf(survey, file)
    for (const [key, division] of found) division.add(file, features.get(key))
  }
  return found
}

const ruleOf = (group: Group, key: string, division: Division, elsewhere: number): ReadonlyArray<RankedRule> => {
  const { example, deviating, deviations } = division
  if (example === null) return []
  const { path, feature } = example
  const of = group.files.length
  const count = of - deviations
  const shown = deviating.slice(0, 3).map((one) => code(one))
  const exceptions = shown.length === 0 ? "" : ` Not: ${shown.join(", ")}${deviations > 3 ? " …" : ""}.`
  return [
    {
      id: `${group.scope.suffix ?? group.scope.folder}:${key}`.slice(0, 160),
      origin: "inferred",
      scope: group.scope,
      support: { count, of },
      deviations: deviating,
      text: `${count} of ${of} ${group.title} ${feature.phrase}, for example ${at({ path, line: feature.line })}.${exceptions}`,
      cites: [{ path, line: feature.line, end: feature.line + 6, names: [feature.name] }],
      rank: feature.weight * (count / of) * Math.log2(1 + of) * (1 - elsewhere)
    }
  ]
}

const byRank = (a: RankedRule, b: RankedRule): number => b.rank - a.rank || (a.id < b.id ? -1 : 1)

/** What nearly all files of a group do and few others: `auditTool` is called by every file in `tools`. */
export const groupRules = (survey: Survey, groups: ReadonlyArray<Group>): ReadonlyArray<Rule> => {
  const keysOf: KeysOf = (file) => featuresOf(survey, file).keys()
  const common = groups.map((group) => [group, commonIn(group, keysOf)] as const)
  const counted = new Set(common.flatMap(([, counts]) => [...counts.keys()]))
  const occurrences = new Occurrences([...survey.source, ...survey.tests], keysOf, counted)
  const found = common.flatMap(([group, counts]) => {
    const shares = new Map([...counts].map(([key, count]) => [key, occurrences.elsewhere(group, key, count)]))
    const specific = [...counts.keys()].filter(
      (key) => counts.get(key)! >= MIN_LIFT * shares.get(key)! * group.files.length
    )
    return [...divisions(survey, group, specific)]
      .flatMap(([key, division]) => ruleOf(group, key, division, shares.get(key)!))
      .sort(byRank)
      .slice(0, MAX_PER_GROUP)
  })
  // The same said of a folder and of a suffix in it is said once, of the larger group.
  const bestOfSubject = new Map<string, RankedRule>()
  for (const rule of found.sort(byRank)) {
    const subject = `${rule.id.slice(rule.id.indexOf(":") + 1)}|${rule.cites[0]!.path}`
    if (!bestOfSubject.has(subject)) bestOfSubject.set(subject, rule)
  }
  return [...bestOfSubject.values()].slice(0, MAX_RULES).map(({ rank: _, ...rule }) => rule)
}
