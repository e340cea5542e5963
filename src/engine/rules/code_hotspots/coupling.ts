import { baseName } from "../../core/text/paths.ts"
import type { EmitAt } from "../../core/tool/AuditTool.ts"
import type { ChangeHistory } from "../../core/tool/ChangeHistory.ts"
import { stemOf } from "../../structure/importGraph/importedWords.ts"
import { dirname } from "../../structure/importGraph/packages.ts"
import type { KnownFile } from "./KnownFile.ts"
import type { RuleId } from "./rules.ts"

const MIN_TOGETHER = 8
const MIN_SHARE = 0.7
/** A commit of more files is weak evidence for any two of them. */
const MAX_FILES_OF_COMMIT = 20
const MAX_REPORTED = 20

const linked = /\.(?:[cm]?[jt]sx?|py|go|java)$/
/** Files that list others: they change with every file they list. */
const listing = /(?:^|\/)(?:index|__init__|routes?|urls|registry|main|version|config|settings|constants)\.\w+$/i

const imports = (a: KnownFile, b: KnownFile): boolean =>
  a.words.has(stemOf(b.path)) || a.words.has(stemOf(`${dirname(b.path)}/index.js`))

interface Pair {
  readonly a: KnownFile
  readonly b: KnownFile
  readonly together: number
  readonly most: number
}

const countPairs = (files: ReadonlyMap<string, KnownFile>, { paths, commits }: ChangeHistory) => {
  const candidates = paths.map((path) => files.get(path) ?? null)
  const single = new Int32Array(paths.length)
  const pairs = new Map<number, number>()
  for (const { changes } of commits) {
    const changed = changes.map(([path]) => path).filter((path) => candidates[path] !== null)
    for (const path of changed) single[path]!++
    if (changed.length > MAX_FILES_OF_COMMIT) continue
    for (const a of changed)
      for (const b of changed) {
        if (a >= b) continue
        const key = a * paths.length + b
        pairs.set(key, (pairs.get(key) ?? 0) + 1)
      }
  }
  return { candidates, single, pairs }
}

const pairsOf = (files: ReadonlyMap<string, KnownFile>, history: ChangeHistory): ReadonlyArray<Pair> => {
  const { candidates, single, pairs } = countPairs(files, history)
  const size = history.paths.length
  return [...pairs]
    .flatMap(([key, together]): ReadonlyArray<Pair> => {
      if (together < MIN_TOGETHER) return []
      const [one, other] = [Math.floor(key / size), key % size]
      const most = Math.max(single[one]!, single[other]!)
      const [a, b] = [candidates[one]!, candidates[other]!].sort((x, y) => (x.path < y.path ? -1 : 1)) as [
        KnownFile,
        KnownFile
      ]
      if (together < MIN_SHARE * most || dirname(a.path) === dirname(b.path)) return []
      return imports(a, b) || imports(b, a) ? [] : [{ a, b, together, most }]
    })
    .sort((x, y) => y.together - x.together || (`${x.a.path}\n${x.b.path}` < `${y.a.path}\n${y.b.path}` ? -1 : 1))
}

export const reportCoupling = (files: ReadonlyArray<KnownFile>, history: ChangeHistory, emit: EmitAt<RuleId>): void => {
  const known = new Map(files.filter(({ path }) => linked.test(path) && !listing.test(path)).map((f) => [f.path, f]))
  const reported = new Set<string>()
  for (const { a, b, together, most } of pairsOf(known, history).slice(0, MAX_REPORTED)) {
    // One match per file: the strongest coupling comes first.
    if (reported.has(a.path)) continue
    reported.add(a.path)
    emit(a.path, {
      rule: "change_coupling",
      noun: `${baseName(a.path)}, ${baseName(b.path)}`,
      start: a.complexity.start,
      end: a.complexity.end,
      message:
        `\`${a.path}\` and \`${b.path}\` were changed in the same commit ${together} times, of at most ${most} commits ` +
        "that changed either of them, and neither imports the other.",
      steps: [
        {
          path: b.path,
          start: b.complexity.start,
          end: b.complexity.end,
          note: "This file changes with it, without an import."
        }
      ]
    })
  }
}
