import type { SqlError } from "@effect/sql"
import { Array, Effect, type Option, type ParseResult, Schema } from "effect"
import { checkOf } from "./rowCheck.ts"

/** A statement whose rows have no type yet. */
type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

type Decode<A> = (found: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<A>, ParseResult.ParseError>

const decoders = new WeakMap<object, Decode<never>>()

// Made at the first use of a schema: a repo's row schemas are constants of its file.
const decoderOf = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const known = decoders.get(schema.ast) as Decode<A> | undefined
  if (known !== undefined) return known
  const check = checkOf(schema.ast)
  const decode = Schema.decodeUnknown(Schema.Array(schema))
  const made: Decode<A> =
    check === null
      ? decode
      : // What passes needs no transformation; what does not is decoded for the message that says where.
        (found) => (found.every(check) ? Effect.succeed(found as ReadonlyArray<A>) : decode(found))
  decoders.set(schema.ast, made as Decode<never>)
  return made
}

/** All rows of a statement, through their schema. A failing database and a row that does not decode are defects. */
export const rows = <A, I>(schema: Schema.Schema<A, I>, statement: Statement): Effect.Effect<ReadonlyArray<A>> =>
  Effect.orDie(Effect.flatMap(statement, decoderOf(schema)))

/** The first row, where there is one. */
export const firstRow = <A, I>(schema: Schema.Schema<A, I>, statement: Statement): Effect.Effect<Option.Option<A>> =>
  Effect.map(rows(schema, statement), Array.head)

/** The row of a statement that always returns one. */
export const onlyRow = <A, I>(schema: Schema.Schema<A, I>, statement: Statement): Effect.Effect<A> =>
  Effect.orDie(Effect.flatten(firstRow(schema, statement)))

/** How many rows a statement returns, or with RETURNING wrote. */
export const countRows = (statement: Statement): Effect.Effect<number> =>
  Effect.map(Effect.orDie(statement), (found) => found.length)

/** Whether a statement returns, or with RETURNING wrote, anything. */
export const hasRow = (statement: Statement): Effect.Effect<boolean> =>
  Effect.map(countRows(statement), (count) => count > 0)

/** A statement without a result. */
export const run = (statement: Statement): Effect.Effect<void> => Effect.asVoid(Effect.orDie(statement))
