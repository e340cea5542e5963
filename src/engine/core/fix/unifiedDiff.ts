/** Lines of context around a change, as git shows them. */
const CONTEXT = 3
/** Beyond this many differing lines the changed part is shown as removed and added whole. */
const MAX_EDIT_DISTANCE = 2_000

/** A run of lines: `from` lines of the old file at `oldAt` became `to` lines of the new one at `newAt`. */
interface Change {
  readonly oldAt: number
  readonly newAt: number
  readonly removed: number
  readonly added: number
}

/** Lines with their ends, so that a changed line end is a change. */
const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(/(?<=\n)/))

/** What is shown instead of the compared lines: the old text with as many lines, and each line that was added. */
export interface ShownLines {
  readonly old: string
  readonly added: (line: string) => string
}

/**
 * The difference as patches are written, fit for `git apply`. Null stands for a file that does not exist; an empty text
 * when there is no difference.
 */
export const unifiedDiff = (
  path: string,
  before: string | null,
  after: string | null,
  shown: ShownLines = { old: before ?? "", added: (line) => line }
): string => {
  if (before === after) return ""
  const [old, fresh] = [linesOf(before ?? ""), linesOf(after ?? "")]
  const lines: Lines = { old: linesOf(shown.old), fresh, added: shown.added }
  const hunks = hunksOf(changesOf(old, fresh)).map((changes) => hunkText(lines, changes))
  const mode = before === null ? "new file mode 100644\n" : after === null ? "deleted file mode 100644\n" : ""
  const header = `diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}\n${mode}`
  if (hunks.length === 0) return header
  const names = `--- ${before === null ? "/dev/null" : quoted(`a/${path}`)}\n+++ ${after === null ? "/dev/null" : quoted(`b/${path}`)}\n`
  return header + names + hunks.join("")
}

/** A name with quotes, backslashes, control characters or other than ASCII is written as git writes it. */
const quoted = (name: string): string => {
  if (/^[ !#-[\]-~]*$/.test(name)) return name
  const escaped = [...Buffer.from(name)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`
  })
  return `"${escaped.join("")}"`
}

const changesOf = (old: ReadonlyArray<string>, fresh: ReadonlyArray<string>): ReadonlyArray<Change> => {
  const shortest = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shortest && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < shortest - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++
  const matches = matchesOf(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail))
  const changes: Array<Change> = []
  let [oldAt, newAt] = [head, head]
  for (const [i, j] of [...matches, [old.length - tail - head, fresh.length - tail - head] as const]) {
    const [oldEnd, newEnd] = [head + i, head + j]
    if (oldEnd > oldAt || newEnd > newAt) {
      changes.push({ oldAt, newAt, removed: oldEnd - oldAt, added: newEnd - newAt })
    }
    ;[oldAt, newAt] = [oldEnd + 1, newEnd + 1]
  }
  return changes
}

type Pair = readonly [old: number, fresh: number]

/** How far each diagonal reaches, before a round of the search. */
type Reach = (diagonal: number) => number

/** Whether a round comes to the diagonal by a line added, and not by a line removed. */
const comesDown = (reach: Reach, round: number, diagonal: number): boolean =>
  diagonal === -round || (diagonal !== round && reach(diagonal - 1) < reach(diagonal + 1))

/** Myers' greedy algorithm: pairs of equal lines of a shortest edit script, in order. */
const matchesOf = (old: ReadonlyArray<string>, fresh: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const [n, m] = [old.length, fresh.length]
  const limit = Math.min(n + m, MAX_EDIT_DISTANCE)
  const furthest = new Int32Array(2 * limit + 3)
  const current: Reach = (diagonal) => furthest[limit + 1 + diagonal]!
  const rounds: Array<Reach> = []
  const follow = (start: number, diagonal: number): number => {
    let x = start
    while (x < n && x - diagonal < m && old[x] === fresh[x - diagonal]) x++
    return x
  }
  for (let round = 0; round <= limit; round++) {
    const kept = furthest.slice(limit - round, limit + round + 3)
    rounds.push((diagonal) => kept[diagonal + round + 1]!)
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      const start = comesDown(current, round, diagonal) ? current(diagonal + 1) : current(diagonal - 1) + 1
      const x = follow(start, diagonal)
      furthest[limit + 1 + diagonal] = x
      if (x >= n && x - diagonal >= m) return backtracked(rounds, n, m)
    }
  }
  return []
}

const backtracked = (rounds: ReadonlyArray<Reach>, n: number, m: number): ReadonlyArray<Pair> => {
  const pairs: Array<Pair> = []
  let [x, y] = [n, m]
  for (let round = rounds.length - 1; round > 0; round--) {
    const reach = rounds[round]!
    const isDown = comesDown(reach, round, x - y)
    const from = isDown ? x - y + 1 : x - y - 1
    const turn = reach(from) + (isDown ? 0 : 1)
    while (x > turn) pairs.push([--x, --y])
    x = reach(from)
    y = x - from
  }
  while (x > 0) pairs.push([--x, --y])
  return pairs.reverse()
}

/** Changes whose contexts touch are shown together. */
const hunksOf = (changes: ReadonlyArray<Change>): ReadonlyArray<ReadonlyArray<Change>> => {
  const hunks: Array<Array<Change>> = []
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1)
    if (last !== undefined && change.oldAt - (last.oldAt + last.removed) <= 2 * CONTEXT) hunks.at(-1)!.push(change)
    else hunks.push([change])
  }
  return hunks
}

interface Lines {
  readonly old: ReadonlyArray<string>
  readonly fresh: ReadonlyArray<string>
  readonly added: (line: string) => string
}

const hunkText = ({ old, fresh, added: show }: Lines, changes: ReadonlyArray<Change>): string => {
  const [first, last] = [changes[0]!, changes.at(-1)!]
  const lead = Math.min(CONTEXT, first.oldAt)
  const end = Math.min(old.length, last.oldAt + last.removed + CONTEXT)
  const newEnd = last.newAt + last.added + (end - last.oldAt - last.removed)
  const lines: Array<string> = []
  let at = first.oldAt - lead
  for (const { oldAt, newAt, removed, added } of changes) {
    for (; at < oldAt; at++) lines.push(marked(" ", old[at]!))
    for (; at < oldAt + removed; at++) lines.push(marked("-", old[at]!))
    for (let i = newAt; i < newAt + added; i++) lines.push(marked("+", show(fresh[i]!)))
  }
  for (; at < end; at++) lines.push(marked(" ", old[at]!))
  const [oldStart, newStart] = [first.oldAt - lead, first.newAt - lead]
  return `@@ -${rangeText(oldStart, end - oldStart)} +${rangeText(newStart, newEnd - newStart)} @@\n${lines.join("")}`
}

/** A range of no lines names the line before it. */
const rangeText = (start: number, count: number): string =>
  count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`

const marked = (mark: string, line: string): string =>
  line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`
