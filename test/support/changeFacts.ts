import { Effect } from "effect"
import type { ChangeFacts, FileFacts, ScanFacts, Side } from "../../src/services/change_reviews/ChangeFacts.ts"
import type { TextLine } from "../../src/services/ports/Comparison.ts"
import { described, type Files } from "./changes.ts"

export interface World {
  readonly repository?: string
  readonly branch?: string
  readonly base?: Files
  readonly head?: Files
  /** New path by old path. */
  readonly renames?: Files
  readonly binary?: ReadonlyArray<string>
  /** Files that have no text to be read. */
  readonly unreadable?: ReadonlyArray<string>
  readonly submodules?: ReadonlyArray<string>
  readonly scan?: Partial<ScanFacts> | null
  readonly scanProblem?: string
  readonly observations?: ChangeFacts["observations"]
  readonly description?: ChangeFacts["description"]
}

const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/))

/** Lines of one text that the other does not have, between what they have in common at both ends. */
const changedIn = (text: string, other: string): ReadonlyArray<TextLine> => {
  const own = linesOf(text)
  const others = linesOf(other)
  let start = 0
  while (start < own.length && own[start] === others[start]) start++
  let end = 0
  while (end < own.length - start && end < others.length - start && own.at(-1 - end) === others.at(-1 - end)) end++
  return own.slice(start, own.length - end).map((line, index) => ({ line: start + index + 1, text: line }))
}

const nothingFound: ScanFacts = {
  introduced: [],
  resolved: [],
  unattributed: 0,
  unfinished_tools: [],
  unread: [],
  leftOut: [],
  hasAdvisories: true,
  ecosystemsWithoutAdvisories: []
}

/** Facts of a change that makes the files of the head from those of the base. */
export const changeFacts = (world: World): ChangeFacts => {
  const { base = {}, head = {}, renames = {}, binary = [], unreadable = [], submodules = [], scan = {} } = world
  const oldPath = new Map(Object.entries(renames).map(([from, to]) => [to, from]))
  const fileOf = (path: string, kind: FileFacts["kind"], previous_path: string | null): FileFacts => {
    const isBinary = binary.includes(path)
    const before = base[previous_path ?? path] ?? ""
    const after = head[path] ?? ""
    return {
      path,
      previous_path,
      kind: submodules.includes(path) ? "submodule" : kind,
      isBinary,
      added: isBinary ? [] : changedIn(after, before),
      removed: isBinary ? [] : changedIn(before, after)
    }
  }
  const files = [
    ...Object.keys(head)
      .filter((path) => head[path] !== base[path])
      .map((path) => {
        const previous = oldPath.get(path) ?? null
        return fileOf(path, previous !== null ? "renamed" : path in base ? "modified" : "added", previous)
      }),
    ...Object.keys(base)
      .filter((path) => !(path in head) && !(path in renames))
      .map((path) => fileOf(path, "deleted", null)),
    ...submodules.map((path) => fileOf(path, "submodule", null))
  ]
  const sides: Readonly<Record<Side, Files>> = { base, head }
  const isText = (path: string) => !binary.includes(path) && !unreadable.includes(path)
  return {
    repository: world.repository ?? "acme/shop@main",
    branch: world.branch ?? "change",
    commits: { base: "b".repeat(40), head: "a".repeat(40) },
    files,
    paths: { base: new Set(Object.keys(base)), head: new Set(Object.keys(head)) },
    scan: scan === null ? null : { ...nothingFound, ...scan },
    scanProblem: world.scanProblem ?? null,
    observations: world.observations ?? new Map(),
    read: (side, paths) =>
      Effect.succeed(
        new Map(
          paths.flatMap((path) => (isText(path) && sides[side][path] !== undefined ? [[path, sides[side][path]]] : []))
        )
      ),
    description: world.description ?? Effect.promise(() => described(base, head, renames))
  }
}
