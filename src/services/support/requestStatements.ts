import { Statement } from "@effect/sql"
import { Effect, FiberRef, Option } from "effect"

/** Begins the text of a statement that a caller waits for; the pool bounds how long, and takes the mark off. */
export const requestMark = "/* request */"

/** The statements of this are waited for as long as a caller should wait. Statements of jobs may take their time. */
export const withRequestStatements: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Statement.withTransformer((statement, sql) => Effect.succeed(sql`${sql.literal(requestMark)}${statement}`))

/** For the few statements of requests whose time grows with what they delete. */
export const withLongStatements = Statement.withTransformerDisabled

export const isRequest = Effect.map(FiberRef.get(Statement.currentTransformer), Option.isSome)
