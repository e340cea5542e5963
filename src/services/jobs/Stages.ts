import { randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { SqlClient } from "@effect/sql"
import { Cause, Effect, Exit, Option, Schedule, Stream } from "effect"
import { withinWorkspace, withReach } from "../access/Reach.ts"
import { Notifications } from "../ports/Notifications.ts"
import {
  type JobCancelled,
  type RunningJob,
  type Stage,
  StageFailed,
  type StageOutput,
  type StageStopped,
  Superseded,
  type Workflow
} from "../ports/Workflow.ts"
import { Workflows } from "../ports/Workflows.ts"
import {
  isCausedByFullDisk,
  isDatabaseLoss,
  survivingDatabaseLoss,
  survivingFullDisk
} from "../support/databaseLoss.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { channels, JobEventsRepo } from "./JobEventsRepo.ts"
import { JobLimits } from "./JobLimits.ts"
import type { JobRun } from "./JobRuns.ts"
import { JobsRepo } from "./JobsRepo.ts"
import { recordJob, withStageSpan } from "./jobTrace.ts"
import { StagesRepo } from "./StagesRepo.ts"
import { type OwnedStage, ownership, stageContext } from "./stageContext.ts"

/** `done`: the next stage may run. `stopped`: nothing is left to do for this execution. */
export type StageOutcome = "done" | "stopped"

// A notification reports a cancel at once; this is what a lost one costs, and how often the holder reports that it runs.
const watchInterval = "5 seconds"
// Most of what ends within this needs no look at the job's row besides the one at its end.
const lateCheck = "200 millis"
// After this long without a report, an execution that waits behind a holder takes the stage over.
const silenceSeconds = 60
// A body that loses the database is run again, this many times.
const bodyAttempts = 5

interface StageAttempt extends OwnedStage {
  readonly job: RunningJob
  readonly stage: Stage
  readonly fence: number
}

/**
 * Runs stages so that whatever happens to this process, each ends once: a fence per stage, its checkpoint, an end when the
 * job is cancelled. Executions of a stage may overlap; all but the newest write nothing.
 */
export class Stages extends Effect.Service<Stages>()("Stages", {
  effect: Effect.gen(function* () {
    const inTransaction = transactional(yield* SqlClient.SqlClient)
    const jobs = yield* JobsRepo
    const stages = yield* StagesRepo
    const events = yield* JobEventsRepo
    const workflows = yield* Workflows
    const notifications = yield* Notifications
    const slots = yield* Effect.makeSemaphore((yield* JobLimits).slots)
    const runner = `${hostname()}/${process.pid}/${randomBytes(3).toString("hex")}`

    const keyOf = (current: { readonly job: RunningJob; readonly stage: Stage }) => ({
      job_id: current.job.id,
      stage: current.stage.name
    })

    /** Fails as soon as the stage is no longer ours to work on; otherwise goes on for ever. */
    const watch = (current: StageAttempt): Effect.Effect<never, StageStopped> => {
      const check = stages.seen({ ...keyOf(current), fence: current.fence }).pipe(
        survivingDatabaseLoss,
        Effect.flatMap((state) => ownership(state, current.job, current.fence))
      )
      return Stream.merge(
        // The first says that listening is in force: what a stage that ends before that misses, its end finds out.
        Stream.map(notifications.watch(channels.status, current.job.id), (message) =>
          Option.isNone(message) ? Effect.delay(check, lateCheck) : check
        ),
        Stream.as(Stream.fromSchedule(Schedule.spaced(watchInterval)), check)
      ).pipe(
        Stream.runForEach((due) => due),
        Effect.zipRight(Effect.never)
      )
    }

    const finish = ({ context, costToReport, ...current }: StageAttempt, output: StageOutput) => {
      const end = Effect.gen(function* () {
        const at = yield* now
        const request = { ...keyOf(current), run: current.job.run, fence: current.fence, output, at }
        if (yield* stages.finish(request)) return
        // Still ours, it was finished already: the answer to the COMMIT of the first try was lost.
        yield* ownership(yield* stages.look(keyOf(current)), current.job, current.fence)
      })
      return Option.match(costToReport(), {
        onNone: () => end,
        onSome: (report) => context.commit(Effect.zipRight(report, end))
      }).pipe(survivingDatabaseLoss, Effect.as<StageOutcome>("done"))
    }

    /** The stage's last event and the job's end, together. */
    const fail = ({ context, costToReport, ...current }: StageAttempt, { failure_kind, message }: StageFailed) =>
      Effect.gen(function* () {
        const at = yield* now
        const data = { failure_kind, error_message: message }
        yield* Option.getOrElse(costToReport(), () => Effect.void)
        yield* events.append({ ...keyOf(current), type: "stage_failed", detail: message, data, at })
        const { id, run, workflow } = current.job
        yield* jobs.fail({ id, run, workflow, failure_kind, error: message, at })
      }).pipe(
        context.commit,
        survivingFullDisk,
        Effect.zipRight(recordJob(current.job, "failed")),
        Effect.as<StageOutcome>("stopped")
      )

    const end = (
      current: StageAttempt,
      exit: Exit.Exit<StageOutput, StageFailed | StageStopped>
    ): Effect.Effect<StageOutcome, StageStopped> => {
      if (Exit.isSuccess(exit)) return finish(current, exit.value)
      const failure = Cause.failureOption(exit.cause)
      if (Option.isSome(failure)) {
        return failure.value._tag === "StageFailed" ? fail(current, failure.value) : Effect.fail(failure.value)
      }
      return Effect.zipRight(
        Effect.logError("A stage failed unexpectedly.", exit.cause),
        fail(current, unexpected(exit.cause))
      )
    }

    /** One attempt as the holder of a new fence. */
    const attempt = (job: RunningJob, stage: Stage, attemptsLeft: number): Effect.Effect<StageOutcome, StageStopped> =>
      Effect.gen(function* () {
        const taken = yield* survivingDatabaseLoss(
          Effect.flatMap(now, (at) => stages.start({ job_id: job.id, stage: stage.name, run: job.run, runner, at }))
        )
        if (Option.isNone(taken)) return "stopped"
        if (taken.value.done) return "done"
        const { fence } = taken.value
        const owned = stageContext({ inTransaction, stages, events }, job, stage.name, fence)
        const { context } = owned
        const current = { job, stage, fence, ...owned }
        // `exit` is inside the race: a body that interrupts itself is a bug of the body, not an end of ours.
        const body = Effect.exit(Effect.suspend(() => stage.run(context)))
        const exit = yield* Effect.raceFirst(body, watch(current))
        if (Exit.isFailure(exit) && isDatabaseLoss(exit.cause) && attemptsLeft > 1) {
          yield* Effect.logWarning("A stage lost the database and is run again.")
          return yield* attempt(job, stage, attemptsLeft - 1)
        }
        return yield* end(current, exit)
      })

    /**
     * Waits behind the execution that took the stage over and returns nothing until that one has ended: a result of ours
     * would be kept as the stage's. Takes over again when the other stops reporting.
     */
    const stepBack = (job: RunningJob, stage: Stage): Effect.Effect<StageOutcome> =>
      Effect.gen(function* () {
        yield* Effect.sleep(watchInterval)
        const state = yield* survivingDatabaseLoss(stages.look({ job_id: job.id, stage: stage.name }))
        if (Option.isNone(state) || state.value.status !== "running" || state.value.run !== job.run) return "stopped"
        if (state.value.done) return "done"
        return yield* state.value.silent_seconds > silenceSeconds ? run(job, stage) : stepBack(job, stage)
      })

    /** Never fails and never dies: the job engine keeps the outcome for good. */
    const run = (job: RunningJob, stage: Stage): Effect.Effect<StageOutcome> =>
      slots
        .withPermits(1)(withStageSpan(job, stage)(attempt(job, stage, bodyAttempts)))
        .pipe(
          Effect.annotateLogs({ stage: stage.name }),
          withinWorkspace(job.workspace_id),
          withReach,
          Effect.catchTags({
            JobCancelled: (_: JobCancelled) => Effect.as(recordJob(job, "cancelled"), "stopped" as const),
            Superseded: (_: Superseded) => stepBack(job, stage)
          })
        )

    /** The job and its workflow, if this run is the one that works on it. */
    const open = Effect.fn("Stages.open")(function* (request: JobRun) {
      const job = yield* survivingDatabaseLoss(jobs.open(request))
      if (Option.isNone(job)) return Option.none<{ readonly job: RunningJob; readonly workflow: Workflow }>()
      const workflow = workflows.get(job.value.workflow)
      if (workflow !== undefined) return Option.some({ job: job.value, workflow })
      yield* Effect.logError(`No workflow ${job.value.workflow} is served here.`)
      const at = yield* now
      yield* survivingDatabaseLoss(
        jobs.fail({
          ...request,
          workflow: job.value.workflow,
          failure_kind: "internal",
          error: "This workflow is not served any more.",
          at
        })
      )
      return Option.none()
    })

    /** The job's end after its last stage, whose output is the job's result. */
    const complete = Effect.fn("Stages.complete")(function* (job: RunningJob, { name, stages }: Workflow) {
      const last_stage = stages.at(-1)?.name ?? null
      const at = yield* now
      yield* survivingDatabaseLoss(jobs.complete({ id: job.id, run: job.run, workflow: name, last_stage, at }))
      yield* recordJob(job, "completed")
    })

    return { open, run, complete }
  })
}) {}

const unexpected = (cause: Cause.Cause<unknown>) =>
  isCausedByFullDisk(cause)
    ? new StageFailed({ failure_kind: "disk_full", message: "The disk is full. Make room and run the job again." })
    : new StageFailed({ failure_kind: "internal", message: "The job failed unexpectedly." })
