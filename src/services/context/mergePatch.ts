import { isRecord } from "../support/isRecord.ts"

type Json = Readonly<Record<string, unknown>>

/** JSON merge patch (RFC 7396): null removes a key, objects are merged, everything else replaces. */
export const mergePatch = (target: Json, patch: Json): Json => {
  const merged = new Map(Object.entries(target))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else if (isRecord(value)) {
      const before = merged.get(key)
      merged.set(key, mergePatch(isRecord(before) ? before : {}, value))
    } else merged.set(key, value)
  }
  // Unlike an assignment, this gives a key named __proto__ no other meaning.
  return Object.fromEntries(merged)
}
