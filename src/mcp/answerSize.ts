import { Effect, type Schema } from "effect"
import type { Page } from "../schema/Page.ts"
import { isRecord } from "../services/support/isRecord.ts"
import { printJson } from "../services/support/jsonPrinter.ts"

// The size of an answer is the length of its JSON; a token is some four characters.

/** Characters of the largest answer: 8,000 tokens. */
export const maxAnswer = 32_000

/** Room for what surrounds a value: the notice, the names of truncated fields, the continuation of a page. */
const surroundings = 2000

/** Characters that the rows of a page or the fields of a record may have together. */
export const maxContent = maxAnswer - surroundings

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

const ellipsis = "…"

/** The beginning of a text, of at most `max` characters of JSON; a character is never split. */
export const cutText = (text: string, max: number): string => {
  if (sizeOf(text) <= max) return text
  const end = prefixWithin(text, max - ellipsis.length)
  return `${text.slice(0, end)}${ellipsis}`
}

/** Length of the longest beginning of a text that has at most `max` characters of JSON. */
export const prefixWithin = (text: string, max: number): number => {
  let left = max - '""'.length
  let end = 0
  for (const character of text) {
    left -= printedAsItIs(character) ? character.length : sizeOf(character) - '""'.length
    if (left < 0) break
    end += character.length
  }
  return end
}

/** Whether JSON prints a character without an escape. */
const printedAsItIs = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x20 && code !== 0x22 && code !== 0x5c && (code < 0xd800 || code > 0xdfff)
}

/** How many of the first items fit. Those after the first that does not are not measured: they may be many and long. */
const countWithin = <A>(items: ReadonlyArray<A>, sizeOfItem: (item: A) => number, max: number): number => {
  let left = max - "[]".length
  const first = items.findIndex((item) => {
    left -= sizeOfItem(item) + ",".length
    return left < 0
  })
  return first === -1 ? items.length : first
}

/** The first items that fit. */
export const itemsWithin = <A>(items: ReadonlyArray<A>, max: number): ReadonlyArray<A> =>
  items.slice(0, countWithin(items, sizeOf, max))

/** A value that was cut to a size, and the dotted paths of what was cut. */
interface Fitted {
  readonly value: unknown
  readonly cut: ReadonlyArray<string>
}

/** A value in at most `max` characters of JSON: what is short stays whole, what is long shares the room. */
const fitted = (value: unknown, max: number, path: string): Fitted => {
  if (sizeOf(value) <= max) return { value, cut: [] }
  if (typeof value === "string") return { value: cutText(value, max), cut: [path] }
  if (Array.isArray(value)) return fittedList(value, max, path)
  return isRecord(value) ? fittedRecord(value, max, path) : { value, cut: [] }
}

const fittedList = (items: ReadonlyArray<unknown>, max: number, path: string): Fitted => {
  const whole = itemsWithin(items, max)
  if (whole.length > 0) return { value: whole, cut: [path] }
  return { value: items.slice(0, 1).map((item) => fitted(item, max - "[]".length, path).value), cut: [path] }
}

// What remains of a value that was cut: an empty text, list or object, and the comma.
const smallest = 4

const fittedRecord = (record: Readonly<Record<string, unknown>>, max: number, path: string): Fitted => {
  const all = Object.entries(record).filter(([, value]) => value !== undefined)
  const names = all.map(([name]) => sizeOf(name) + ":,".length)
  // Of an object with a great many keys the first ones remain.
  const count = countWithin(names, (size) => size + smallest, max)
  const entries = all.slice(0, count)
  const room = max - "{}".length - names.slice(0, count).reduce((sum, size) => sum + size, 0)
  const share = equalShare(
    entries.map(([, value]) => sizeOf(value)),
    room
  )
  const parts = entries.map(
    ([name, value]) => [name, fitted(value, share, path === "" ? name : `${path}.${name}`)] as const
  )
  return {
    value: Object.fromEntries(parts.map(([name, part]) => [name, part.value])),
    cut: [...(count < all.length ? [path] : []), ...parts.flatMap(([, part]) => part.cut)]
  }
}

/** The most that each may have, so that all together have no more than `room`. */
const equalShare = (sizes: ReadonlyArray<number>, room: number): number => {
  const ascending = [...sizes].sort((a, b) => a - b)
  let left = room
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share
    left -= size
  }
  return room
}

/** What a result of any tool has when it was too large. */
export const truncatedFields = "truncated_fields"

const maxPaths = 20

/** A value in at most `max` characters of JSON; the beginning of what is longer. */
export const valueWithin = <A>(value: A, max: number): A => fitted(value, max, "").value as A

/** A record in at most `max` characters of JSON, with the paths of what was cut. */
export const recordWithin = <A extends object>(record: A, max: number): A => {
  if (sizeOf(record) <= max) return record
  const { value, cut } = fitted(record, max, "")
  // Cutting shortens texts, lists and objects; every field keeps its type.
  return { [truncatedFields]: [...new Set(cut)].slice(0, maxPaths), ...(value as A) }
}

/**
 * A page whose rows fit into an answer: fewer than requested where they are long. The list is read again with that many, so
 * its cursor goes on with the first row that was left out.
 */
export const pageWithin = <A, I, P extends Page<A>, E, R>(
  row: Schema.Schema<A, I>,
  limit: number,
  read: (limit: number) => Effect.Effect<P, E, R>,
  max = maxContent
) => listWithin(row, ({ data }) => data, limit, read, max)

/** The same of a list under another name. */
export const listWithin = <A, I, P, E, R>(
  row: Schema.Schema<A, I>,
  rowsOf: (page: P) => ReadonlyArray<A>,
  limit: number,
  read: (limit: number) => Effect.Effect<P, E, R>,
  max = maxContent
): Effect.Effect<P, E, R> =>
  Effect.flatMap(read(limit), (page) => {
    const rows = rowsOf(page)
    const fits = Math.max(
      1,
      countWithin(rows, (item) => printJson(row, item).length, max)
    )
    return fits >= rows.length ? Effect.succeed(page) : listWithin(row, rowsOf, fits, read, max)
  })
