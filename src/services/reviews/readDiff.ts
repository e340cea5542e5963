import { Sources } from "../../engine/index.ts"
import { type ChangedFile, type ChangedLines, type ChangeKind, noLines } from "../ports/Comparison.ts"

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

const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

interface Lines {
  readonly ranges: Array<readonly [number, number]>
  readonly cuts: Array<number>
}

const note = ({ ranges, cuts }: Lines, from: number, added: number): void => {
  if (added > 0) ranges.push([from, from + added - 1])
  else cuts.push(from)
}

/**
 * The output of `git diff-tree -p -U0`: changed lines by path. Content is skipped by its counted lines and never
 * interpreted, so that no line of a file can pass for a header.
 */
export const readPatch = (output: Uint8Array): ReadonlyMap<string, ChangedLines> => {
  const found = new Map<string, Lines>()
  let path: string | null = null
  let content = 0
  for (const line of linesOf(output)) {
    if (content > 0) {
      if (line[0] === PLUS || line[0] === MINUS) content--
      continue
    }
    const head = latin1(line.subarray(0, 80))
    if (head.startsWith("diff --git ")) path = null
    else if (head.startsWith("+++ ")) path = nameIn(line.subarray(4))
    else if (head.startsWith("@@ ")) content = readHunk(head, path, found)
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

/** Notes the lines of a hunk; returns how many lines of content follow its header. */
const readHunk = (head: string, path: string | null, found: Map<string, Lines>): number => {
  const [, removed = "1", from = "0", added = "1"] = hunk.exec(head) ?? []
  if (path !== null) {
    const lines = found.get(path) ?? { ranges: [], cuts: [] }
    found.set(path, lines)
    note(lines, Number(from), Number(added))
  }
  return Number(removed) + Number(added)
}

/** `b/<path>`, quoted as C has it where the name holds odd characters; null for no file. */
const nameIn = (field: Uint8Array): string | null => {
  // git puts a tab after a name with white space.
  const bytes = field.at(-1) === 9 ? field.subarray(0, -1) : field
  const name = bytes[0] === 34 ? unquoted(bytes) : bytes
  return latin1(name.subarray(0, 2)) === "b/" ? Sources.pathText(name.subarray(2)).path : null
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
