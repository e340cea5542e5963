import type { Buffer } from "node:buffer"

/** A part's name, and where its value begins and ends. */
export type PartSlice = readonly [name: string, start: number, end: number]

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Where a text ends that begins at the quote. */
const textEnd = (json: Buffer, start: number): number => {
  let at = start + 1
  for (; json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++
  return at + 1
}

/** Whether a byte opens a list or an object (1), closes one (-1), or neither: `[` and `{` differ from `]` and `}` by two. */
const nesting = (byte: number): number => {
  if (byte === 0x7b || byte === 0x5b) return 1
  return byte === 0x7d || byte === 0x5d ? -1 : 0
}

const valueEnd = (json: Buffer, start: number): number => {
  let depth = 0
  for (let at = start; at < json.length; ) {
    const byte = json[at]!
    if (byte === QUOTE) {
      at = textEnd(json, at)
      continue
    }
    if (depth === 0 && (byte === COMMA || nesting(byte) < 0)) return at
    depth += nesting(byte)
    at++
  }
  return json.length
}

/**
 * The values of an object as `JSON.stringify` writes it, without parsing them: of 20,000 files that is tens of megabytes, of
 * which each pass wants a part.
 */
export const partSlices = (json: Buffer): ReadonlyArray<PartSlice> => {
  const slices: Array<PartSlice> = []
  for (let at = 1; json[at] === QUOTE; ) {
    const nameEnd = textEnd(json, at)
    const start = nameEnd + 1
    const end = valueEnd(json, start)
    slices.push([json.toString("latin1", at + 1, nameEnd - 1), start, end])
    at = end + 1
  }
  return slices
}
