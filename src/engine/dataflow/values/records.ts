import { isWhole, type Origin, type Value } from "./Value.ts"

const PREFIX = "record:"

/** Stands for the class of records among the owners of fields. */
export const recordOwner = (name: string): string => `${PREFIX}${name}`

/** The class that an owner of fields stands for; null when it is no class of records. */
export const recordName = (owner: string): string | null =>
  owner.startsWith(PREFIX) ? owner.slice(PREFIX.length) : null

/** Where a record as a whole was read from the store; null for other values. */
export const recordOrigin = (value: Value): Origin | null => {
  const origin = isWhole(value) && value.holes.length === 1 ? value.holes[0]!.origin : null
  return origin !== null && origin.property === "" && recordName(origin.path) !== null ? origin : null
}
