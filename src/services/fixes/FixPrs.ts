import { Effect, Option } from "effect"
import { type FixOutcome, maxFixAttempts } from "../../schema/Fix.ts"
import { AttemptId, type JobId, WorkspaceId } from "../../schema/Ids.ts"
import type { Actor } from "../../schema/Job.ts"
import type { ObservationNumber } from "../../schema/Observation.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { ObservationStateRepo } from "../observations/ObservationStateRepo.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { type AttemptKey, type AttemptState, FixAttemptsRepo, type OpenedPr } from "./FixAttemptsRepo.ts"

const fixer: Actor = { kind: "system", label: "fix", api_key_id: null, user_id: null }

/** How an attempt can end without its pull request being merged. */
export type Unmerged = Exclude<FixOutcome, "started" | "pr_merged">

/**
 * Attempts at fixes as they go on, and the lane of their pull requests. What changes them runs in the workflow's
 * transaction and needs no caller; changes to an ended attempt are ignored.
 */
export class FixPrs extends Effect.Service<FixPrs>()("FixPrs", {
  effect: Effect.gen(function* () {
    const attempts = yield* FixAttemptsRepo
    const states = yield* ObservationStateRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const list = Effect.fn("FixPrs.list")(function* (
      path: RepositoryPath,
      { limit = defaultPageSize, cursor }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const { id: repository_id } = yield* repositories.find(path)
      const after = yield* cursors.open("fix_prs", { repository_id }, cursor)
      const rows = yield* attempts.listPrs({ workspace_id, repository_id, after, limit })
      return yield* cursors.page("fix_prs", { repository_id }, limit, rows, (row) => [row.attempt_id])
    })

    /** Runs the change when the attempt is in this state; says whether it did. */
    const when =
      (holds: (attempt: AttemptState) => boolean) =>
      <E, R>(key: AttemptKey, change: (attempt: AttemptState) => Effect.Effect<unknown, E, R>) =>
        Effect.flatMap(attempts.open(key), (attempt) =>
          Option.match(Option.filter(attempt, holds), {
            onNone: () => Effect.succeed(false),
            onSome: (held) => Effect.as(change(held), true)
          })
        )
    const whileUnderWay = when(({ outcome }) => outcome === "started")
    const whilePrOpen = when(({ outcome, pr_status }) => outcome === "started" && pr_status !== null)

    /**
     * The attempt that a running fix job works on. A job that was run again, or submitted as a job, gets one here; none
     * when the observation has one under way elsewhere, or its own has ended.
     */
    const begin = Effect.fn("FixPrs.begin")(function* (job: {
      readonly id: JobId
      readonly workspace_id: WorkspaceId
      readonly number: ObservationNumber
    }) {
      const { workspace_id } = job
      const known = yield* attempts.ofJob({ workspace_id, job_id: job.id })
      if (Option.isSome(known)) return Option.filter(known, ({ outcome }) => outcome === "started")
      const free = Option.filter(
        yield* attempts.target({ workspace_id, number: job.number, lock: true }),
        ({ status, in_flight }) => status === "new" && !in_flight
      )
      if (Option.isNone(free)) return Option.none<AttemptState>()
      const observation = free.value
      yield* attempts.insertUnlessInFlight({
        id: yield* newId(AttemptId),
        workspace_id,
        repository_id: observation.repository_id,
        observation_id: observation.id,
        job_id: job.id,
        at: yield* now
      })
      return yield* attempts.ofJob({ workspace_id, job_id: job.id })
    })

    /** The attempt has a pull request: the observation leaves the list of what is new. */
    const opened = Effect.fn("FixPrs.opened")(function* (key: AttemptKey, pr: OpenedPr) {
      const at = yield* now
      return yield* whileUnderWay(key, () => attempts.setPr({ ...key, at, ...pr, pr_status: "in_review" }))
    })

    const progressed = Effect.fn("FixPrs.progressed")(function* (
      key: AttemptKey,
      pr_status: "in_review" | "revising" | "needs_attention",
      reason: string | null = null
    ) {
      const at = yield* now
      return yield* whilePrOpen(key, () => attempts.setPrStatus({ ...key, at, pr_status, reason }))
    })

    /** The fix landed: the observation is closed as fixed, unless it is closed already. */
    const merged = Effect.fn("FixPrs.merged")(function* (key: AttemptKey) {
      const at = yield* now
      return yield* whilePrOpen(key, (attempt) =>
        Effect.zipRight(
          attempts.end({ ...key, at, outcome: "pr_merged", pr_status: "merged", reason: null }),
          states.close({ ...changeOf(attempt, at), closing: { close_reason: "fixed" } })
        )
      )
    })

    /**
     * The attempt came to nothing. The last of the automatic ones closes the observation, too, until an audit finds it
     * again; what people called off is no try.
     */
    const ended = Effect.fn("FixPrs.ended")(function* (
      key: AttemptKey,
      outcome: Unmerged,
      reason: string | null = null
    ) {
      const at = yield* now
      const inTime = outcome === "pr_rejected" ? whilePrOpen : whileUnderWay
      return yield* inTime(key, (attempt) =>
        Effect.gen(function* () {
          const pr_status = attempt.pr_status === null ? null : outcome === "pr_rejected" ? "closed" : "abandoned"
          yield* attempts.end({ ...key, at, outcome, pr_status, reason })
          const used = yield* attempts.used(attempt)
          if (used < maxFixAttempts || outcome === "cancelled" || outcome === "withdrawn") return
          yield* states.close({
            ...changeOf(attempt, at),
            closing: {
              close_reason: "dismissed",
              dismissal_category: "exhausted_fix_attempts",
              dismissal_note: `All ${maxFixAttempts} automatic attempts at a fix are used up.`
            }
          })
        })
      )
    })

    return { list, begin, opened, progressed, merged, ended }
  })
}) {}

const changeOf = ({ workspace_id, observation_id }: AttemptState, at: string) => ({
  workspace_id,
  id: observation_id,
  at,
  actor: fixer,
  job_id: null
})
