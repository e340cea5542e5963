import { Buffer } from "node:buffer"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Tokens } from "./tokens.ts"

/** Tokens that one print stands for. */
export const PRINT_TOKENS = 50
/** Of so many prints in a row the smallest is kept, so equal code keeps equal prints wherever it stands. */
export const WINDOW = 28
/** With fewer different tokens it is one statement over and over. */
const MIN_DISTINCT = 14
const BASE = 0x01000193

/** Columns of one print. */
const LOOSE = 0
const EXACT = 1
const TOKEN = 2
const START = 3
const END = 4
const LINES = 5
const DECISIONS = 6
const COLUMNS = 7
const BYTES = COLUMNS * Uint32Array.BYTES_PER_ELEMENT

const mixed = (hash: number): number => {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const powerOf = (base: number, exponent: number): number => {
  let power = 1
  for (let i = 0; i < exponent; i++) power = Math.imul(power, base)
  return power
}

/** How many different tokens there are in each stretch of `PRINT_TOKENS`. */
class Distinct {
  private readonly counts = new Map<number, number>()

  add(token: number): void {
    this.counts.set(token, (this.counts.get(token) ?? 0) + 1)
  }

  remove(token: number): void {
    const count = this.counts.get(token)!
    if (count === 1) this.counts.delete(token)
    else this.counts.set(token, count - 1)
  }

  get size(): number {
    return this.counts.size
  }
}

/** Rolling hashes of all stretches; those that say nothing are 0xffffffff, so that they are never the smallest. */
const stretchHashes = ({ count, loose, exact }: Tokens) => {
  const size = Math.max(0, count - PRINT_TOKENS + 1)
  const looseHashes = new Uint32Array(size)
  const exactHashes = new Uint32Array(size)
  const out = powerOf(BASE, PRINT_TOKENS)
  const distinct = new Distinct()
  let l = 0
  let e = 0
  for (let i = 0; i < count; i++) {
    l = (Math.imul(l, BASE) + mixed(loose[i]!)) | 0
    e = (Math.imul(e, BASE) + mixed(exact[i]!)) | 0
    distinct.add(loose[i]!)
    if (i >= PRINT_TOKENS) {
      l = (l - Math.imul(mixed(loose[i - PRINT_TOKENS]!), out)) | 0
      e = (e - Math.imul(mixed(exact[i - PRINT_TOKENS]!), out)) | 0
      distinct.remove(loose[i - PRINT_TOKENS]!)
    }
    const at = i - PRINT_TOKENS + 1
    if (at < 0) continue
    looseHashes[at] = distinct.size < MIN_DISTINCT ? 0xffffffff : mixed(l)
    exactHashes[at] = mixed(e)
  }
  return { size, looseHashes, exactHashes }
}

const chosen = (hashes: Uint32Array, size: number): ReadonlyArray<number> => {
  const picked: Array<number> = []
  let best = -1
  for (let end = 0; end < size; end++) {
    if (best < end - WINDOW + 1) {
      best = Math.max(0, end - WINDOW + 1)
      for (let i = best; i <= end; i++) if (hashes[i]! <= hashes[best]!) best = i
    } else if (hashes[end]! <= hashes[best]!) best = end
    const isFull = end >= WINDOW - 1 || end === size - 1
    if (isFull && hashes[best] !== 0xffffffff && picked.at(-1) !== best) picked.push(best)
  }
  return picked
}

/** Empty when the file has too little code to be compared. */
export const encodePrints = (file: SourceFile, tokens: Tokens): string => {
  const { size, looseHashes, exactHashes } = stretchHashes(tokens)
  const picked = chosen(looseHashes, size)
  const rows = new Uint32Array(picked.length * COLUMNS)
  picked.forEach((at, i) => {
    const last = at + PRINT_TOKENS - 1
    const start = tokens.starts[at]!
    const end = tokens.ends[last]!
    const line = file.line(start)
    const row = i * COLUMNS
    rows[row + LOOSE] = looseHashes[at]!
    rows[row + EXACT] = exactHashes[at]!
    rows[row + TOKEN] = at
    rows[row + START] = start
    rows[row + END] = end
    rows[row + LINES] = Math.min(line, 0xfffff) * 0x1000 + Math.min(file.line(end - 1) - line, 0xfff)
    rows[row + DECISIONS] = tokens.decisions[at]!
  })
  return Buffer.from(rows.buffer).toString("base64")
}

/**
 * Prints of many files in one sequence, so that comparing them reads numbers and nothing else. Of more than `most` prints
 * those of the last files are left out.
 */
export class PrintPool {
  readonly count: number
  /** Index of each print's file. */
  readonly fileOf: Int32Array
  private readonly rows: Uint32Array

  constructor(files: ReadonlyArray<string>, most: number) {
    const counts = countsOf(files, most)
    this.count = counts.reduce((sum, count) => sum + count, 0)
    this.fileOf = new Int32Array(this.count)
    this.rows = new Uint32Array(this.count * COLUMNS)
    const bytes = Buffer.from(this.rows.buffer)
    let at = 0
    counts.forEach((count, file) => {
      if (count === 0) return
      bytes.write(files[file]!, at * BYTES, "base64")
      this.fileOf.fill(file, at, at + count)
      at += count
    })
  }

  loose(i: number): number {
    return this.rows[i * COLUMNS + LOOSE]!
  }

  exact(i: number): number {
    return this.rows[i * COLUMNS + EXACT]!
  }

  /** Index among the tokens of the file. */
  token(i: number): number {
    return this.rows[i * COLUMNS + TOKEN]!
  }

  start(i: number): number {
    return this.rows[i * COLUMNS + START]!
  }

  end(i: number): number {
    return this.rows[i * COLUMNS + END]!
  }

  lineStart(i: number): number {
    return Math.floor(this.lines(i) / 0x1000)
  }

  lineEnd(i: number): number {
    return this.lineStart(i) + (this.lines(i) % 0x1000)
  }

  decisions(i: number): number {
    return this.rows[i * COLUMNS + DECISIONS]!
  }

  private lines(i: number): number {
    return this.rows[i * COLUMNS + LINES]!
  }
}

const countsOf = (files: ReadonlyArray<string>, most: number): ReadonlyArray<number> => {
  let left = most
  return files.map((text) => {
    const count = Buffer.byteLength(text, "base64") / BYTES
    left -= count
    return left > 0 ? count : 0
  })
}
