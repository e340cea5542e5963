import { Sources } from "../../engine/index.ts"
import {
  type ChangedFile,
  type ChangedLines,
  type ChangedTexts,
  type ChangeKind,
  noLines,
  type TextLine
} from "../ports/Comparison.ts"

interface Changed {
  readonly path: string
  readonly previous_path: string | null
  readonly kind: ChangeKind
}

/** The output of `git diff-tree -r -z --raw -M`: what changed, without lines. */
export const readRaw = (output: Uint8Array): ReadonlyArray<Changed> => {
  const fields: Array<Uint8Array> = []
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) {
    fields.push(output.subarray(start, end))
  }
  const found: Array<Changed> = []
  for (let at = 0; at + 1 < fields.length; ) {
    // ":<mode> <mode> <id> <id> <status>"
    const [before = "", after = "", , , status = ""] = latin1(fields[at]!).slice(1).split(" ")
    const first = Sources.pathText(fields[at + 1]!).path
    const isRename = status.startsWith("R") || status.startsWith("C")
    const second = isRename ? Sources.pathText(fields[at + 2] ?? fields[at + 1]!).path : first
    const isSubmodule = before === "160000" || after === "160000"
    found.push({
      path: second,
      previous_path: isRename ? first : null,
      kind: isSubmodule ? "submodule" : kindOf(status)
    })
    at += isRename ? 3 : 2
  }
  return found
}

const kindOf = (status: string): ChangeKind => {
  switch (status[0]) {
    case "A":
      return "added"
    case "D":
      return "deleted"
    case "R":
    case "C":
      return "renamed"
    default:
      return "modified"
  }
}

const NEWLINE = 10
const PLUS = 43
const MINUS = 45

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

interface Lines {
  readonly ranges: Array<readonly [number, number]>
  readonly cuts: Array<number>
}

const note = ({ ranges, cuts }: Lines, { from, added }: Hunk): void => {
  if (added > 0) ranges.push([from, from + added - 1])
  else cuts.push(from)
}

/** The header of a hunk: how many lines it removes from which one on, and adds. */
interface Hunk {
  readonly before: number
  readonly removed: number
  readonly from: number
  readonly added: number
}

interface PatchReader {
  readonly hunk: (path: string, hunk: Hunk) => void
  /** A line of content, with its sign. */
  readonly line?: (line: Uint8Array) => void
}

/**
 * Walks the output of `git diff-tree -p -U0`. Content is counted and never interpreted, so that no line of a file can pass
 * for a header. A deleted file has the path that it had.
 */
const walkPatch = (output: Uint8Array, reader: PatchReader): void => {
  let paths: PatchPaths = { source: null, path: null }
  let content = 0
  for (const line of linesOf(output)) {
    if (content > 0) {
      if (line[0] !== PLUS && line[0] !== MINUS) continue
      content--
      reader.line?.(line)
      continue
    }
    paths = pathsAfter(paths, line)
    const hunk = hunkIn(line)
    if (hunk === null) continue
    content = hunk.removed + hunk.added
    if (paths.path !== null) reader.hunk(paths.path, hunk)
  }
}

/** The file that a patch is at: its name before, and the one that it is known by. */
interface PatchPaths {
  readonly source: string | null
  readonly path: string | null
}

const pathsAfter = (paths: PatchPaths, line: Uint8Array): PatchPaths => {
  const head = latin1(line.subarray(0, 11))
  if (head.startsWith("diff --git ")) return { source: null, path: null }
  if (head.startsWith("--- ")) return { ...paths, source: nameIn(line.subarray(4), "a/") }
  if (head.startsWith("+++ ")) return { ...paths, path: nameIn(line.subarray(4), "b/") ?? paths.source }
  return paths
}

const hunkIn = (line: Uint8Array): Hunk | null => {
  const found = hunkHeader.exec(latin1(line.subarray(0, 80)))
  if (found === null) return null
  const [, before = "0", removed = "1", from = "0", added = "1"] = found
  return { before: Number(before), removed: Number(removed), from: Number(from), added: Number(added) }
}

/** Changed lines by path. */
export const readPatch = (output: Uint8Array): ReadonlyMap<string, ChangedLines> => {
  const found = new Map<string, Lines>()
  walkPatch(output, {
    hunk: (path, hunk) => {
      const lines = found.get(path) ?? { ranges: [], cuts: [] }
      found.set(path, lines)
      note(lines, hunk)
    }
  })
  return found
}

/** Longer lines are cut off: no person wrote them. */
const MAX_LINE_BYTES = 8_000

const textOf = (line: Uint8Array): string =>
  Buffer.from(line.subarray(1, MAX_LINE_BYTES)).toString("utf8").replace(/\r$/, "")

/** The text of changed lines, by path. */
export const readPatchTexts = (output: Uint8Array): ReadonlyMap<string, ChangedTexts> => {
  const found = new Map<string, { readonly added: Array<TextLine>; readonly removed: Array<TextLine> }>()
  let texts: { readonly added: Array<TextLine>; readonly removed: Array<TextLine> } = { added: [], removed: [] }
  let next = { added: 0, removed: 0 }
  walkPatch(output, {
    hunk: (path, { before, from }) => {
      texts = found.get(path) ?? { added: [], removed: [] }
      found.set(path, texts)
      next = { added: from, removed: before }
    },
    line: (line) => {
      const side = line[0] === PLUS ? "added" : "removed"
      texts[side].push({ line: next[side]++, text: textOf(line) })
    }
  })
  return found
}

/** The output of `git diff-tree -r -z --numstat -M`: the paths of binary files, which have no lines. */
export const readBinaries = (output: Uint8Array): ReadonlySet<string> => {
  const fields = latin1(output).split("\0")
  const found = new Set<string>()
  for (let at = 0; at < fields.length; at++) {
    const [, sign, path] = /^(\d+|-)\t(?:\d+|-)\t(.*)$/s.exec(fields[at] ?? "") ?? []
    if (sign === undefined || path === undefined) continue
    // A renamed file has its two paths in fields of their own.
    if (path === "") at += 2
    if (sign === "-") found.add(Sources.pathText(Buffer.from(path === "" ? (fields[at] ?? "") : path, "latin1")).path)
  }
  return found
}

function* linesOf(output: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < output.length; ) {
    const newline = output.indexOf(NEWLINE, start)
    const end = newline === -1 ? output.length : newline
    yield output.subarray(start, end)
    start = end + 1
  }
}

/** The path after the prefix, quoted as C has it where the name holds odd characters; null for no file. */
const nameIn = (field: Uint8Array, prefix: "a/" | "b/"): string | null => {
  // git puts a tab after a name with white space.
  const bytes = field.at(-1) === 9 ? field.subarray(0, -1) : field
  const name = bytes[0] === 34 ? unquoted(bytes) : bytes
  return latin1(name.subarray(0, 2)) === prefix ? Sources.pathText(name.subarray(2)).path : null
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 }

const unquoted = (bytes: Uint8Array): Uint8Array => {
  const text = latin1(bytes.subarray(1, -1))
  const plain = text.replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
    String.fromCharCode(code.length === 3 ? Number.parseInt(code, 8) : (escapes[code] ?? code.charCodeAt(0)))
  )
  return Buffer.from(plain, "latin1")
}

/** Each changed file with its changed lines. */
export const changedFiles = (raw: ReadonlyArray<Changed>, patch: ReadonlyMap<string, ChangedLines>) =>
  raw.map((file): ChangedFile => {
    const hasLines = file.kind !== "deleted" && file.kind !== "submodule"
    return { ...file, lines: hasLines ? (patch.get(file.path) ?? noLines) : noLines }
  })
