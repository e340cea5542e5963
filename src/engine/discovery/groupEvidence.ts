import { addTo } from "../core/collections/lists.ts"
import { baseName, directoryOf, isBelow } from "../core/text/paths.ts"
import { at, code, type Item } from "./Draft.ts"
import type { Group } from "./groups.ts"
import type { ObservedFile } from "./Observed.ts"
import { type Commit, resolvedPath, type Survey } from "./Survey.ts"

export const MIN_ADDITIONS = 4
const MIN_TOGETHER = 0.6
const MAX_CHANGES = 40
const MAX_ADDED = 3
const MIN_LISTED = 4

/** What one of its files is made with, as far as history, registries and tests show it. Each is read once, for all groups. */
export class GroupEvidence {
  private readonly history: ReadonlyMap<Group, Additions>
  private readonly registries: ReadonlyMap<Group, Registry>
  private readonly tests: ReadonlyMap<string, string>

  constructor(survey: Survey, groups: ReadonlyArray<Group>) {
    this.history = additionsOf(survey, new GroupIndex(groups))
    this.registries = registriesOf(survey, groups)
    this.tests = new Map(survey.tests.filter(holdsTests).map(({ path }) => [testedStem(path), path]))
  }

  /** Commits that added a file of the group, and what most of them changed besides. */
  additions(group: Group): { readonly count: number; readonly items: ReadonlyArray<Item> } {
    const { count, together } = this.history.get(group) ?? { count: 0, together: new Map<string, number>() }
    return { count, items: count < MIN_ADDITIONS ? [] : changedWith(count, together) }
  }

  /** A file beside or above that imports nearly all of the group: where a new one has to be listed. */
  registry(group: Group): Item | null {
    const best = this.registries.get(group)
    if (best === undefined) return null
    const { path, line, count, total } = best
    return {
      text: `List it in ${at({ path, line })}, which imports ${count} of ${total}.`,
      cites: [{ path, line }]
    }
  }

  /** How tests are named after the files of the group, where most of them have one. */
  test({ files }: Group): Item | null {
    const paired = files.flatMap(({ path }) => {
      const test = this.tests.get(stemOf(path))
      return test === undefined ? [] : [[path, test] as const]
    })
    const [first] = paired
    if (first === undefined || paired.length < 3 || paired.length < files.length * MIN_TOGETHER) return null
    const [path, test] = first
    return {
      text: `Add a test: ${paired.length} of ${files.length} have one of their name, such as ${code(test)} for ${code(path)}.`,
      cites: [{ path: test, line: 1 }]
    }
  }
}

const stemOf = (path: string): string => baseName(path).replace(/\.\w+$/, "")

/** Languages in which tests are seen where they stand. */
const isObserved = /^(?:typescript|tsx|javascript|python|go|ruby|java|csharp|rust)$/

/** What only helps tests may have the name of what it makes. */
const holdsTests = ({ path, language, sites }: ObservedFile): boolean =>
  testedStem(path) !== stemOf(path) || !isObserved.test(language) || sites.some(({ kind }) => kind === "test")

const testedStem = (path: string): string =>
  stemOf(path).replace(/^test_|[._-](?:test|spec)$|(?<=[a-z])(?:Tests?|Spec)$/g, "")

/** Finds the groups that a path belongs to, be it there or not. */
class GroupIndex {
  private readonly byFolder = new Map<string, Array<Group>>()
  private readonly bySuffix = new Map<string, Array<Group>>()
  private readonly suffixLengths = new Set<number>()

  constructor(groups: ReadonlyArray<Group>) {
    for (const group of groups) {
      const { folder, suffix } = group.scope
      if (suffix === undefined) addTo(this.byFolder, folder, group)
      else {
        addTo(this.bySuffix, suffix, group)
        this.suffixLengths.add(suffix.length)
      }
    }
  }

