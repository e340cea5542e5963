export type Suite = "standard" | "full"

/** Recognises a value; `expected` says in words which ones. */
export interface Decoder<A> {
  readonly expected: string
  readonly accepts: (value: unknown) => value is A
}

export type Fields = Readonly<Record<string, Decoder<unknown>>>

export type Decoded<F extends Fields> = {
  readonly [Name in keyof F]?: F[Name] extends Decoder<infer A> ? A : never
}

export const text: Decoder<string> = {
  expected: "a text",
  accepts: (value): value is string => typeof value === "string"
}

export const texts: Decoder<ReadonlyArray<string>> = {
  expected: "a list of texts",
  accepts: (value): value is ReadonlyArray<string> => Array.isArray(value) && value.every(text.accepts)
}

const flag: Decoder<boolean> = {
  expected: "true or false",
  accepts: (value): value is boolean => typeof value === "boolean"
}

export const positive: Decoder<number> = {
  expected: "a number above 0",
  accepts: (value): value is number => typeof value === "number" && value > 0
}

const count: Decoder<number> = {
  expected: "a whole number above 0",
  accepts: (value): value is number => positive.accepts(value) && Number.isInteger(value)
}

/** What one scan is asked for. */
const scopeFields = {
  /** Also report suggestions. Default false. */
  suggestions: flag,
  /** Files whose status the result must name: those of open observations. */
  watch: texts,
  /** Files whose findings are reported one by one, however many they are. */
  focus: texts,
  /** Tools and rules that the workspace does not want to hear of: their findings are counted, not reported. */
  rulesOff: texts,
  /** Tools and rules that are reported although they are off by default. */
  rulesOn: texts,
  /** Tools and rules that are asked for. Others run only where what these report depends on them. Default: all. */
  only: texts,
  /** Signatures of findings that are known: "located primary". They are counted, not reported. */
  baseline: texts,
  /** Leaves the cache as it is, unless nothing in it is of use. */
  spareCache: flag,
  /** Runs the rules of every finding a second time. Otherwise only those of files that changed since they were read. */
  rerunRules: flag
} satisfies Fields

/** What every scan of an installation is given. */
const installationFields = {
  /** Threads. Default: as many as there are processors, at most 4. */
  workers: count,
  /** Mixed into the digests of secrets, so that they cannot be looked up: one value per installation. */
  salt: text,
  /** Folder in which one scan of this repository leaves what the next one need not find out again. */
  cache: text,
  /** Folder of imported advisories. Default: the built-in list alone. */
  advisories: text
} satisfies Fields

export interface ScanScope extends Decoded<typeof scopeFields> {
  readonly suite: Suite
}

/** All settings of a scan: named here, once, with the decoders from which their types follow. */
export interface ScanSettings extends ScanScope, Decoded<typeof installationFields> {}

export const decodeFields = <F extends Fields>(fields: F, record: Readonly<Record<string, unknown>>): Decoded<F> => {
  const given = Object.entries(fields).filter(([name]) => record[name] !== undefined)
  for (const [name, { accepts, expected }] of given) {
    if (!accepts(record[name])) throw new TypeError(`"${name}" must be ${expected}.`)
  }
  // Every value was accepted by its decoder; the names are lost on the way through entries.
  return Object.fromEntries(given.map(([name]) => [name, record[name]])) as Decoded<F>
}

/** By hand: a schema library takes longer to load than a small scan takes (docs/adr/0006). */
export const decodeSettings = (record: Readonly<Record<string, unknown>>): ScanSettings => {
  const { suite } = record
  if (suite !== "standard" && suite !== "full") throw new TypeError('"suite" must be "standard" or "full".')
  return { suite, ...decodeFields({ ...scopeFields, ...installationFields }, record) }
}
