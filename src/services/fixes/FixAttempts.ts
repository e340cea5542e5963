import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import { fixBranchOf, maxFixAttempts } from "../../schema/Fix.ts"
import {
  AttemptId,
  type JobId,
  type MissionId,
  type ObservationId,
  type RepositoryId,
  type WorkspaceId
} from "../../schema/Ids.ts"
import { type Actor, JobNotRetryable } from "../../schema/Job.ts"
import type { ObservationNumber } from "../../schema/Observation.ts"
import { Caller } from "../access/Caller.ts"
import { type EndedFixJob, FixJobs } from "../jobs/FixJobs.ts"
import { ObservationStateRepo } from "../observations/ObservationStateRepo.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type AttemptFields, type AttemptKey, type AttemptRow, FixAttemptsRepo } from "./FixAttemptsRepo.ts"
import {
  type AttemptStateName,
  attemptStates,
  type FixEvent,
  fixEvents,
  hasOpenPr,
  isSpent,
  stateAfter,
  stateOf
} from "./transitions.ts"

const fixer: Actor = { kind: "system", label: "fix", api_key_id: null, user_id: null }

/** The person or key whose call this is; jobs and the watch of pull requests act for the service. */
const actor = Effect.map(
  Effect.serviceOption(Caller),
  Option.match({ onNone: () => fixer, onSome: (caller) => caller.actor })
)

export interface AttemptStart {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly observation_id: ObservationId
  readonly observation: ObservationNumber
  readonly job_id: JobId
  /** The mission that it is a part of: its commits are on the mission's branch. */
  readonly mission?: { readonly id: MissionId; readonly branch: string }
}

export interface ChangeDetails extends AttemptFields {
  /** Why it failed, needs attention or was closed. */
  readonly reason?: string | null
  /** Who acts, where it is not who calls. */
  readonly by?: Actor
}

/** A change of an attempt: what it was before, and its state after. */
export interface AppliedChange {
  readonly attempt: AttemptRow
  readonly to: AttemptStateName
}

/**
 * The only place that changes the state of an attempt: by the table of transitions, with an event of the observation, and
 * with what the new state means to the observation. Each change is one transaction.
 */
