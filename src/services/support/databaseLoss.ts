import { Cause, Chunk, Effect, Schedule } from "effect"
import { isDiskFull } from "../../engine/index.ts"

// Connection exceptions, shut-downs, too many connections; serialization failures and deadlocks, which go away as well.
const passingStates = /^(08...|57P0[1-5]|53300|40001|40P01)$/
const passingErrors = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/
const passingMessages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/i

const isPassing = (u: unknown): boolean => {
  if (typeof u !== "object" || u === null) return false
  if ("_tag" in u && u._tag === "SqlError" && "cause" in u) return isPassing(u.cause)
  const { code, message } = u as { readonly code?: unknown; readonly message?: unknown }
  return (
    (typeof code === "string" && (passingStates.test(code) || passingErrors.test(code))) ||
    (typeof message === "string" && passingMessages.test(message))
  )
}

/** Whether this is a database that is away or asks to try again, rather than a bug. */
export const isDatabaseLoss = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), isPassing) || Chunk.some(Cause.failures(cause), isPassing)

const patience = Schedule.exponential("200 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.intersect(Schedule.recurUpTo("5 minutes"))
)

const surviving =
  (isPassing: (cause: Cause.Cause<unknown>) => boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.sandbox,
      Effect.retry({ while: isPassing, schedule: patience }),
      Effect.catchAll(Effect.failCause)
    )

/** Waits up to five minutes for the database to come back: a job should not fail because it restarted. */
export const survivingDatabaseLoss = surviving(isDatabaseLoss)

/** Whether anything failed because there is no room on a disk, the database's or ours. */
export const isCausedByFullDisk = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), isDiskFull) || Chunk.some(Cause.failures(cause), isDiskFull)

/** As `survivingDatabaseLoss`, for what must be written in the end: waits for room on the disk, too. */
export const survivingFullDisk = surviving((cause) => isDatabaseLoss(cause) || isCausedByFullDisk(cause))

/** For what is not worth a failure: a database that is away is passed over. */
export const ignoringDatabaseLoss = <E, R>(effect: Effect.Effect<unknown, E, R>): Effect.Effect<void, E, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchAllCause((cause) => (isDatabaseLoss(cause) ? Effect.void : Effect.failCause(cause)))
  )
