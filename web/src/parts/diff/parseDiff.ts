import gitDiffParser, { type Change, type File } from "gitdiff-parser"

export interface DiffLine {
  readonly kind: "same" | "added" | "removed"
  /** Number in the old file; null for an added line. */
  readonly before: number | null
  /** Number in the new file; null for a removed line. */
  readonly after: number | null
  readonly text: string
}

export interface DiffHunk {
  /** The line that opens it: where it is in both files. */
  readonly head: string
  readonly lines: ReadonlyArray<DiffLine>
}

export interface DiffFile {
  readonly path: string
  /** Its path until then, where it was renamed or copied. */
  readonly previousPath: string | null
  readonly change: "added" | "removed" | "renamed" | "changed"
  readonly isBinary: boolean
  readonly hunks: ReadonlyArray<DiffHunk>
  readonly added: number
  readonly removed: number
}

const lineOf = (change: Change): DiffLine => {
  switch (change.type) {
    case "insert":
      return { kind: "added", before: null, after: change.lineNumber, text: change.content }
    case "delete":
      return { kind: "removed", before: change.lineNumber, after: null, text: change.content }
    case "normal":
      return { kind: "same", before: change.oldLineNumber, after: change.newLineNumber, text: change.content }
  }
}

const changes = { add: "added", delete: "removed", rename: "renamed", copy: "renamed", modify: "changed" } as const

const fileOf = ({ oldPath, newPath, type, isBinary, hunks: parsed }: File): DiffFile => {
  const path = newPath === "/dev/null" || newPath === "" ? oldPath : newPath
  const hunks = parsed.map(({ content, changes: inHunk }) => ({ head: content, lines: inHunk.map(lineOf) }))
  const count = (kind: DiffLine["kind"]) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0)
  const isMoved = oldPath !== newPath && oldPath !== "/dev/null" && newPath !== "/dev/null"
  return {
    path,
    previousPath: isMoved ? oldPath : null,
    change: isMoved ? "renamed" : changes[type],
    isBinary: isBinary === true,
    hunks,
    added: count("added"),
    removed: count("removed")
  }
}

/** Every file begins with the line that git writes, which the parser goes by. */
const withFileHeads = (diff: string): string =>
  /^diff --git /m.test(diff)
    ? diff
    : diff.replace(/^--- (.+)\n\+\+\+ (.+)$/gm, (both: string, before: string, after: string) => {
        const name = (path: string) => path.split("\t", 1)[0]!
        return `diff --git ${name(before)} ${name(after)}\n${both}`
      })

const hunkHead = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m

/** The files of a unified diff; null for a text that is none. */
export const parseDiff = (diff: string): ReadonlyArray<DiffFile> | null => {
  if (!hunkHead.test(diff) && !/^diff --git /m.test(diff)) return null
  try {
    const files = gitDiffParser.parse(withFileHeads(diff.replaceAll("\r\n", "\n"))).map(fileOf)
    return files.length === 0 ? null : files
  } catch {
    // The parser throws on what only looks like a diff.
    return null
  }
}
