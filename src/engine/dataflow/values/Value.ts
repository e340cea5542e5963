/** In the text of a value: a place filled with something tainted, and one filled with something unknown but clean. */
export const HOLE = "\u0000"
export const GAP = "\u0001"

export const MAX_TEXT = 4_000
const MAX_HOLES = 100
const MAX_TAINTS = 12
const MAX_TRAIL = 8

/** Kinds of sinks as bits: a sanitiser takes some of them off a taint. */
export const SQL = 1
export const COMMAND = 2
export const NOSQL = 4
/** Text that one shell word is made of, as opposed to a whole command line. */
export const ARGUMENT = 8
/** Name of a file or folder. */
export const PATH = 16
export const URL = 32
/** Source code that is run. */
export const CODE = 64
/** Source of a template, as opposed to what is put into one. */
export const TEMPLATE = 128
/** Serialised objects that say which classes they are made of. */
export const OBJECT = 256
export const HTML = 512
export const REDIRECT = 1024
export const LOG = 2048
export const XML = 4096
/** Not a sink: a path whose dots are resolved, so that where it begins says where it leads. */
export const RESOLVED = 8192
export const XPATH = 1 << 14
/** Filter of a search in a directory (LDAP). */
export const LDAP = 1 << 15
/** Attribute of a session, which other code trusts. */
export const SESSION = 1 << 16
/** Not a sink: a part that was cut out of what the source gives, whose kind and beginning say nothing of it. */
export const CUT = 1 << 28
/** Not a sink: a path that begins with a part which the code chose. */
export const JOINED = 1 << 29
export const ALL_KINDS = 0x3fffffff

/** Key of the field that holds what an object has under any name it does not say: what was spread into a literal. */
export const SPREAD = "..."

/** Stand for the position of a parameter in origins that are none. */
export const SOURCE = -1
export const RESULT = -2
export const FIELD = -3

export interface Origin {
  /**
   * A source is untrusted as it is; a parameter is as good as the callers of its function, a result as what the called
   * function of another file returns, a field as what the methods of its class write to it.
   */
  readonly kind: "source" | "parameter" | "result" | "field"
  readonly start: number
  readonly end: number
  /** As the code spells it: `req.query.name`. */
  readonly name: string
  /**
   * Access path of a source: "http:request.body"; of a parameter, its declared type or ""; of a result, the access path
   * of what was called; of a field, its class.
   */
  readonly path: string
  /** Position of the parameter; SOURCE, RESULT or FIELD for what is none. */
  readonly index: number
  /** Which part of the parameter, result or object: "" for all of it, or `filter.name`. */
  readonly property: string
}

export interface Trail {
  readonly start: number
  readonly end: number
  readonly note: string
  readonly before: Trail | null
  readonly length: number
}

export interface Taint {
  readonly origin: Origin
  readonly trail: Trail | null
  /** Kinds of sinks this is harmless to. */
  readonly safe: number
}

/** The variables around a function or a closure, as far as those inside it read and write them. */
export interface EnclosingScope {
  readonly outer: EnclosingScope | null
  readonly all: ReadonlyMap<string, Value>
  /** After return, throw, break or continue: nothing below runs on this path. */
  dead: boolean
  get(name: string): Value | undefined
  /** Adds to what the scope that has the variable already may hold. */
  addWhereKnown(name: string, value: Value): void
  /** Number of (name, origin) pairs: loops stop when it no longer grows. */
  weight(): number
  /** What this path knows of a collection's elements; undefined when it does not know them. */
  elementsOf(contents: Contents): Elements | undefined
}

/** All elements of a collection after the writes of one path, as long as nothing else wrote to it. */
export interface Elements {
  readonly version: number
  readonly isList: boolean
  /** By key, or by position. */
  readonly items: ReadonlyMap<string, Value>
}

/** A function, for calls through a variable; a closure comes with the scope it was created in. */
export interface Callable {
  readonly node: number
  readonly scope: EnclosingScope | null
}

/** A value that folding decides conditions by; chars are texts of one character. */
export type Constant = string | number | boolean | null

/** Fields of a collection; every write counts, so that what a path knows of the elements can be distinguished from older states. */
export class Contents extends Map<string, Value> {
  /** NaN once the collection is also held under another identity: nothing equals it from there on. */
  version = 0
}

/**
 * What is known of a value: its text as far as the code builds it (with a hole per tainted part), and what taints it
 * without a known place in the text. Values are shared by reference, so `fields` behaves as an object's contents do.
 */
export interface Value {
  readonly text: string
  readonly holes: ReadonlyArray<Taint>
  readonly rest: ReadonlyArray<Taint>
  /** Access path: `pg.Pool`, `http:request.query`, a declared type; null when nothing is known. */
  readonly type: string | null
  readonly callable: Callable | null
  /** Contents of an object or collection; "*" stands for elements without a known name. */
  fields: Map<string, Value> | null
  /** Only where every path and every write of the variable agree on it. */
  readonly constant?: Constant | undefined
}

