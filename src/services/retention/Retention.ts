import { Cause, Clock, DateTime, Duration, Effect, Exit, Option } from "effect"
import { asSystem, withReach } from "../access/Reach.ts"
import { IdempotencyWindow } from "../jobs/IdempotencyWindow.ts"
import { JobRuns } from "../jobs/JobRuns.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import { type JobEnd, RetentionRepo } from "./RetentionRepo.ts"
import { RetentionSettings } from "./RetentionSettings.ts"

/** Rows that one transaction deletes. */
const batch = 2_000
/** Artifacts may have megabytes each, and an execution of the engine some ten rows. */
const heavyBatch = 200

const interval = Duration.hours(1)
/** How soon it is looked again whether a run is due: a process that is started often runs it all the same. */
const lookAgain = Duration.minutes(5)

const engineMemory = Duration.days(1)
const handoverMemory = Duration.days(7)
const linkMemory = Duration.days(1)
const sampleMemory = Duration.days(400)

interface Pass {
  readonly before: string
  /** Where the last run has ended, for kinds that go on from there. */
  readonly reached: string | null
  /** Each batch is reported, so that a failure does not lose what was deleted before it. */
  readonly onBatch: (deleted: number) => void
}

interface Kind {
  readonly name: string
  readonly keptFor: Duration.Duration | null
  readonly deleteAll: (pass: Pass) => Effect.Effect<unknown>
  readonly goesOn: boolean
}

const noJob = "00000000-0000-0000-0000-000000000000"
const beginning = "-infinity"

/**
 * Deletes what has been kept for as long as the settings say, a bounded batch at a time. One process of an installation
 * runs this at a time; two that did would skip each other's rows.
 */
export class Retention extends Effect.Service<Retention>()("Retention", {
  effect: Effect.gen(function* () {
    const repo = yield* RetentionRepo
    const runs = yield* JobRuns
    const notices = yield* NoticeWriter
    const settings = yield* RetentionSettings
    const idempotencyWindow = yield* IdempotencyWindow

    const oldest = (
      name: string,
      keptFor: Duration.Duration | null,
      most: number,
      deleteSome: (request: { readonly before: string; readonly most: number }) => Effect.Effect<number>
    ): Kind => ({
      name,
      keptFor,
      goesOn: false,
      deleteAll: ({ before, onBatch }) =>
        Effect.repeat(
          Effect.tap(deleteSome({ before, most }), (deleted) => Effect.sync(() => onBatch(deleted))),
          { while: (deleted) => deleted === most }
        )
    })

    const ofJobs = (
      name: string,
      keptFor: Duration.Duration | null,
      most: number,
      deleteSome: RetentionRepo["deleteEvents"]
    ): Kind => {
      const from = (after: JobEnd, pass: Pass): Effect.Effect<void> =>
        Effect.flatMap(
          deleteSome({ after, before: pass.before, most }),
          Option.match({
            onNone: () => Effect.void,
            onSome: ({ deleted, at, id }) => {
              pass.onBatch(deleted)
              // A full batch may have left rows of these jobs.
              return from(deleted === most ? after : { at, id }, pass)
            }
          })
        )
      return {
        name,
        keptFor,
        goesOn: true,
        deleteAll: (pass) => from({ at: pass.reached ?? beginning, id: noJob }, pass)
      }
    }

    const kinds: ReadonlyArray<Kind> = [
      ofJobs("events", settings.events, batch, repo.deleteEvents),
      ofJobs("handovers", handoverMemory, heavyBatch, repo.deleteHandovers),
      ofJobs("artifacts", settings.artifacts, heavyBatch, repo.deleteArtifacts),
      oldest("idempotency_keys", idempotencyWindow, batch, repo.deleteKeys),
      oldest("outbox", settings.outbox, batch, repo.deleteMails),
      oldest("audit_log", settings.auditLog, batch, repo.deleteRecords),
      oldest("sign_in_links", linkMemory, batch, repo.deleteLinks),
      oldest("sessions", Duration.zero, batch, repo.deleteSessions),
      oldest("executions", engineMemory, heavyBatch, runs.forget),
      oldest("storage_samples", sampleMemory, batch, repo.deleteSamples)
    ]

    const runKind = (kind: Kind, keptFor: Duration.Duration, reached: string | null) =>
      Effect.gen(function* () {
        const startedAt = yield* DateTime.now
        const before = DateTime.formatIso(DateTime.subtractDuration(startedAt, keptFor))
        let deleted = 0
        const exit = yield* Effect.exit(
          kind.deleteAll({
            before,
            reached,
            onBatch: (more) => {
              deleted += more
            }
          })
        )
        const ended = yield* Clock.currentTimeMillis
        yield* repo.remember({
          kind: kind.name,
          ended_at: DateTime.formatIso(DateTime.unsafeMake(ended)),
          took_ms: Math.max(0, ended - DateTime.toEpochMillis(startedAt)),
          deleted,
          ...outcomeOf(exit, kind, before)
        })
        yield* Exit.matchEffect(exit, {
          onFailure: (cause) => Effect.logWarning(`Retention of ${kind.name} failed.`, cause),
          onSuccess: () => Effect.void
        })
        if (deleted > 0) yield* Effect.logInfo(`Retention deleted ${deleted} rows of ${kind.name}.`)
      })

    /** Everything that is due now. A kind that fails does not keep the others. */
    const sweep = Effect.fn("Retention.sweep")(
      function* () {
        const last = new Map((yield* repo.runs).map((run) => [run.kind, run.reached]))
        yield* repo.sample(DateTime.formatIso(yield* DateTime.now))
        for (const kind of kinds) {
          if (kind.keptFor !== null) yield* runKind(kind, kind.keptFor, last.get(kind.name) ?? null)
        }
        yield* notices.forget()
      },
      asSystem,
      withReach
    )

    const isDue = Effect.gen(function* () {
      const ends = (yield* repo.runs).map(({ ended_at }) => Date.parse(ended_at))
      return Math.max(0, ...ends) <= (yield* Clock.currentTimeMillis) - Duration.toMillis(interval)
    })

    /** For ever: every hour, counted from what any process did last. */
    const loop = Effect.forever(
      Effect.delay(
        Effect.whenEffect(sweep(), isDue).pipe(
          Effect.catchAllCause((cause) => Effect.logWarning("Retention failed.", cause))
        ),
        lookAgain
      )
    )

    return { sweep, loop }
  })
}) {}

const outcomeOf = (exit: Exit.Exit<unknown>, { goesOn }: Kind, before: string) =>
  Exit.match(exit, {
    onFailure: (cause) => ({ reached: null, error: Cause.pretty(cause).slice(0, 500) }),
    onSuccess: () => ({ reached: goesOn ? before : null, error: null })
  })
