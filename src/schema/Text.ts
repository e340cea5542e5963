import { Option, Schema, SchemaAST } from "effect"
import { charactersOf } from "./characters.ts"

const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`

const sizeProblem = (size: number, min: number, max: number, noun: string): string | undefined =>
  size < min
    ? `must have at least ${counted(min, noun)}`
    : size > max
      ? `must have at most ${counted(max, noun)}`
      : undefined

/** Text of `min` to `max` characters. */
export const text = (min: number, max: number) =>
  Schema.String.pipe(
    // What is far too long is not counted.
    Schema.filter((s) => sizeProblem(s.length > 2 * max ? s.length : charactersOf(s), min, max, "character"))
  ).annotations({ jsonSchema: { type: "string", minLength: min, maxLength: max } })

const utf8 = new TextEncoder()

/** Text of at least `min` characters and at most `max` bytes of UTF-8. */
export const textWithin = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.filter((s) =>
      // What is far too long is not encoded.
      s.length > max || utf8.encode(s).length > max
        ? `must have at most ${max} bytes`
        : sizeProblem(charactersOf(s), min, max, "character")
    )
  ).annotations({ jsonSchema: { type: "string", ...(min > 0 ? { minLength: min } : {}), maxLength: max } })

/** Text of `min` to `max` characters that matches the whole pattern; `problem` says in words what it must be. */
export const patterned = (min: number, max: number, pattern: RegExp, problem: string) =>
  text(min, max)
    .pipe(Schema.filter((s) => (pattern.test(s) ? undefined : problem)))
    .annotations({ jsonSchema: { type: "string", minLength: min, maxLength: max, pattern: pattern.source } })

const MaxItems: unique symbol = Symbol.for("assay/schema/MaxItems")

/** A list of `min` to `max` items. */
export const list = <A, I, R>(item: Schema.Schema<A, I, R>, min: number, max: number) =>
  Schema.Array(item)
    .pipe(Schema.filter((items) => sizeProblem(items.length, min, max, "item")))
    .annotations({ jsonSchema: { ...(min > 0 ? { minItems: min } : {}), maxItems: max }, [MaxItems]: max })

/** The most items of a `list`: it can be rejected before any item is decoded. */
export const maxItemsOf = SchemaAST.getAnnotation<number>(MaxItems)

/** What a list with more items than it may have is rejected with. */
export const tooManyItems = (max: number): string => `must have at most ${counted(max, "item")}`

/** ISO 8601 UTC with milliseconds, as every timestamp on the wire. */
export const Instant = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })

// Without an offset it is UTC, not the server's local time.
const inUtc = (s: string) => (/[T ]/i.test(s) && !/(Z|[+-]\d\d:?\d\d)$/i.test(s) ? `${s}Z` : s)

// The years 1 to 9999: what PostgreSQL and ISO 8601 write in the same way.
const isInstant = (s: string) => {
  const at = Date.parse(inUtc(s))
  return at >= -62_135_596_800_000 && at <= 253_402_300_799_999
}

/** An ISO 8601 timestamp sent by a client, kept as ISO 8601 UTC with milliseconds. */
export const InstantInput = Schema.transform(
  Schema.String.pipe(
    Schema.filter((s) =>
      /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,30})?)?(Z|[+-]\d\d:?\d\d)?)?$/i.test(s) && isInstant(s)
        ? undefined
        : "must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z"
    )
  ).annotations({ jsonSchema: { type: "string", format: "date-time" } }),
  Schema.String,
  { decode: (s) => new Date(inUtc(s)).toISOString(), encode: (s) => s }
)

export const Uuid = Schema.String.pipe(
  Schema.filter((s) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(s) ? undefined : "must be a UUID"
  )
).annotations({ jsonSchema: { type: "string", format: "uuid" } })

/** A whole number between `min` and `max`, both included. */
export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  Schema.Number.pipe(
    Schema.filter((n) =>
      !Number.isInteger(n)
        ? "must be a whole number"
        : n < min
          ? `must be at least ${min}`
          : n > max
            ? `must be at most ${max}`
            : undefined
    )
  ).annotations({
    jsonSchema: { type: "integer", minimum: min, ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }) }
  })

/** With a description that documents keep: the library drops it where a schema defines its own JSON type. */
export const described = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  schema.annotations({
    description,
    jsonSchema: { ...Option.getOrElse(SchemaAST.getJSONSchemaAnnotation(schema.ast), () => ({})), description }
  })

export const Count = integer(0)

// Fields: the description is an annotation of the field, not of its type, so that it also holds where the type is a shared
// component. The OpenAPI document and the tools' arguments show it.

/** A field that is always there. */
export const field = <S extends Schema.Schema.All>(schema: S, description: string) =>
  Schema.propertySignature(schema).annotations({ description })

/** A field that is always there and may be null. */
export const nullable = <S extends Schema.Schema.All>(schema: S, description: string) =>
  field(Schema.NullOr(schema), description)

/** A field that may be left out, but not sent as `undefined`. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>, description?: string) =>
  Schema.optionalWith(schema, { exact: true }).annotations(description === undefined ? {} : { description })

/** A field that may be left out or null. */
export const optionalOrNull = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  optional(Schema.NullOr(schema), description)

/** Amounts and durations. */
export const Amount = Schema.Number.annotations({ jsonSchema: { type: "number" } })

/** An object whose keys the product does not fix. */
export type JsonObject = { readonly [key: string]: unknown }
// Not a record schema, which would decode each member to what it is.
export const JsonObject = Schema.Unknown.pipe(
  Schema.filter((u): u is JsonObject => typeof u === "object" && u !== null && !Array.isArray(u), {
    jsonSchema: { type: "object" }
  })
)

/** One of the given words; the message names them all. */
export const oneOf = <const Words extends readonly [string, ...Array<string>]>(...words: Words) =>
  Schema.Literal(...words).annotations({
    message: () => ({ message: `must be one of ${words.join(", ")}`, override: true }),
    jsonSchema: { type: "string", enum: [...words] }
  })

/** A query-string number. */
export const integerQuery = (min: number, max: number) =>
  Schema.transform(
    Schema.String.pipe(
      Schema.filter((s) => {
        if (!/^-?\d{1,15}$/.test(s)) return "must be a whole number"
        const n = Number(s)
        return n < min ? `must be at least ${min}` : n > max ? `must be at most ${max}` : undefined
      })
    ).annotations({ jsonSchema: { type: "integer", minimum: min, maximum: max } }),
    Schema.Number,
    { decode: Number, encode: String }
  )

export const booleanQuery = Schema.transform(
  Schema.String.pipe(
    Schema.filter((s) => (/^(true|false)$/.test(s) ? undefined : "must be true or false"))
  ).annotations({ jsonSchema: { type: "boolean" } }),
  Schema.Boolean,
  { decode: (s) => s === "true", encode: String }
)

/** Fifty of the longest IDs with their commas. */
export const longestList = 50 * 201 - 1

/**
 * Several values in one text, separated by commas; each once. `problem` says what each of them must be. The text is limited
 * and not the number of its values, which a pattern of the document cannot say without rejecting what was accepted.
 */
const commaSeparated = <A extends string>(item: (s: string) => s is A, problem: string, pattern: string) =>
  Schema.transform(
    patterned(1, longestList, new RegExp(`^${pattern}(,${pattern})*$`), problem),
    Schema.Array(Schema.String.pipe(Schema.filter(item))),
    { decode: (s) => [...new Set(s.split(","))], encode: (items) => items.join(",") }
  )

/** One or more of the given words, separated by commas. */
export const someOf = <const Words extends readonly [string, ...Array<string>]>(words: Words) =>
  commaSeparated(
    (s): s is Words[number] => words.includes(s),
    `must be one of ${words.join(", ")}`,
    `(${words.join("|")})`
  )

/** One or more IDs, separated by commas. */
export const someIds = commaSeparated(
  (s): s is string => /^[\w.-]{1,200}$/.test(s),
  "must be IDs separated by commas",
  "[\\w.-]{1,200}"
)
