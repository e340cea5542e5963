import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Redacted } from "effect"
import { throughGitHub } from "../../../src/layers/GitHubCodeHost.ts"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { RepositoryId, WorkspaceId } from "../../../src/schema/Ids.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { aGitHub } from "../../support/GitHubServer.ts"
import { appAt, grantedPermissions } from "../../support/github/app.ts"
import { headOf } from "../../support/github/state.ts"
import { aFolder } from "../../support/gitRepository.ts"

const workspace_id = WorkspaceId.make("01a1f7f4-73e5-765f-a9a3-1ade393e2cf4")
const repository_id = RepositoryId.make("01a1f7f4-73e5-765f-a9a3-1ade393e2cf5")

/** A private repository of `acme` that the app covers, with a fix on a branch of its own. */
const aWorld = Effect.gen(function* () {
  const github = yield* aGitHub
  const installation = github.state.install("acme", grantedPermissions)
  const hosted = github.state.host("acme", "shop", { "a.txt": "one\n" }, { isPrivate: true, installation })
  hosted.bare.git("update-ref", "refs/heads/assay/fix-obs-1", "refs/heads/main")
  hosted.bare.commit({ "a.txt": "two\n" }, { branch: "assay/fix-obs-1" })
  const connection = appAt(github)
  const git = PlainGitCodeHost.layer({ dataDir: aFolder(), localRoots: [], allowPrivateNetwork: true })
  const host = yield* Effect.provide(CodeHost, throughGitHub(git, connection))
  const key = {
    repositoryId: repository_id,
    remote: {
      url: `${github.url}/acme/shop.git`,
      access: { workspace_id, repository_id, access_mode: "installed" as const }
    },
    base: "main",
    head: "assay/fix-obs-1"
  }
  const change = {
    ...key,
    base_commit: headOf(hosted, "main") ?? "",
    head_commit: headOf(hosted, "assay/fix-obs-1") ?? "",
    diff: null
  }
  const text = { title: "Bind the parameter", body: "It was concatenated." }
  const open = host.openPullRequest({ ...key, ...text })
  const timesCalled = (operation: string) => github.calls.filter((name) => name === operation).length
  return { github, hosted, installation, host, key, change, text, open, timesCalled, ...connection }
})

const create = "POST /repos/{owner}/{repo}/pulls"
const tokens = "POST /app/installations/{installation_id}/access_tokens"

describe("the checking server", () => {
  it.scopedLive("ends a test with the name of what is not as GitHub publishes it", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Effect.scoped(
          Effect.gen(function* () {
            const { github, hosted, app } = yield* aWorld
            const token = yield* app.token({ owner: "acme", repo: "shop" }, { pull_requests: "write" })
            const send = (path: string, body: object) =>
              Effect.promise(() =>
                fetch(`${github.apiUrl}${path}`, {
                  method: "POST",
                  headers: { authorization: `Bearer ${Redacted.value(token)}` },
                  body: JSON.stringify(body)
                })
              )
            yield* send("/repos/acme/shop/pulls", { title: 1, head: "x", base: "main", merge: true })
            yield* send("/repos/acme/shop/pullrequests", {})
            Object.assign(hosted, { id: "not a number" })
            yield* Effect.promise(() => fetch(`${github.apiUrl}/repos/acme/shop?deep=1`))
          })
        )
      )
      const report = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
      assert.include(report, `${create}: /title must be string`)
      assert.include(report, `${create}: body has a field merge that does not exist`)
      assert.include(report, "POST /repos/acme/shop/pullrequests: GitHub has no such operation")
      assert.include(report, "GET /repos/{owner}/{repo}: query parameter deep does not exist")
    })
  )
})

