import { createHash, randomBytes } from "node:crypto"
import { Effect, Schema } from "effect"
import { v7 } from "uuid"

/** A UUIDv7 as an id of a kind: sorts by the time it was made. */
export const newId = <Id extends string>(kind: Schema.Schema<Id, string>): Effect.Effect<Id> =>
  Effect.sync(() => Schema.decodeSync(kind)(v7()))

export const sha256 = (text: string | Uint8Array): Buffer => createHash("sha256").update(text).digest()
export const sha256Hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex")

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `length` characters drawn evenly from 0-9A-Za-z. */
export const randomBase62 = (length: number): string => {
  let out = ""
  while (out.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 * 62: bytes above would favour the first characters.
      if (byte < 248 && out.length < length) out += base62[byte % 62]
    }
  }
  return out
}

export const toBase62 = (n: number, length: number): string => {
  let out = ""
  for (let rest = n; out.length < length; rest = Math.floor(rest / 62)) out = base62[rest % 62] + out
  return out
}

/** JSON with sorted keys: equal values give equal text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, v) =>
    v !== null && typeof v === "object" && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : v
  )
