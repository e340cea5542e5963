import { Buffer } from "node:buffer"
import type { SourceFile } from "../../core/files/SourceFile.ts"

const word = /[A-Za-z_$\x80-\uffff][\w$\x80-\uffff]*/g

const compute = (file: SourceFile): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  // Texts alone: as many match objects would cost several times as much.
  for (const found of file.text.match(word) ?? []) counts.set(found, (counts.get(found) ?? 0) + 1)
  return counts
}

/** How often each word occurs in the text of a file: code, strings and comments alike. */
export const wordCounts = (file: SourceFile): ReadonlyMap<string, number> => file.memo(compute, compute)

/** The same of a piece of text, with the place of the last. */
export const countsIn = (text: string): ReadonlyMap<string, { readonly count: number; readonly last: number }> => {
  const counts = new Map<string, { readonly count: number; readonly last: number }>()
  for (const { 0: found, index } of text.matchAll(word))
    counts.set(found, { count: (counts.get(found)?.count ?? 0) + 1, last: index })
  return counts
}

export const hashOfWord = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const MAX_WORDS = 20_000
/** Shorter words are in nearly every file. */
const MIN_WORD_LENGTH = 3

/** Whether `encodeWords` keeps a word: of any other, nothing is known about other files. */
export const isKept = (name: string): boolean => name.length >= MIN_WORD_LENGTH || name.startsWith("_")

/** The words of a file as one short text. */
export const encodeWords = (file: SourceFile): string => {
  const hashes: Array<number> = []
  for (const found of wordCounts(file).keys()) {
    if (isKept(found)) hashes.push(hashOfWord(found))
    if (hashes.length >= MAX_WORDS) break
  }
  return Buffer.from(Uint32Array.from(hashes).sort().buffer).toString("base64")
}

const decodeWords = (encoded: string): Uint32Array => {
  const bytes = Buffer.from(encoded, "base64")
  const hashes = new Uint32Array(bytes.length >> 2)
  new Uint8Array(hashes.buffer).set(bytes)
  return hashes
}

/** Whether words are among those of any of several files, each as `encodeWords` gave it. */
export const wordsOfAll = (encoded: ReadonlyArray<string>): { readonly has: (name: string) => boolean } => {
  const all = new Set<number>()
  for (const one of encoded) for (const hash of decodeWords(one)) all.add(hash)
  return { has: (name) => all.has(hashOfWord(name)) }
}

/** Whether words are among those of `encodeWords`; now and then another word is taken for one. */
export class KnownWords {
  private readonly hashes: Uint32Array

  constructor(encoded: string) {
    this.hashes = decodeWords(encoded)
  }

  has(name: string): boolean {
    const target = hashOfWord(name)
    let low = 0
    let high = this.hashes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.hashes[middle]! < target) low = middle + 1
      else high = middle
    }
    return this.hashes[low] === target
  }
}