describe("tokens of an installation", () => {
  it.scopedLive("are for one repository and purpose, and shared until shortly before they end", () =>
    Effect.gen(function* () {
      const { github, app, timesCalled } = yield* aWorld
      const repository = { owner: "acme", repo: "shop" }
      const purpose = { contents: "read" } as const
      const [first, second] = yield* Effect.all([app.token(repository, purpose), app.token(repository, purpose)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(Redacted.value(first), Redacted.value(second))
      assert.strictEqual(timesCalled(tokens), 1)
      const issued = github.state.tokens.get(Redacted.value(first))
      assert.deepStrictEqual(issued?.permissions, purpose)
      assert.deepStrictEqual(issued?.repositories, ["shop"])
      github.state.tokenSeconds = 200
      const short = yield* app.token(repository, { checks: "write" })
      assert.notStrictEqual(
        Redacted.value(yield* app.token(repository, { checks: "write" })),
        Redacted.value(short),
        "one that ends within minutes is not used for another call"
      )
    })
  )

  it.scopedLive("are replaced when GitHub takes them no longer", () =>
    Effect.gen(function* () {
      const { github, open, timesCalled } = yield* aWorld
      yield* open
      github.state.tokens.clear()
      assert.strictEqual((yield* open).number, 1)
      assert.strictEqual(timesCalled(tokens), 2)
    })
  )

  it.scopedLive("are not to be had without an installation, and the error names where to install the app", () =>
    Effect.gen(function* () {
      const { github, installation, open } = yield* aWorld
      installation.suspended = true
      assert.strictEqual((yield* Effect.flip(open)).reason, "not_found")
      installation.removed = true
      const removed = yield* Effect.flip(open)
      assert.strictEqual(removed.reason, "not_found")
      assert.include(removed.message, `${github.url}/apps/${github.slug}/installations/new`)
    })
  )
})

describe("a pull request on GitHub", () => {
  it.scopedLive("is opened once, however often it is asked for", () =>
    Effect.gen(function* () {
      const { github, hosted, open, timesCalled, text } = yield* aWorld
      const opened = yield* open
      assert.deepStrictEqual(opened, { url: `${github.url}/acme/shop/pull/1`, number: 1 })
      assert.deepStrictEqual(yield* open, opened)
      assert.strictEqual(timesCalled(create), 1)
      assert.deepInclude(hosted.pulls[0], { ...text, head: "assay/fix-obs-1", base: "main" })
    })
  )

  it.scopedLive("is found again when the answer to its opening was lost", () =>
    Effect.gen(function* () {
      const { github, hosted, open } = yield* aWorld
      github.misbehave({ operation: create, times: 1, how: { kind: "cut", after: true } })
      assert.strictEqual((yield* open).number, 1)
      assert.lengthOf(hosted.pulls, 1)
    })
  )

  it.scopedLive("is the one that another worker opened at the same time", () =>
    Effect.gen(function* () {
      const { hosted, open } = yield* aWorld
      const opened = yield* Effect.all([open, open, open], { concurrency: "unbounded" })
      assert.deepStrictEqual([...new Set(opened.map(({ number }) => number))], [1])
      assert.lengthOf(hosted.pulls, 1)
    })
  )

  it.scopedLive("is another one than an ended one of an earlier branch of the same name", () =>
    Effect.gen(function* () {
      const { hosted, host, key, open, change } = yield* aWorld
      yield* open
      yield* host.closePullRequest({ ...key, number: 1, comment: "Withdrawn." })
      hosted.bare.git("update-ref", "refs/heads/assay/fix-obs-1", "refs/heads/main")
      hosted.bare.commit({ "a.txt": "three\n" }, { branch: "assay/fix-obs-1" })
      assert.strictEqual((yield* open).number, 2)
      const looked = yield* host.pullRequest({ ...change, number: null })
      assert.strictEqual(looked.state, "open")
    })
  )

  it.scopedLive("is the merged one when the branch was merged before the answer was recorded", () =>
    Effect.gen(function* () {
      const { github, hosted, open } = yield* aWorld
      yield* open
      const [pull] = hosted.pulls
      if (pull !== undefined) github.state.merge(hosted, pull, "squash")
      assert.strictEqual((yield* open).number, 1)
    })
  )

  for (const method of ["merge", "squash", "rebase"] as const) {
    it.scopedLive(`counts as merged after a ${method}, with the commit of the base branch`, () =>
      Effect.gen(function* () {
        const { github, hosted, host, open, change } = yield* aWorld
        const { number } = yield* open
        const before = yield* host.pullRequest({ ...change, number })
        assert.deepStrictEqual(before, {
          state: "open",
          head_commit: change.head_commit,
          merge_commit: null,
          conflicted: false
        })
        const [pull] = hosted.pulls
        const commit = pull === undefined ? null : github.state.merge(hosted, pull, method)
        const after = yield* host.pullRequest({ ...change, number })
        assert.deepInclude(after, { state: "merged", merge_commit: commit })
      })
    )
  }

  it.scopedLive("says that it conflicts once the base branch has moved under it", () =>
    Effect.gen(function* () {
      const { hosted, host, open, change } = yield* aWorld
      const { number } = yield* open
      hosted.bare.commit({ "a.txt": "other\n" }, { branch: "main" })
      assert.deepInclude(yield* host.pullRequest({ ...change, number }), { state: "open", conflicted: true })
    })
  )

  it.scopedLive("is closed with one comment and without its branch, however often", () =>
    Effect.gen(function* () {
      const { github, hosted, host, key, open, change } = yield* aWorld
      const { number } = yield* open
      const close = host.closePullRequest({ ...key, number, comment: "Withdrawn by a person." })
      github.misbehave({
        operation: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
        times: 1,
        how: { kind: "cut", after: true }
      })
      yield* Effect.flip(close)
      yield* close
      yield* close
      assert.strictEqual(headOf(hosted, key.head), null)
      assert.lengthOf(hosted.pulls[0]?.comments ?? [], 1)
      assert.deepInclude(yield* host.pullRequest({ ...change, number }), { state: "closed", head_commit: null })
    })
  )

  it.scopedLive("takes a new title and text, and one comment for each marker", () =>
    Effect.gen(function* () {
      const { hosted, host, key, open } = yield* aWorld
      const { number } = yield* open
      yield* host.updatePullRequest({ ...key, number, title: "Better", body: "Revised." })
      const say = (body: string) => host.comment({ ...key, number, marker: "assay:note", body })
      const first = yield* say("One.")
      assert.deepStrictEqual(yield* say("Two."), first)
      assert.isTrue(Option.isSome(first))
      yield* host.comment({ ...key, number, marker: "assay:other", body: "Three." })
      assert.deepInclude(hosted.pulls[0], { title: "Better", body: "Revised." })
      assert.deepStrictEqual(
        hosted.pulls[0]?.comments.map(({ body }) => body),
        ["<!-- assay:note -->\nTwo.", "<!-- assay:other -->\nThree."]
      )
    })
  )
})

describe("failures of GitHub", () => {
  it.scopedLive("that pass are waited for when only looking, and a change is not repeated blindly", () =>
    Effect.gen(function* () {
      const { github, open, timesCalled } = yield* aWorld
      const list = "GET /repos/{owner}/{repo}/pulls"
      github.misbehave({ operation: list, times: 1, how: { kind: "answer", status: 502, message: "Server Error" } })
      github.misbehave({ operation: list, times: 1, how: { kind: "cut", after: false } })
      assert.strictEqual((yield* open).number, 1)
      assert.strictEqual(timesCalled(create), 1)
    })
  )

  it.scopedLive("have a reason, and a message without a credential", () =>
    Effect.gen(function* () {
      const { github, open } = yield* aWorld
      const cases = [
        {
          status: 403,
          message: "You have exceeded a secondary rate limit",
          headers: { "retry-after": 3600 },
          reason: "rate_limited"
        },
        { status: 429, message: "Too many", headers: {}, reason: "rate_limited" },
        { status: 403, message: "Resource not accessible by integration", headers: {}, reason: "authentication" },
        { status: 404, message: "Not Found", headers: {}, reason: "not_found" },
        { status: 409, message: "Conflict", headers: {}, reason: "push_rejected" },
        { status: 422, message: "Validation Failed", headers: {}, reason: "push_rejected" },
        { status: 503, message: "Unavailable", headers: {}, reason: "unreachable" }
      ]
      for (const { reason, ...answer } of cases) {
        github.misbehave({ operation: create, times: 1, how: { kind: "answer", ...answer } })
        const error = yield* Effect.flip(open)
        assert.strictEqual(error.reason, reason, answer.message)
        assert.notMatch(error.message, /ghs_|eyJ/)
      }
    })
  )

  it.scopedLive("ask for a short wait, and are given it", () =>
    Effect.gen(function* () {
      const { github, open } = yield* aWorld
      const headers = { "retry-after": 0 }
      const message = "You have exceeded a secondary rate limit"
      github.misbehave({ operation: create, times: 1, how: { kind: "answer", status: 403, message, headers } })
      assert.strictEqual((yield* open).number, 1)
    })
  )
})

describe("git on GitHub", () => {
  it.scopedLive("clones and pushes with a token of the installation", () =>
    Effect.gen(function* () {
      const { hosted, host, key, change } = yield* aWorld
      const { commit, gitDir } = yield* host.fetch({ ...key, branch: "main" })
      assert.strictEqual(commit, change.base_commit)
      const request = { ...key, gitDir, commit, branch: "assay/fix-obs-2", expected: null }
      yield* host.push(request)
      yield* host.push(request)
      assert.strictEqual(headOf(hosted, "assay/fix-obs-2"), commit)
    })
  )

  it.scopedLive("reads a public repository without the app, and no private one", () =>
    Effect.gen(function* () {
      const { hosted, host, key } = yield* aWorld
      const remote = { ...key.remote, access: { ...key.remote.access, access_mode: "anonymous" as const } }
      assert.include(["not_found", "authentication"], (yield* Effect.flip(host.inspect(remote))).reason)
      hosted.isPrivate = false
      assert.strictEqual((yield* host.inspect(remote)).default_branch, "main")
    })
  )

  it.scopedLive("names where to install the app that is not installed", () =>
    Effect.gen(function* () {
      const { github, installation, host, key } = yield* aWorld
      installation.removed = true
      const error = yield* Effect.flip(host.inspect(key.remote))
      assert.strictEqual(error.reason, "not_found")
      assert.include(error.message, `${github.url}/apps/${github.slug}/installations/new`)
    })
  )

  it.scopedLive("pushes no change of a workflow", () =>
    Effect.gen(function* () {
      const { hosted, host, key } = yield* aWorld
      const { gitDir } = yield* host.fetch({ ...key, branch: "main" })
      const commit = hosted.bare.commit({ ".github/workflows/ci.yml": "on: push\n" }, { branch: "outside" })
      hosted.bare.git("update-ref", "refs/keep/outside", commit)
      yield* host.fetchRevision({ ...key, branch: "main", revision: { kind: "branch", name: "outside" } })
      hosted.bare.git("update-ref", "-d", "refs/heads/outside")
      const error = yield* Effect.flip(host.push({ ...key, gitDir, commit, branch: "assay/fix-obs-3", expected: null }))
      assert.strictEqual(error.reason, "workflow_file")
    })
  )
})

describe("remotes that the app is not used for", () => {
  it.scopedLive("have pull requests by git alone", () =>
    Effect.gen(function* () {
      const { github, hosted, host, key } = yield* aWorld
      hosted.isPrivate = false
      const remote = { ...key.remote, access: { ...key.remote.access, access_mode: "anonymous" as const } }
      const opened = yield* host.openPullRequest({ ...key, remote, title: "x", body: "y" })
      assert.strictEqual(opened.number, null)
      assert.deepStrictEqual(
        github.calls.filter((name) => !name.startsWith("git ")),
        []
      )
    })
  )
})
