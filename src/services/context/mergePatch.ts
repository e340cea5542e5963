type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** JSON merge patch (RFC 7396): null removes a key, objects are merged, everything else replaces. */
export const mergePatch = (target: Json, patch: Json): Json => {
  const merged = new Map(Object.entries(target))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else if (isObject(value)) {
      const before = merged.get(key)
      merged.set(key, mergePatch(isObject(before) ? before : {}, value))
    } else merged.set(key, value)
  }
  // Unlike an assignment, this gives a key named __proto__ no other meaning.
  return Object.fromEntries(merged)
}