export class FixAttempts extends Effect.Service<FixAttempts>()("FixAttempts", {
  effect: Effect.gen(function* () {
    const attempts = yield* FixAttemptsRepo
    const states = yield* ObservationStateRepo
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const addHistory = (attempt: AttemptRow, event: FixEvent, details: ChangeDetails, at: string) =>
      Effect.flatMap(details.by === undefined ? actor : Effect.succeed(details.by), (by) =>
        states.addEvents([
          {
            observation_id: attempt.observation_id,
            at,
            actor: by,
            job_id: null,
            event: fixEvents[event].history,
            from_status: attempt.observation_status,
            to_status: attempt.observation_status,
            reason: details.reason ?? null
          }
        ])
      )

    /** What the new state means to the observation, unless that is closed already. */
    const conclude = (attempt: AttemptRow, to: AttemptStateName, at: string) => {
      const { workspace_id, observation_id, fix_attempts } = attempt
      const change = { workspace_id, id: observation_id, at, actor: fixer, job_id: null }
      if (to === "merged") return states.close({ ...change, closing: { close_reason: "fixed" } })
      if (!isSpent(to) || fix_attempts < maxFixAttempts) return Effect.void
      return states.close({
        ...change,
        closing: {
          close_reason: "dismissed",
          dismissal_category: "exhausted_fix_attempts",
          dismissal_note: `All ${maxFixAttempts} automatic attempts at a fix are used up.`
        }
      })
    }

    /** Applies what the table says; nothing where it says nothing, or where another attempt would go on beside it. */
    const apply = Effect.fn("FixAttempts.apply")(function* (
      key: AttemptKey,
      event: FixEvent,
      details: ChangeDetails = {}
    ) {
      const found = yield* attempts.lock(key)
      if (Option.isNone(found)) return Option.none<AppliedChange>()
      const attempt = found.value
      const from = stateOf(attempt)
      const to = stateAfter(from, event)
      if (to === null) return Option.none<AppliedChange>()
      const begins = attemptStates[to].outcome === "started" && attemptStates[from].outcome !== "started"
      if (begins && (yield* attempts.hasOtherOngoing(attempt))) return Option.none<AppliedChange>()
      const at = yield* now
      const { reason = null, by: _, ...fields } = details
      const { workspace_id, id } = key
      yield* attempts.setState({ workspace_id, id, ...attemptStates[to], ...fields, reason, at })
      yield* addHistory(attempt, event, details, at)
      yield* conclude(attempt, to, at)
      return Option.some<AppliedChange>({ attempt, to })
    }, inTransaction)

    /**
     * A new attempt with its first job; nothing while another one goes on. To be called with the observation's row locked.
     */
    const start = Effect.fn("FixAttempts.start")(function* (request: AttemptStart) {
      const { workspace_id, observation_id, observation, job_id, mission } = request
      const number = (yield* attempts.highestNumber(request)) + 1
      const at = yield* now
      const id = yield* newId(AttemptId)
      const branch = mission?.branch ?? fixBranchOf(observation, number)
      const { repository_id } = request
      const inserted = yield* attempts.insertUnlessInFlight({
        id,
        workspace_id,
        repository_id,
        observation_id,
        mission_id: mission?.id ?? null,
        number,
        branch,
        at
      })
      if (Option.isNone(inserted)) return Option.none<AttemptRow>()
      const key = { workspace_id, id }
      yield* attempts.addJob({ ...key, job_id, kind: "fix", at })
      const attempt = yield* attempts.find(key)
      if (Option.isSome(attempt)) yield* addHistory(attempt.value, "started", {}, at)
      return attempt
    }, inTransaction)

    const endedJob = Effect.fnUntraced(function* ({ id: job_id, workspace_id, status, error }: EndedFixJob) {
      const link = yield* attempts.linkOf({ workspace_id, job_id })
      // Once another job of the attempt has come after it, its end means nothing to the attempt.
      if (Option.isNone(link) || !link.value.is_newest) return
      const key = { workspace_id, id: link.value.attempt_id }
      if (status === "cancelled") yield* apply(key, "cancelled")
      else yield* apply(key, "failed", { reason: error ?? (status === "completed" ? nothingCame : null) })
    })

    /** Jobs that end: an attempt without a pull request ends with its job, a revision as it says in the table. */
    const ended = (jobs: ReadonlyArray<EndedFixJob>) => Effect.forEach(jobs, endedJob, { discard: true })

    const retried: FixJobs["Type"]["retried"] = Effect.fn("FixAttempts.retried")(function* ({
      workspace_id,
      parent,
      job
    }) {
      const link = yield* attempts.linkOf({ workspace_id, job_id: parent.id })
      // It ended before it had an attempt: the new job gets one when it runs.
      if (Option.isNone(link)) return
      const key = { workspace_id, id: link.value.attempt_id }
      const found = yield* attempts.lock(key)
      if (Option.isNone(found)) return
      const isRevision = link.value.instructions !== null
      const rejection = isRevision
        ? rejectionOfRevision(found.value)
        : rejectionOfFix(found.value, yield* attempts.hasOtherOngoing(found.value))
      if (rejection !== null) return yield* new JobNotRetryable({ message: rejection })
      yield* apply(key, isRevision ? "revision_requested" : "reopened_by_retry")
      yield* attempts.addJob({ ...key, job_id: job.id, kind: "retry", at: yield* now })
    }, inTransaction)

    return { apply, start, ended, retried }
  })
}) {}

/** Why a revision cannot run again, with what to do instead; `null` when it can. */
const rejectionOfRevision = (attempt: AttemptRow): string | null => {
  const state = stateOf(attempt)
  if (stateAfter(state, "revision_requested") !== null) return null
  return hasOpenPr(state)
    ? `The fix pull request of ${attempt.ref} is being revised already; await that job.`
    : `The fix pull request of ${attempt.ref} is not open any more; request a new fix of ${attempt.ref}.`
}

/** The same of a fix. */
const rejectionOfFix = (attempt: AttemptRow, hasOther: boolean): string | null => {
  const { ref, observation_status, close_reason } = attempt
  const state = stateOf(attempt)
  if (observation_status === "closed") {
    return `${ref} is closed (${close_reason}); reopen it, then request a new fix of it.`
  }
  if (hasOpenPr(state)) return `The fix pull request of ${ref} is open; request a revision of it.`
  if (state === "working" || hasOther) return `A fix of ${ref} is under way already; await or cancel that job.`
  return stateAfter(state, "reopened_by_retry") === null
    ? `This attempt at a fix of ${ref} is over; request a new fix of it.`
    : null
}

const nothingCame = "The job ended without a pull request."

/** What jobs call when they end or run again. */
export const FixJobsLive = Layer.effect(
  FixJobs,
  Effect.map(FixAttempts, ({ ended, retried }) => ({ ended, retried }))
)
