import { SqlClient } from "@effect/sql"
import { Context, Data, Deferred, Effect, Layer, Schedule } from "effect"

/**
 * `single`: one process runs all jobs. `cluster`: any number of workers share them. Mixed on one database, both would
 * believe that they own the same jobs.
 */
export type EngineMode = "single" | "cluster"

/** Another process runs the jobs of this database in a way that excludes this one. */
export class EngineTaken extends Data.TaggedError("EngineTaken")<{ readonly message: string }> {}

const takenMessages: Record<EngineMode, string> = {
  single:
    "Another process runs the jobs of this database already. Stop it, or start all of them as workers (serve --role worker).",
  cluster:
    "A process that runs all jobs by itself uses this database. Stop it before starting workers, or start it as a worker, too."
}

const lockId = "hashtextextended('assay/engine', 0)"
// A predecessor that was killed keeps its connection until the database notices, which on a busy machine, or behind the
// statement that it was sent last, takes its time.
const patience = Schedule.intersect(Schedule.spaced("250 millis"), Schedule.recurUpTo("30 seconds"))
const pulse = "5 seconds"

/** Exit status from which a supervisor should start the process again. */
const restartStatus = 70

/** How a process ends itself; tests replace it. */
export class EndProcess extends Context.Reference<EndProcess>()("EndProcess", {
  defaultValue: () => (status: number) => Effect.sync((): void => process.exit(status))
}) {}

/** Ends a process whose hold on its jobs cannot be trusted any more. */
export const giveUp = (reason: string) =>
  Effect.zipRight(
    Effect.logFatal(reason),
    Effect.flatMap(EndProcess, (end) => end(restartStatus))
  )

/** Holds the mode's lock on a connection of its own for as long as the layer lives; refuses to start without it. */
export const layer = (mode: EngineMode) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* Deferred.make<void, EngineTaken>()
      const statement = `SELECT pg_try_advisory_lock${mode === "cluster" ? "_shared" : ""}(${lockId}) AS taken`

      const hold = Effect.gen(function* () {
        const connection = yield* sql.reserve
        yield* connection.execute(statement, [], undefined).pipe(
          Effect.filterOrFail(
            (rows) => (rows[0] as { readonly taken: boolean }).taken,
            () => new EngineTaken({ message: takenMessages[mode] })
          ),
          Effect.retry({ schedule: patience, while: (error) => error._tag === "EngineTaken" })
        )
        yield* Deferred.succeed(held, undefined)
        return yield* Effect.forever(Effect.delay(connection.execute("SELECT 1", [], undefined), pulse)).pipe(
          // Pooled connections outlive their users, and session locks with them.
          Effect.ensuring(
            connection
              .execute("SELECT pg_advisory_unlock_all()", [], undefined)
              .pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
          )
        )
      }).pipe(Effect.scoped)

      const keepHeld = hold.pipe(
        Effect.catchTag("EngineTaken", (error) =>
          Effect.zipRight(Deferred.fail(held, error), giveUpUnlessStarting(held, error))
        ),
        Effect.catchTag("SqlError", (error) =>
          Effect.zipRight(
            Effect.logWarning("The job engine's lock lost its connection.", error),
            Effect.sleep("1 second")
          )
        ),
        Effect.forever
      )
      yield* Effect.forkScoped(keepHeld)
      yield* Deferred.await(held)
    })
  )

// While starting, the layer's own failure is the report; later, another process took over and would repeat our work.
const giveUpUnlessStarting = (held: Deferred.Deferred<void, EngineTaken>, error: EngineTaken) =>
  Deferred.await(held).pipe(
    Effect.matchEffect({ onFailure: () => Effect.never, onSuccess: () => giveUp(error.message) })
  )
