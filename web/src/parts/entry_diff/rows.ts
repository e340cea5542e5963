import { diffLines, diffWordsWithSpace } from "diff"

interface Piece {
  readonly text: string
  /** It is not on the other side. */
  readonly changed: boolean
}

export interface Row {
  readonly kind: "same" | "removed" | "added"
  readonly pieces: ReadonlyArray<Piece>
}

const linesOf = (text: string): ReadonlyArray<string> => text.replace(/\n$/, "").split("\n")

const plain = (kind: Row["kind"], line: string): Row => ({ kind, pieces: [{ text: line, changed: false }] })

/** A line that was rewritten: what both have in common, and what each has alone. */
const rewritten = (before: string, after: string): ReadonlyArray<Row> => {
  const words = diffWordsWithSpace(before, after)
  const side = (kind: "removed" | "added"): Row => ({
    kind,
    pieces: words
      .filter((word) => (kind === "removed" ? !word.added : !word.removed))
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }))
  })
  return [side("removed"), side("added")]
}

const replaced = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Row> => {
  const paired = Math.min(before.length, after.length)
  return [
    ...before.slice(0, paired).flatMap((line, index) => rewritten(line, after[index] ?? "")),
    ...before.slice(paired).map((line) => plain("removed", line)),
    ...after.slice(paired).map((line) => plain("added", line))
  ]
}

/** The lines of a text as it was and as it is. */
export const rowsOf = (before: string, after: string): ReadonlyArray<Row> => {
  if (before === after) return before === "" ? [] : linesOf(before).map((line) => plain("same", line))
  if (before === "") return linesOf(after).map((line) => plain("added", line))
  if (after === "") return linesOf(before).map((line) => plain("removed", line))
  const changes = diffLines(before, after, { stripTrailingCr: true })
  const rows: Array<Row> = []
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index]
    const next = changes[index + 1]
    if (change === undefined) continue
    if (change.removed && next?.added === true) {
      rows.push(...replaced(linesOf(change.value), linesOf(next.value)))
      index++
    } else {
      const kind = change.added ? "added" : change.removed ? "removed" : "same"
      rows.push(...linesOf(change.value).map((line) => plain(kind, line)))
    }
  }
  return rows
}