const none: ReadonlyArray<Taint> = []

export const unknown = (type: string | null = null): Value => ({
  text: GAP,
  holes: none,
  rest: none,
  type,
  callable: null,
  fields: null
})

export const literal = (text: string): Value => ({
  text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}${GAP}` : text.replaceAll(HOLE, " "),
  holes: none,
  rest: none,
  type: null,
  callable: null,
  fields: null,
  constant: text.length > MAX_TEXT ? undefined : text
})

/** A value of which nothing but the constant is known, such as the outcome of a comparison. */
export const constantValue = (constant: Constant, type: string | null = null): Value => ({
  ...literal(typeof constant === "string" ? constant : String(constant)),
  type,
  constant
})

export const withoutConstant = (value: Value): Value =>
  value.constant === undefined ? value : { ...value, constant: undefined }

export const collection = (type = "collection"): Value => ({ ...unknown(type), fields: new Contents() })

export const tainted = (taint: Taint, type: string | null = null): Value => ({
  text: HOLE,
  holes: [taint],
  rest: none,
  type,
  callable: null,
  fields: null
})

export const isTainted = (value: Value): boolean => value.holes.length > 0 || value.rest.length > 0

/** Known through and through: a literal, or literals put together. */
export const isLiteral = (value: Value): boolean =>
  !isTainted(value) && value.fields === null && !value.text.includes(GAP)

/** Exactly one tainted thing with nothing around it. */
export const isWhole = (value: Value): boolean => value.text === HOLE

export const taintsOf = (value: Value): ReadonlyArray<Taint> =>
  value.rest.length === 0 ? value.holes : value.holes.length === 0 ? value.rest : [...value.holes, ...value.rest]

/** Everything inside, contents of collections included. */
export const deepTaintsOf = (value: Value, depth = 4): ReadonlyArray<Taint> => {
  if (value.fields === null || value.fields.size === 0 || depth === 0) return taintsOf(value)
  const found = [...taintsOf(value)]
  for (const field of value.fields.values()) found.push(...deepTaintsOf(field, depth - 1))
  return uniqueTaints(found)
}

export const uniqueTaints = (taints: ReadonlyArray<Taint>): ReadonlyArray<Taint> => {
  const known: Array<Taint> = []
  for (const taint of taints) {
    const at = known.findIndex((other) => other.origin === taint.origin)
    // The less harmless of two ways a source arrives counts.
    if (at < 0) known.push(taint)
    else if ((known[at]!.safe & taint.safe) !== known[at]!.safe) {
      known[at] = { ...known[at]!, safe: known[at]!.safe & taint.safe }
    }
    if (known.length >= MAX_TAINTS) break
  }
  return known
}

/** A value whose parts no longer have a place: what an unknown but faithful function makes of its arguments. */
export const blend = (values: ReadonlyArray<Value>, type: string | null = null): Value => {
  const taints = uniqueTaints(values.flatMap((value) => deepTaintsOf(value)))
  const first = taints[0]
  return first === undefined
    ? unknown(type)
    : { text: HOLE, holes: [first], rest: taints.slice(1), type, callable: null, fields: null }
}

const isText = (constant: Constant | undefined): boolean =>
  typeof constant === "string" || (typeof constant === "number" && Number.isSafeInteger(constant))

export const concat = (left: Value, right: Value): Value => {
  const isLong = left.text.length + right.text.length > MAX_TEXT
  if (isLong || left.holes.length + right.holes.length > MAX_HOLES) {
    const taints = uniqueTaints([...deepTaintsOf(left), ...deepTaintsOf(right)])
    const head = left.text.slice(0, MAX_TEXT)
    return { ...unknown(), text: head.replaceAll(HOLE, GAP) + GAP, rest: taints }
  }
  const loose = [...left.rest, ...right.rest]
  const a = left.holes.length === 0 && left.fields !== null ? blend([left]) : left
  const b = right.holes.length === 0 && right.fields !== null ? blend([right]) : right
  return {
    text: a.text + b.text,
    holes: a.holes.length === 0 ? b.holes : b.holes.length === 0 ? a.holes : [...a.holes, ...b.holes],
    rest: loose.length === 0 ? none : uniqueTaints(loose),
    type: null,
    callable: null,
    fields: null,
    constant: isText(a.constant) && isText(b.constant) ? `${a.constant}${b.constant}` : undefined
  }
}

const richer = (a: Value, b: Value): Value =>
  b.holes.length > a.holes.length || (b.holes.length === a.holes.length && score(b.text) > score(a.text)) ? b : a

/** Text that is known beats a gap. */
const score = (text: string): number => (text === GAP ? -1 : text.length)

/** What a value that is untrusted as a whole holds under any name. */
const anyPart = (value: Value): Value | null => {
  const [first, ...rest] = taintsOf(value)
  return first === undefined ? null : { ...unknown(), text: HOLE, holes: [first], rest }
}

const mergeFields = (a: Value, b: Value): Map<string, Value> | null => {
  if (a.fields === b.fields || (b.fields === null && !isTainted(b))) return a.fields
  if (a.fields === null && !isTainted(a)) return b.fields
  for (const one of [a.fields, b.fields]) if (one instanceof Contents) one.version = Number.NaN
  const merged = new Contents()
  merged.version = Number.NaN
  addFields(merged, a, b)
  addFields(merged, b, a)
  return merged
}

/** The fields of one of two values that are joined, each with what the other holds under its name. */
const addFields = (merged: Map<string, Value>, { fields }: Value, other: Value): void => {
  if (fields === null) return
  const elsewhere = anyPart(other)
  for (const [name, value] of fields) {
    const known = merged.get(name)
    if (known !== undefined) merged.set(name, join(known, value))
    else merged.set(name, elsewhere === null || other.fields?.has(name) === true ? value : join(value, elsewhere))
  }
}

let joining = 0

/** What either of two paths may have left. Nothing is taken for constant because one path says so. */
export const join = (a: Value, b: Value): Value => {
  if (a === b) return a
  if (joining > 6) return withoutConstant(a)
  joining++
  try {
    const main = richer(a, b)
    const other = main === a ? b : a
    const loose = [...main.rest, ...taintsOf(other)].filter(
      (taint) => !main.holes.some((hole) => hole.origin === taint.origin && (hole.safe & ~taint.safe) === 0)
    )
    return {
      text: main.text,
      holes: main.holes,
      rest: loose.length === 0 ? none : uniqueTaints(loose),
      type: a.type ?? b.type,
      callable: a.callable ?? b.callable,
      fields: mergeFields(a, b),
      constant: a.constant === b.constant ? a.constant : undefined
    }
  } finally {
    joining--
  }
}

/** What is untrusted here and now, or wherever a caller makes it so; results and fields are known to the join only. */
export const isCarried = ({ origin }: Taint): boolean => origin.kind === "source" || origin.kind === "parameter"

/** Same parameter, or a source read at the same place, whichever part of it. */
const sameInput = (a: Origin, b: Origin): boolean => {
  if (a === b || a.kind !== b.kind) return a === b
  if (a.kind === "parameter") return a.index === b.index
  return a.kind === "field" ? a.path === b.path && a.property === b.property : a.start === b.start
}

/** A value that holds any of these inputs, after a check that makes them harmless to some kinds of sinks. */
export const checked = (value: Value, inputs: ReadonlyArray<Taint>, kinds: number, depth = 3): Value => {
  const isOne = (taint: Taint) => inputs.some(({ origin }) => sameInput(origin, taint.origin))
  const inner = value.fields === null || depth === 0 ? value.fields : new Map(value.fields)
  let changed = taintsOf(value).some(isOne)
  if (inner !== null && depth > 0) {
    for (const [name, field] of inner) {
      const after = checked(field, inputs, kinds, depth - 1)
      if (after !== field) changed = true
      inner.set(name, after)
    }
  }
  if (!changed) return value
  const after = mapTaints(value, (taint) => (isOne(taint) ? { ...taint, safe: taint.safe | kinds } : taint))
  return { ...after, fields: inner }
}

export const mapTaints = (value: Value, change: (taint: Taint) => Taint): Value =>
  isTainted(value) ? { ...value, holes: value.holes.map(change), rest: value.rest.map(change) } : value

/** The same value after a sanitiser for these kinds of sinks; harmless to all kinds means not tainted. */
export const sanitised = (value: Value, kinds: number): Value => {
  if (kinds === ALL_KINDS) return unknown("clean")
  return mapTaints(value.fields === null ? value : blend([value]), (taint) => ({ ...taint, safe: taint.safe | kinds }))
}

export const withStep = (value: Value, start: number, end: number, note: string): Value =>
  mapTaints(value, (taint) => extended(taint, start, end, note))

export const extended = (taint: Taint, start: number, end: number, note: string): Taint => {
  const before = taint.trail
  if (start === taint.origin.start || (before !== null && before.length >= MAX_TRAIL)) return taint
  // A loop passes the same places again.
  for (let at = before; at !== null; at = at.before) if (at.start === start) return taint
  return { ...taint, trail: { start, end, note, before, length: (before?.length ?? 0) + 1 } }
}

/** The steps of one taint after those of another: what a function did with what it was given. */
export const follow = (taint: Taint, after: Taint): Taint =>
  trailOf(after).reduce((at, step) => extended(at, step.start, step.end, step.note), taint)

export const withType = (value: Value, type: string | null): Value => (value.type === type ? value : { ...value, type })

/** Source first. */
export const trailOf = (taint: Taint): ReadonlyArray<Trail> => {
  const steps: Array<Trail> = []
  for (let at = taint.trail; at !== null; at = at.before) steps.push(at)
  return steps.reverse()
}
