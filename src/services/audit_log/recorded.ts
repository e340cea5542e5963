import { Secrets } from "../../engine/index.ts"
import { charactersOf, startOf } from "../../schema/characters.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { canonicalJson } from "../support/ids.ts"
import { isRecord } from "../support/isRecord.ts"

/** Bytes of `before` and of `after`, as JSON. */
export const maxRecorded = 8192
/** Characters of one text that are kept, and of one that are searched for credentials. */
const maxText = 1000
const maxRedacted = 4 * maxText
const maxItems = 50

export interface Difference {
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

/**
 * Of two versions of an object the fields that differ, redacted and bounded; `null` when none does. Of an object that is
 * created or deleted, all fields.
 */
export const differenceOf = (before: object | null, after: object | null): Difference | null => {
  if (before === null || after === null) return { before: recorded(before), after: recorded(after) }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => canonicalJson(Reflect.get(before, name) ?? null) !== canonicalJson(Reflect.get(after, name) ?? null)
  )
  if (names.length === 0) return null
  const only = (fields: object) => Object.fromEntries(names.map((name) => [name, Reflect.get(fields, name) ?? null]))
  return { before: recorded(only(before)), after: recorded(only(after)) }
}

const recorded = (fields: object | null): JsonObject | null => {
  if (fields === null) return null
  const plain = redacted(fields)
  return isRecord(plain) ? bounded(plain) : null
}

const secretName = /password|secret|token|(?:^|_)hash$|private_key|csrf|cookie/i

/** As JSON, without what a field's name or its text shows to be secret; long texts and lists are shortened. */
const redacted = (value: unknown): unknown => {
  if (typeof value === "string") return shortText(value)
  if (Array.isArray(value)) return shortList(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name, item) ? "[redacted]" : redacted(item)])
  )
}

const isSecret = (name: string, value: unknown) =>
  secretName.test(name) && value !== null && value !== undefined && !["boolean", "number"].includes(typeof value)

/** The service's own keys and links; what other services issue is known to the engine. */
const ownSecrets = /\basy_[0-9A-Za-z]{38}|(?<=#(?:token|invitation)=)\w+/g

const shortText = (text: string): string => {
  const clean = Secrets.redactCredentials(startOf(text, maxRedacted)).replace(ownSecrets, "[redacted]")
  return clean.length <= maxText && text.length <= maxRedacted
    ? clean
    : `${startOf(clean, maxText)}… (${charactersOf(text)} characters)`
}

const shortList = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  items.length <= maxItems
    ? items.map(redacted)
    : [...items.slice(0, maxItems).map(redacted), `… (${items.length} items)`]

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "")

/** Leaves out the largest fields until the rest fits. */
const bounded = (fields: Readonly<Record<string, unknown>>): JsonObject => {
  let bytes = bytesOf(fields)
  if (bytes <= maxRecorded) return fields
  const result = { ...fields }
  const sizes = Object.entries(fields).map(([name, value]) => ({ name, size: bytesOf(value) }))
  for (const { name, size } of sizes.sort((a, b) => b.size - a.size)) {
    const note = `… (${size} bytes)`
    result[name] = note
    bytes += bytesOf(note) - size
    if (bytes <= maxRecorded) return result
  }
  return { left_out: `${sizes.length} fields` }
}
