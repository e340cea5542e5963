import { Buffer } from "node:buffer"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

// A text that holds one of these is read as escaped, so a plain name that looks like it must be escaped as well.
const escapeSequence = /\\\\|\\x[0-9a-f]{2}/

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

export interface PathText {
  readonly path: string
  /** The name is not UTF-8 (or looks like an escaped one): bytes appear as `\xff`, a backslash as `\\`. */
  readonly escaped: boolean
}

/** A file name as text. Two different names never give the same text, and `pathBytes` gives the name back. */
export const pathText = (bytes: Uint8Array): PathText => {
  const text = decoded(bytes)
  if (text !== undefined && !(text.includes("\\") && escapeSequence.test(text))) return { path: text, escaped: false }
  if (text !== undefined) return { path: text.replaceAll("\\", "\\\\"), escaped: true }
  let path = ""
  for (let at = 0; at < bytes.length; ) {
    const { character, length } = characterAt(bytes, at)
    path += character
    at += length
  }
  return { path, escaped: true }
}

const characterAt = (bytes: Uint8Array, at: number): { character: string; length: number } => {
  const byte = bytes[at] ?? 0
  if (byte === 0x5c) return { character: "\\\\", length: 1 }
  const length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
  const character = at + length <= bytes.length ? decoded(bytes.subarray(at, at + length)) : undefined
  return character === undefined
    ? { character: `\\x${byte.toString(16).padStart(2, "0")}`, length: 1 }
    : { character, length }
}

/** The name on disk of a path made by `pathText`. */
export const pathBytes = (path: string): Buffer => {
  if (!path.includes("\\") || !escapeSequence.test(path)) return Buffer.from(path)
  const parts: Array<Buffer> = []
  for (const part of path.match(/\\\\|\\x[0-9a-f]{2}|[^\\]+|\\/g) ?? []) {
    if (part === "\\\\") parts.push(Buffer.from("\\"))
    else if (part.length === 4 && part.startsWith("\\x")) parts.push(Buffer.from(part.slice(2), "hex"))
    else parts.push(Buffer.from(part))
  }
  return Buffer.concat(parts)
}
