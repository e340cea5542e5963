import { escape as escapeRegExp } from "effect/RegExp"

/** Properties that name one item among others, best first. */
const identifying = ["id", "_id", "uuid", "guid", "key"]

/** `order.id`, where the code of the element reads it: what the author takes for the item's identity. */
export const itemKey = (code: string, item: string): string | null => {
  const escaped = escapeRegExp(item)
  const property = identifying.find((name) => new RegExp(`(?<![\\w$.])${escaped}\\.${name}(?![\\w$(])`).test(code))
  return property === undefined ? null : `${item}.${property}`
}
