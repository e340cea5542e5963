import { Data, Effect } from "effect"

/** Why the embedded database did not start. `pid` is the process to look at, where there is one. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly reason: "already_running" | "unsupported_platform" | "no_account" | "unreachable" | "data" | "failed"
  readonly message: string
  readonly pid?: number
  readonly cause?: unknown
}> {}

/** Runs blocking file work of the start-up; a failure says what was being done. */
export const attempt = <A>(what: string, run: () => A): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({
            reason: "data",
            message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
            cause
          })
  })
