import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option, Stream } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { asSystem, withinWorkspace, withReach } from "../access/Reach.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { ChangeReviewsRepo } from "../change_reviews/ChangeReviewsRepo.ts"
import { FixPrWatch } from "../fixes/FixPrWatch.ts"
import { IssuePullRequestWatch } from "../issues/IssuePullRequestWatch.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { ConfiguredGitHubApp, type GitHubApp } from "../ports/GitHubApp.ts"
import { Notifications } from "../ports/Notifications.ts"
import { transactional } from "../support/transactional.ts"
import type { DeliveryFacts } from "./deliveryFacts.ts"
import { arrivalChannel, type Delivery, GitHubDeliveriesRepo, type RegisteredOnGitHub } from "./GitHubDeliveriesRepo.ts"
import { serviceCaller } from "./serviceCaller.ts"

/** Only a process that died holds a delivery as long. */
const lease = Duration.minutes(2)
const firstPause = Duration.seconds(30)
const mostAttempts = 6
const memory = Duration.days(30)
const interval = Duration.seconds(15)
const sweepInterval = Duration.hours(1)

type Of<Tag extends DeliveryFacts["_tag"]> = Extract<DeliveryFacts, { readonly _tag: Tag }>

const github: AuditActor = { kind: "system", user_id: null, api_key: null, label: "github" }

const ago = (age: Duration.Duration) =>
  Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.subtractDuration(time, age)))
const hence = (wait: Duration.Duration) =>
  Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.addDuration(time, wait)))

