import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Ref, TestClock } from "effect"
import type { IssueNumber } from "../../../src/schema/Issue.ts"
import { IssuePullRequests } from "../../../src/services/issues/IssuePullRequests.ts"
import { IssuePullRequestWatch } from "../../../src/services/issues/IssuePullRequestWatch.ts"
import { IssueWriter } from "../../../src/services/issues/IssueWriter.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { ConfiguredGitHubApp, type GitHubApp } from "../../../src/services/ports/GitHubApp.ts"
import type { PullRequestState } from "../../../src/services/ports/PullRequest.ts"
import { CodeHostError } from "../../../src/services/ports/Remote.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { aProject, aRegisteredRepository, as, aWorkspace, type Person } from "../../support/builders.ts"
import { issuesIn } from "../../support/issues.ts"
import { TestApp } from "../../support/TestApp.ts"

const open: PullRequestState = { state: "open", head_commit: "decade", merge_commit: null, conflicted: null }

/** What GitHub reports of each pull request, by its number, and which were asked for. */
class Host extends Effect.Service<Host>()("test/Host", {
  effect: Effect.gen(function* () {
    return { states: new Map<number, PullRequestState["state"]>(), asked: yield* Ref.make<ReadonlyArray<number>>([]) }
  })
}) {}

const codeHost = Layer.unwrapEffect(
  Effect.map(Host, ({ states, asked }) =>
    Layer.mock(CodeHost, {
      pullRequest: ({ number }) =>
        Effect.gen(function* () {
          yield* Ref.update(asked, (all) => [...all, number ?? 0])
          const state = states.get(number ?? 0)
          return state === undefined
            ? yield* new CodeHostError({ reason: "not_found", message: "There is no such pull request." })
            : { ...open, state }
        })
    })
  )
)

const gitHub: GitHubApp = {
  url: "https://github.com",
  apiUrl: "https://api.github.com",
  webhookSecret: null,
  repositoryOf: (cloneUrl) =>
    cloneUrl.startsWith("https://github.com/") ? Option.some({ owner: "acme", repo: "api" }) : Option.none(),
  installationOf: () => Effect.succeedNone,
  installUrl: Effect.succeed("https://github.com/apps/assay"),
  token: () => Effect.dieMessage("not asked for here"),
  forget: () => Effect.void
}

const Watch = Layer.fresh(IssuePullRequestWatch.Default).pipe(
  Layer.provide(codeHost),
  Layer.provide(Layer.succeed(ConfiguredGitHubApp, gitHub)),
  Layer.provideMerge(Host.Default),
  Layer.provideMerge(TestApp)
)

const aBoard = (cloneUrl: string) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    const sql = yield* SqlClient.SqlClient
    yield* aProject(owner, { name: "Plans" })
    const repository = yield* aRegisteredRepository(owner)
    yield* sql`UPDATE repositories SET clone_url = ${cloneUrl} WHERE id = ${repository.id}`
    const [issue] = yield* issuesIn(owner, "plans", 1)
    return { owner, issue: issue!, repository }
  })

const attach = (person: Person, issue: IssueNumber, url: string) =>
  Effect.flatMap(IssuePullRequests, (pullRequests) => pullRequests.attach(issue, { url })).pipe(as(person))

const read = (person: Person, issue: IssueNumber) =>
  Effect.flatMap(IssueWriter, (writer) => writer.read(issue)).pipe(
    Effect.map(({ status, close_reason, pull_requests }) => [
      status,
      close_reason,
      pull_requests.map(({ state }) => state)
    ]),
    as(person)
  )

/** The pull requests of the host, then a round of the watch. */
const round = (states: Readonly<Record<number, PullRequestState["state"]>>) =>
  Effect.gen(function* () {
    const host = yield* Host
    for (const [number, state] of Object.entries(states)) host.states.set(Number(number), state)
    yield* Ref.set(host.asked, [])
    yield* TestClock.adjust("1 minute")
    yield* (yield* IssuePullRequestWatch).tick()
    return yield* Ref.get(host.asked)
  })

const page = (number: number) => `https://github.com/acme/api/pull/${number}`

layer(Watch)("pull requests of issues", (it) => {
  it.effect("show their state, and the last one that is merged sends the issue to review", () =>
    Effect.gen(function* () {
      const { owner, issue } = yield* aBoard("https://github.com/acme/api.git")
      yield* attach(owner, issue, page(1))
      yield* attach(owner, issue, page(2))
      yield* attach(owner, issue, page(3))
      assert.deepStrictEqual(yield* read(owner, issue), ["open", null, ["unknown", "unknown", "unknown"]])
      yield* round({ 1: "open", 2: "open" })
      assert.deepStrictEqual(yield* read(owner, issue), ["open", null, ["open", "open", "unknown"]])
      yield* round({ 1: "merged" })
      assert.deepStrictEqual(yield* read(owner, issue), ["open", null, ["merged", "open", "unknown"]])
      yield* round({ 2: "merged" })
      assert.deepStrictEqual(yield* read(owner, issue), ["in_review", null, ["merged", "merged", "unknown"]])
      // What is merged is not asked for again; what the host did not know, is.
      assert.deepStrictEqual(yield* round({}), [3])
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<{ readonly event: string }>`SELECT event FROM issue_events
        WHERE workspace_id = ${owner.workspace_id} AND actor->>'kind' = 'system' ORDER BY seq`
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        [...Array.from({ length: 4 }, () => "pull_request_changed"), "status_changed"]
      )
    })
  )

  it.effect("close the issue where its project says so", () =>
    Effect.gen(function* () {
      const { owner, issue } = yield* aBoard("https://github.com/acme/api.git")
      const projects = yield* Projects
      const { close_on_merge } = yield* projects.update("plans", { close_on_merge: true }).pipe(as(owner))
      assert.isTrue(close_on_merge)
      assert.isTrue((yield* projects.update("plans", { name: "Plan" }).pipe(as(owner))).close_on_merge)
      yield* attach(owner, issue, page(11))
      yield* round({ 11: "merged" })
      assert.deepStrictEqual(yield* read(owner, issue), ["done", "completed", ["merged"]])
    })
  )

  it.effect("that are closed unmerged leave the issue as it is", () =>
    Effect.gen(function* () {
      const { owner, issue } = yield* aBoard("https://github.com/acme/api.git")
      yield* attach(owner, issue, page(21))
      yield* round({ 21: "closed" })
      assert.deepStrictEqual(yield* read(owner, issue), ["open", null, ["closed"]])
    })
  )

  it.effect("of a host that cannot be asked stay unknown", () =>
    Effect.gen(function* () {
      const { owner, issue } = yield* aBoard("https://git.example.org/acme/api.git")
      yield* attach(owner, issue, "https://git.example.org/acme/api/pull/31")
      yield* attach(owner, issue, "https://reviews.example.org/31")
      assert.notInclude(yield* round({ 31: "merged" }), 31)
      assert.deepStrictEqual(yield* read(owner, issue), ["open", null, ["unknown", "unknown"]])
    })
  )

  it.effect("are looked at when GitHub reports a change of their repository", () =>
    Effect.gen(function* () {
      const { owner, issue, repository } = yield* aBoard("https://github.com/acme/api.git")
      yield* attach(owner, issue, page(41))
      yield* round({ 41: "open" })
      const { states } = yield* Host
      states.set(41, "merged")
      const watch = yield* IssuePullRequestWatch
      yield* watch.look({ workspace_id: owner.workspace_id, repository_id: repository.id })
      assert.deepStrictEqual(yield* read(owner, issue), ["in_review", null, ["merged"]])
    })
  )
})
