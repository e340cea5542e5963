import {
  blend,
  deepTaintsOf,
  follow,
  GAP,
  HOLE,
  isTainted,
  MAX_TEXT,
  mapTaints,
  type Origin,
  sanitised,
  type Taint,
  uniqueTaints,
  unknown,
  type Value
} from "./Value.ts"

/** What a caller gives for an origin; null when it gives nothing for it. */
type Given = (origin: Origin) => Value | null

/** What is given for the parameter that a taint comes from, after what the function did with it; null for other taints. */
const replacement = (taint: Taint, given: Given): Value | null => {
  if (taint.origin.kind !== "parameter") return null
  const by = given(taint.origin)
  if (by === null) return unknown()
  const passed = mapTaints(by, (held) => follow(held, taint))
  return taint.safe === 0 ? passed : sanitised(passed, taint.safe)
}

/** A value being put together from pieces of text and what fills its holes. */
interface Substitution {
  text: string
  readonly holes: Array<Taint>
  readonly rest: Array<Taint>
}

const fillHole = (into: Substitution, taint: Taint | undefined, given: Given): void => {
  if (taint === undefined) {
    into.text += GAP
    return
  }
  const by = replacement(taint, given)
  if (by === null) {
    into.holes.push(taint)
    into.text += HOLE
    return
  }
  const flat = by.fields === null ? by : blend([by])
  into.holes.push(...flat.holes)
  into.rest.push(...flat.rest)
  into.text += flat.text
}

/** Replace what came from parameters by the values given for them. */
export const substitute = (value: Value, given: Given, depth = 4): Value => {
  const fields = value.fields
  const inner =
    fields === null || depth === 0
      ? null
      : new Map([...fields].map(([name, field]) => [name, substitute(field, given, depth - 1)] as const))
  if (!isTainted(value)) return inner === null ? value : { ...value, fields: inner }
  const made: Substitution = { text: "", holes: [], rest: [] }
  let hole = 0
  for (const piece of value.text.split(/([\u0000])/)) {
    if (piece === HOLE) fillHole(made, value.holes[hole++], given)
    else made.text += piece
  }
  for (const taint of value.rest) {
    const by = replacement(taint, given)
    if (by === null) made.rest.push(taint)
    else made.rest.push(...deepTaintsOf(by))
  }
  return {
    ...value,
    text: made.text.slice(0, MAX_TEXT),
    holes: made.holes,
    rest: uniqueTaints(made.rest),
    fields: inner
  }
}