/** Does what accepted deliveries ask for. Any number of processes may; each delivery is worked on by one of them. */
export class GitHubEvents extends Effect.Service<GitHubEvents>()("GitHubEvents", {
  effect: Effect.gen(function* () {
    const repo = yield* GitHubDeliveriesRepo
    const notifications = yield* Notifications
    const submissions = yield* Submissions
    const watch = yield* FixPrWatch
    const issuePrs = yield* IssuePullRequestWatch
    const changeReviews = yield* ChangeReviewsRepo
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)
    const app = yield* ConfiguredGitHubApp

    /** The registered branches of a repository on GitHub, in whatever workspace. */
    const registered = (name: string) =>
      Effect.map(repo.candidates(name), (found) =>
        found.filter(({ clone_url }) => nameIn(app, clone_url) === name.toLowerCase())
      )

    const within =
      (workspace_id: WorkspaceId) =>
      <A, E>(effect: Effect.Effect<A, E, Caller>) =>
        effect.pipe(
          Effect.provideService(Caller, serviceCaller(workspace_id)),
          withinWorkspace(workspace_id),
          withReach
        )

    const submitted = Effect.fnUntraced(function* (repository: RegisteredOnGitHub, params: JsonObject) {
      const { job, created } = yield* partOfChange(submissions.submit({ path: repository, workflow: "review", params }))
      if (!created) return
      const by = { workspace_id: repository.workspace_id, actor: github }
      const { repo_name } = job
      const after = { workflow: "review", repo_name, params }
      yield* auditLog.record({ object: { kind: "job", ref: job.id }, before: null, after, by, action: "service" })
    }, inTransaction)

    const review = (repository: RegisteredOnGitHub, { number, commit }: Of<"PullRequestChanged">) =>
      submitted(repository, { pull_request: number, head: commit }).pipe(
        // An exhausted budget, or a pull request of our own: GitHub cannot help it by another delivery.
        Effect.catchAll((error) => Effect.logInfo(`No review of pull request ${number}: ${error.message}`)),
        within(repository.workspace_id)
      )

    /** GitHub is asked what became of pull requests: a delivery may be late, and others follow it. */
    const look = ({ workspace_id, id: repository_id }: RegisteredOnGitHub) =>
      Effect.zipRight(watch.look({ workspace_id, repository_id }), issuePrs.look({ workspace_id, repository_id }))

    const setStatus = Effect.fnUntraced(function* (names: ReadonlyArray<string>, status: "active" | "removed") {
      const found = yield* Effect.forEach(names, registered)
      const repositories = found.flat()
      yield* repo.setStatus({ ids: repositories.map(({ id }) => id), status })
      for (const { clone_url } of repositories) {
        const repository = app === null ? Option.none() : app.repositoryOf(clone_url)
        if (app !== null && Option.isSome(repository)) yield* app.forget(repository.value)
      }
    })

    const ofAccount = (account: string) =>
      Effect.map(account === "" ? Effect.succeed([]) : repo.candidates(`${account}/`), (found) =>
        found
          .flatMap(({ clone_url }) => nameIn(app, clone_url) ?? [])
          .filter((name) => name.startsWith(`${account.toLowerCase()}/`))
      )

    const act = Effect.fnUntraced(function* (facts: DeliveryFacts) {
      switch (facts._tag) {
        case "PullRequestChanged": {
          // The service does not review its own work.
          if (facts.head.startsWith("assay/fix-")) return
          const found = yield* registered(facts.repository)
          const { head: branch, commit, number: pr_number } = facts
          yield* changeReviews.pushed({ repositories: found.map(({ id }) => id), branch, commit, pr_number })
          const asked = found.filter((one) => one.auto_review === "on" && one.github_base_branch === facts.base)
          return yield* Effect.forEach(asked, (one) => review(one, facts), { discard: true })
        }
        case "PullRequestEnded":
          return yield* Effect.forEach(yield* registered(facts.repository), look, { discard: true })
        case "BranchPushed": {
          const found = yield* registered(facts.repository)
          const pushed = { branch: facts.branch, commit: null, pr_number: null }
          yield* changeReviews.pushed({ repositories: found.map(({ id }) => id), ...pushed })
          const moved = found.filter(({ github_base_branch }) => github_base_branch === facts.branch)
          return yield* Effect.forEach(moved, look, { discard: true })
        }
        case "InstallationEnded": {
          const names = new Set([...facts.repositories, ...(yield* ofAccount(facts.account))])
          return yield* setStatus([...names], "removed")
        }
        case "CoverageChanged":
          yield* setStatus(facts.added, "active")
          return yield* setStatus(facts.removed, "removed")
      }
    })

    const processed = (delivery_id: string, error: string | null) =>
      Effect.flatMap(hence(Duration.zero), (at) => repo.markProcessed({ delivery_id, at, error }))

    const work = ({ delivery_id, facts, attempts }: Delivery) =>
      act(facts).pipe(
        Effect.zipRight(processed(delivery_id, null)),
        Effect.catchAllCause((cause) =>
          Effect.gen(function* () {
            yield* Effect.logWarning("A delivery of GitHub could not be worked on.", cause)
            const error = "See the log."
            if (attempts >= mostAttempts) return yield* processed(delivery_id, error)
            const until = yield* hence(Duration.times(firstPause, 2 ** attempts))
            return yield* repo.postpone({ delivery_id, until, error })
          })
        ),
        Effect.annotateLogs({ delivery_id })
      )

    const next = Effect.gen(function* () {
      const claimed = yield* repo.claimDue({ now: yield* hence(Duration.zero), until: yield* hence(lease) })
      if (Option.isSome(claimed)) yield* work(claimed.value)
      return Option.isSome(claimed)
    })

    /** All that is due now. */
    const tick = Effect.fn("GitHubEvents.tick")(() =>
      Effect.repeat(next, { while: (worked) => worked }).pipe(asSystem, withReach)
    )

    const sweep = Effect.flatMap(ago(memory), repo.forget).pipe(asSystem, withReach)

    const unfailing = (effect: Effect.Effect<unknown>) =>
      Effect.catchAllCause(effect, (cause) => Effect.logWarning("Deliveries of GitHub could not be worked on.", cause))

    const arrivals = Stream.merge(Stream.tick(interval), notifications.watch(arrivalChannel))

    /** For ever: at each arrival, and every 15 seconds for those whose time has come again. */
    const loop = Effect.zipRight(
      Stream.runForEach(Stream.buffer(arrivals, { capacity: 1, strategy: "sliding" }), () => unfailing(tick())),
      Effect.forever(Effect.zipRight(unfailing(sweep), Effect.sleep(sweepInterval))),
      { concurrent: true }
    )

    return { tick, sweep, loop }
  })
}) {}

/** `owner/repo` in lower case, as GitHub compares names; null elsewhere. */
const nameIn = (app: GitHubApp | null, cloneUrl: string): string | null => {
  const found = app === null ? Option.none() : app.repositoryOf(cloneUrl)
  return Option.isSome(found) ? `${found.value.owner}/${found.value.repo}`.toLowerCase() : null
}
