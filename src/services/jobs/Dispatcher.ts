import { SqlClient } from "@effect/sql"
import { Effect, identity, Queue, Stream } from "effect"
import { Notifications } from "../ports/Notifications.ts"
import { Workflows } from "../ports/Workflows.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { JobClaimsRepo } from "./JobClaimsRepo.ts"
import { channels } from "./JobEventsRepo.ts"
import { JobLimits } from "./JobLimits.ts"
import { JobRuns, type RunOfRepository, type SendRun } from "./JobRuns.ts"
import { JobsRepo } from "./JobsRepo.ts"

// A submission wakes the dispatcher; this is what a lost word costs.
const tickInterval = "30 seconds"
// With the silence that a job is looked at after, how long one may be with no worker when its own is lost.
const lookInterval = "3 seconds"
// Executions of one job; after the last one is lost, the job fails.
const maxRuns = 3

/** Moves queued jobs to the engine within the caps, and sees to it that none stays running for ever. */
export class Dispatcher extends Effect.Service<Dispatcher>()("Dispatcher", {
  effect: Effect.gen(function* () {
    const jobs = yield* JobsRepo
    const claims = yield* JobClaimsRepo
    const runs = yield* JobRuns
    const workflows = yield* Workflows
    const limits = yield* JobLimits
    const notifications = yield* Notifications
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const claim = Effect.fn("Dispatcher.claim")(function* () {
      return yield* claims.claimPending({ workflows: [...workflows.keys()], limits, at: yield* now })
    }, inTransaction)

    /** A run that ended in the engine while its job still runs was lost; the next one goes on from its checkpoints. */
    const heal = Effect.fn("Dispatcher.heal")(function* (send: SendRun, job: RunOfRepository) {
      const { id, run } = job
      const at = yield* now
      if (run < maxRuns) {
        // Nothing to heal when the job ended between being listed and being looked at.
        if ((yield* jobs.nextRun({ id, run, at })).length === 0) return
        yield* Effect.logWarning(`Run ${run} of the job was lost; starting the next.`)
        return yield* send({ ...job, run: run + 1 })
      }
      const error = `The job's worker was lost ${maxRuns} times.`
      if (yield* jobs.fail({ id, run, failure_kind: "worker_lost", error, at })) {
        yield* Effect.logError(`The job was given up after ${maxRuns} runs.`)
      }
    })

    const attend = (send: SendRun) => (job: RunOfRepository) =>
      Effect.gen(function* () {
        // A crash between claim and send would leave the job running nowhere.
        yield* send(job)
        if (yield* runs.hasEnded(job)) return yield* heal(send, job)
        yield* runs.resend(job)
      })

    /** Each by itself: a job that the engine does not take holds up no other one. */
    const forEachJob = (found: ReadonlyArray<RunOfRepository>, handle: (send: SendRun) => SendRun) =>
      Effect.gen(function* () {
        if (found.length === 0) return
        const handled = handle(yield* runs.sender)
        yield* Effect.forEach(
          found,
          (job) =>
            handled(job).pipe(
              Effect.disconnect,
              Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => "the engine does not answer" }),
              Effect.catchAllCause((cause) => Effect.logWarning("A job could not be handed to the engine.", cause)),
              Effect.annotateLogs({ job_id: job.id })
            ),
          { concurrency: 8, discard: true }
        )
      })

    /** Again after each that found something: one claim looks at few jobs, and those may be of a repository that is full. */
    const claimAll = claim().pipe(
      Effect.tap((claimed) => forEachJob(claimed, identity)),
      Effect.repeat({ while: (claimed) => claimed.length > 0 })
    )

    const attendTo = (which: "all" | "silent") =>
      Effect.flatMap(jobs.running(which), (found) => forEachJob(found, attend))

    const tick = Effect.fn("Dispatcher.tick")(function* (attended: "all" | "silent") {
      yield* claimAll
      yield* attendTo(attended)
    })

    const unfailing = <E, R>(step: Effect.Effect<unknown, E, R>) =>
      Effect.catchAllCause(step, (cause) => Effect.logWarning("The dispatcher's tick failed.", cause))

    /**
     * For ever: claims at every wake and at least every 30 seconds, and looks after silent jobs every three. One process of an
     * installation runs this at a time.
     */
    const loop = Effect.gen(function* () {
      const wakes = yield* Queue.sliding<unknown>(1)
      yield* Effect.forkScoped(
        Stream.runForEach(notifications.watch(channels.dispatch), () => Queue.offer(wakes, undefined))
      )
      // A predecessor may have claimed what it did not send.
      yield* unfailing(tick("all"))
      yield* Effect.forkScoped(Effect.forever(Effect.delay(unfailing(attendTo("silent")), lookInterval)))
      const wake = Effect.timeoutOption(Queue.take(wakes), tickInterval)
      return yield* Effect.forever(Effect.zipRight(wake, unfailing(claimAll)))
    }).pipe(Effect.scoped)

    return { tick, loop }
  })
}) {}
