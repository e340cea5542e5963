import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Either, Option } from "effect"
import { JobsRepo } from "../jobs/JobsRepo.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import type { PullRequestKey, PullRequestState } from "../ports/PullRequest.ts"
import { CodeHostError } from "../ports/Remote.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type AttemptKey, FixAttemptsRepo } from "./FixAttemptsRepo.ts"
import { FixPrs } from "./FixPrs.ts"
import { FixRecordsRepo, type WatchedPr } from "./FixRecordsRepo.ts"

/** A code host has this long for one answer. */
const patience = Duration.seconds(20)
/** A pull request that the code host has not known for this long is given up. */
const abandonedAfter = Duration.days(7)

const doesNotApply =
  "The base branch has changed so that the fix does not apply to it any more; request a revision, or withdraw it."

/** What a code host knows of the pull requests of fixes, and what that means to their attempts. */
export class PullRequestHost extends Effect.Service<PullRequestHost>()("PullRequestHost", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const prs = yield* FixPrs
    const repo = yield* FixAttemptsRepo
    const records = yield* FixRecordsRepo
    const jobs = yield* JobsRepo
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const inTime = <A>(request: Effect.Effect<A, CodeHostError>) =>
      Effect.timeoutFail(Effect.disconnect(request), {
        duration: patience,
        onTimeout: () =>
          new CodeHostError({ reason: "timeout", message: "The code host did not answer within 20 seconds." })
      })

    const ask = Effect.fn("PullRequestHost.ask")(function* (pr: WatchedPr) {
      const pushed = yield* records.pushedChange(pr)
      if (Option.isNone(pushed)) {
        return yield* new CodeHostError({ reason: "not_found", message: "The attempt was deleted." })
      }
      return yield* inTime(host.pullRequest({ ...requestOf(pr), ...pushed.value }))
    })

    const close = (pr: WatchedPr) =>
      inTime(host.closePullRequest({ ...requestOf(pr), comment: "This fix was withdrawn in Assay." }))

    /** A revision that is under way has nothing to revise any more. Its job is locked before its attempt. */
    const cancelJobs = Effect.fnUntraced(function* (key: AttemptKey) {
      const at = yield* now
      for (const { id } of yield* repo.activeJobs(key)) yield* jobs.cancel({ workspace_id: key.workspace_id, id, at })
    })

    const withdraw = Effect.fn("PullRequestHost.withdraw")(function* (pr: WatchedPr) {
      yield* cancelJobs(pr)
      return yield* prs.withdrawn(pr, pr.withdrawn_by === null ? {} : { by: pr.withdrawn_by })
    }, inTransaction)

    const settleMerged = Effect.fnUntraced(function* (pr: WatchedPr, merge_commit: string | null) {
      // Reopened and merged, or merged and its branch deleted, since it was last looked at.
      if (!pr.is_open) yield* prs.reopened(pr)
      yield* cancelJobs(pr)
      return yield* prs.merged(pr, { merge_commit })
    }, inTransaction)

    const settleClosed = Effect.fnUntraced(function* (pr: WatchedPr) {
      if (pr.withdrawn_by !== null) return yield* withdraw(pr)
      if (!pr.is_open) return false
      yield* cancelJobs(pr)
      return yield* prs.closedUnmerged(pr)
    }, inTransaction)

    const settleOpen = Effect.fnUntraced(function* (pr: WatchedPr, { conflicted }: PullRequestState) {
      if (!pr.is_open) return yield* prs.reopened(pr)
      if (conflicted === true && !pr.conflicted) return yield* prs.conflicted(pr, doesNotApply)
      return conflicted === false && pr.conflicted ? yield* prs.conflictResolved(pr) : false
    })

    /** Applies what the code host says; false when that changes nothing. */
    const settle = Effect.fn("PullRequestHost.settle")(function* (pr: WatchedPr, state: PullRequestState) {
      if (state.state === "merged") return yield* settleMerged(pr, state.merge_commit)
      if (state.state === "closed") return yield* settleClosed(pr)
      if (pr.withdrawn_by === null || !pr.is_open) return yield* settleOpen(pr, state)
      // A withdrawal was interrupted between the request and the code host.
      yield* close(pr)
      return yield* withdraw(pr)
    })

    const checked = (pr: WatchedPr, missing: boolean | null) =>
      Effect.flatMap(now, (at) => records.checked({ workspace_id: pr.workspace_id, id: pr.id, missing, at }))

    /** Not asked this time: its turn comes after the others. */
    const postpone = (pr: WatchedPr) => checked(pr, null)

    /** Asks the code host, applies what it says, and keeps that it was asked. */
    const look = Effect.fn("PullRequestHost.look")(function* (pr: WatchedPr) {
      const answer = yield* Effect.either(Effect.flatMap(ask(pr), (state) => settle(pr, state)))
      const missing = Either.match(answer, {
        onLeft: ({ reason }) => (reason === "not_found" ? true : null),
        onRight: () => false
      })
      yield* checked(pr, missing)
      if (missing === true && (yield* isAbandoned(pr))) {
        return yield* prs.lost(pr, { reason: "The code host does not know the pull request any more." })
      }
      return yield* answer
    })

    return { ask, close, withdraw, settle, look, postpone }
  })
}) {}

const requestOf = (pr: WatchedPr): PullRequestKey => ({
  repositoryId: pr.repository_id,
  remote: {
    url: pr.clone_url,
    access: { workspace_id: pr.workspace_id, repository_id: pr.repository_id, access_mode: pr.access_mode }
  },
  base: pr.pr_base,
  head: pr.branch,
  number: pr.pr_number
})

const isAbandoned = ({ pr_missing_since }: WatchedPr) =>
  Effect.map(
    DateTime.now,
    (time) =>
      pr_missing_since !== null &&
      DateTime.distance(DateTime.unsafeMake(pr_missing_since), time) > Duration.toMillis(abandonedAfter)
  )
