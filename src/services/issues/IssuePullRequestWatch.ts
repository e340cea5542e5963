import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option, Schedule } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { withinWorkspace, withReach } from "../access/Reach.ts"
import { service } from "../audit_log/AuditLog.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { ConfiguredGitHubApp } from "../ports/GitHubApp.ts"
import type { PullRequestState } from "../ports/PullRequest.ts"
import { CodeHostError } from "../ports/Remote.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { IssueEvents } from "./IssueEvents.ts"
import { type FollowedPr, type FollowRequest, IssuePullRequestWatchRepo } from "./IssuePullRequestWatchRepo.ts"
import { IssueStatusRepo } from "./IssueStatusRepo.ts"
import { IssuesRepo } from "./IssuesRepo.ts"
import type { OpenedIssue } from "./IssueWriter.ts"
import { mayMove } from "./transitions.ts"

const interval = Duration.minutes(1)
/** Looked at since then, it is not looked at again in this round. */
const age = Duration.seconds(45)
/** How long the pull requests of closed issues are followed. */
const closedMemory = Duration.days(30)
const perRound = 100
/** The code host has this long for one answer. */
const patience = Duration.seconds(20)

const allMerged = "Its pull requests are merged."

/**
 * Follows pull requests that are attached to issues, where the code host can be asked for one by its number: on GitHub,
 * through the operator's app. Everywhere else their state stays unknown.
 */
export class IssuePullRequestWatch extends Effect.Service<IssuePullRequestWatch>()("IssuePullRequestWatch", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuePullRequestWatchRepo
    const issues = yield* IssuesRepo
    const statuses = yield* IssueStatusRepo
    const events = yield* IssueEvents
    const host = yield* CodeHost
    const app = yield* ConfiguredGitHubApp
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** Where the last open pull request is merged, a person looks at the whole, or the issue is done. */
    const afterMerge = Effect.fnUntraced(function* (issue: OpenedIssue, at: string) {
      if (yield* repo.hasOpen({ ...issue, issue_id: issue.id })) return
      const from = issue.status
      if (mayMove(from, "done") && (yield* repo.closesOnMerge(issue))) {
        yield* statuses.holdBlocked(issue)
        yield* issues.close(issue, { status: "done", reason: "completed", at })
        const detail = { from, to: "done", reason: "completed", note: allMerged }
        yield* events.record(issue, service, { event: "closed", detail })
      } else if (mayMove(from, "in_review")) {
        yield* issues.move(issue, "in_review")
        const detail = { from, to: "in_review", note: allMerged }
        yield* events.record(issue, service, { event: "status_changed", detail })
      }
    })

    /** The issue is locked first: of several that report the same, one applies it. */
    const settle = Effect.fn("IssuePullRequestWatch.settle")(function* (
      pr: FollowedPr,
      { state }: Pick<PullRequestState, "state">
    ) {
      const { workspace_id, repository_id, url } = pr
      const at = yield* now
      const found = yield* issues.lock({ workspace_id, hidden_levels: [] }, pr.issue)
      if (Option.isNone(found) || !(yield* repo.setState(pr, state))) return
      const issue = { ...found.value, workspace_id }
      const detail = { url, from: pr.state, to: state }
      yield* events.record(issue, service, { event: "pull_request_changed", detail, repository_id })
      if (state === "merged") yield* afterMerge(issue, at)
      yield* issues.touch(issue, { actor: service, at })
    }, inTransaction)

    const ask = (pr: FollowedPr, number: number) =>
      Effect.timeoutFail(
        Effect.disconnect(
          host.pullRequest({
            repositoryId: pr.repository_id,
            remote: {
              url: pr.clone_url,
              access: { workspace_id: pr.workspace_id, repository_id: pr.repository_id, access_mode: pr.access_mode }
            },
            base: pr.base,
            // Its branch is not known; GitHub has this name for it, and takes it for no branch.
            head: `pull/${number}/head`,
            number,
            base_commit: "",
            head_commit: "",
            diff: null
          })
        ),
        {
          duration: patience,
          onTimeout: () =>
            new CodeHostError({ reason: "timeout", message: "The code host did not answer within 20 seconds." })
        }
      )

    const isOnGitHub = ({ clone_url }: FollowedPr) => app !== null && Option.isSome(app.repositoryOf(clone_url))

    const check = (pr: FollowedPr) => {
      const number = numberIn(pr.url)
      const looked =
        number === null || !isOnGitHub(pr)
          ? Effect.void
          : Effect.flatMap(ask(pr, number), (state) => settle(pr, state)).pipe(
              Effect.catchAllCause((cause) => Effect.logWarning(`The state of ${pr.url} is not known.`, cause))
            )
      return looked.pipe(
        Effect.zipRight(Effect.flatMap(now, (at) => repo.checked(pr, at))),
        withinWorkspace(pr.workspace_id),
        withReach
      )
    }

    const checkAll = Effect.fnUntraced(function* (of: FollowRequest["of"], notSince: Duration.Duration) {
      if (app === null) return
      const time = yield* DateTime.now
      const ago = (duration: Duration.Duration) => DateTime.formatIso(DateTime.subtractDuration(time, duration))
      const found = yield* repo.due({ of, before: ago(notSince), closedSince: ago(closedMemory), limit: perRound })
      yield* Effect.forEach(found, check, { discard: true })
    })

    /** Of one repository, now: GitHub has said that something changed. */
    const look = Effect.fn("IssuePullRequestWatch.look")(
      (repository: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId }) =>
        checkAll({ workspace_id: repository.workspace_id, repository_id: repository.repository_id }, Duration.zero)
    )

    const tick = Effect.fn("IssuePullRequestWatch.tick")(() => checkAll("all", age))

    /** For ever, about once a minute. One process of an installation runs this at a time. */
    const loop = Effect.repeat(
      Effect.catchAllCause(tick(), (cause) => Effect.logWarning("Pull requests of issues were not followed.", cause)),
      Schedule.jittered(Schedule.spaced(interval))
    )

    return { look, tick, loop }
  })
}) {}

/** The number that GitHub has for a pull request. */
const numberIn = (url: string): number | null => {
  const [, number] = /\/pull\/([1-9]\d{0,9})$/.exec(url) ?? []
  return number === undefined ? null : Number(number)
}