  of(path: string): ReadonlyArray<Group> {
    const found = [...(this.byFolder.get(directoryOf(path)) ?? [])]
    for (const length of this.suffixLengths) {
      for (const group of this.bySuffix.get(path.slice(-length)) ?? []) {
        const { folder } = group.scope
        if (isBelow(folder, path)) found.push(group)
      }
    }
    return found
  }
}

interface Additions {
  count: number
  readonly together: Map<string, number>
}

const additionsOf = (survey: Survey, index: GroupIndex): ReadonlyMap<Group, Additions> => {
  const found = new Map<Group, Additions>()
  for (const { changes } of survey.commits) {
    if (changes.length > MAX_CHANGES) continue
    const membership = changes.map(({ path, status }) => (status === "A" ? new Set(index.of(path)) : noGroups))
    for (const [group, added] of countedBy(membership.flatMap((groups) => [...groups]))) {
      if (added > MAX_ADDED) continue
      const known = found.get(group) ?? { count: 0, together: new Map<string, number>() }
      found.set(group, known)
      known.count++
      const others = changes.filter((_, i) => !membership[i]!.has(group))
      for (const kind of new Set(others.flatMap((change) => kindOf(survey, change))))
        known.together.set(kind, (known.together.get(kind) ?? 0) + 1)
    }
  }
  return found
}

const countedBy = <A>(items: ReadonlyArray<A>): ReadonlyMap<A, number> => {
  const counts = new Map<A, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

const noGroups: ReadonlySet<Group> = new Set()

/** A change to a file or folder that still exists. */
const kindOf = (survey: Survey, { status, path }: Commit["changes"][number]): ReadonlyArray<string> => {
  if (status === "M" && survey.has(path)) return [`edit\n${path}`]
  return status === "A" && survey.hasFolder(directoryOf(path)) ? [`add\n${directoryOf(path)}`] : []
}

const changedWith = (additions: number, together: ReadonlyMap<string, number>): ReadonlyArray<Item> =>
  [...together]
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

interface Registry {
  readonly path: string
  readonly line: number
  readonly count: number
  readonly total: number
}

const registriesOf = (survey: Survey, groups: ReadonlyArray<Group>): ReadonlyMap<Group, Registry> => {
  const members = new Map<string, Array<Group>>()
  for (const group of groups) for (const { path } of group.files) addTo(members, withoutExtension(path), group)
  const best = new Map<Group, Registry>()
  for (const file of survey.source) {
    for (const [group, { modules, line }] of listedBy(file, members)) {
      const count = modules.size
      const total = group.files.length - (members.get(withoutExtension(file.path))?.includes(group) === true ? 1 : 0)
      const isNearlyAll = count >= MIN_LISTED && count >= total * 0.8
      if (isNearlyAll && isNear(group, file.path) && count > (best.get(group)?.count ?? 0))
        best.set(group, { path: file.path, line, count, total })
    }
  }
  return best
}

/** Groups of which a file imports something by a relative path, with what it imports and the last line that does. */
const listedBy = (file: ObservedFile, members: ReadonlyMap<string, ReadonlyArray<Group>>) => {
  const found = new Map<Group, { readonly modules: Set<string>; line: number }>()
  const relative = file.imports.filter(({ module }) => /^\.{1,2}\//.test(module))
  if (relative.length < MIN_LISTED) return found
  for (const { module, line } of relative) {
    const path = resolvedPath(directoryOf(file.path), module.replace(/\/index(?:\.\w+)?$/, ""))
    const known = [path, withoutExtension(path)].find((one) => members.has(one))
    for (const group of known === undefined ? [] : members.get(known)!) {
      const listed = found.get(group) ?? { modules: new Set<string>(), line }
      found.set(group, listed)
      listed.modules.add(known!)
      listed.line = line
    }
  }
  return found
}

const withoutExtension = (path: string): string => path.replace(/\.\w+$/, "")

const isNear = ({ scope }: Group, path: string): boolean => {
  const folder = directoryOf(path)
  return folder === scope.folder || folder === directoryOf(scope.folder) || scope.folder.startsWith(`${folder}/`)
}
