import { createRequire } from "node:module"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { GitHubEvents } from "../../src/services/github/GitHubEvents.ts"
import { aKey, aWorkspace } from "../support/builders.ts"
import { AppOnGitHub, GitHub } from "../support/github/AppOnGitHub.ts"
import { grantedPermissions } from "../support/github/app.ts"
import type { Installation } from "../support/github/state.ts"
import { App } from "../support/TestApp.ts"
import { jsonOf, send } from "../support/wire.ts"

/** A file of JSON: its types are those of a module. */
const examples: ReadonlyArray<{ readonly name: string; readonly examples: ReadonlyArray<object> }> = createRequire(
  import.meta.url
)("@octokit/webhooks-examples")

let organisations = 0

/** A workspace, and a repository of an organisation of its own that the app covers. */
const aWorld = Effect.gen(function* () {
  const github = yield* GitHub
  const owner = `acme-${++organisations}`
  const installation = github.state.install(owner, grantedPermissions)
  const hosted = github.state.host(owner, "shop", { "a.txt": "one\n" }, { isPrivate: true, installation })
  const person = yield* aWorkspace()
  const { api_key } = yield* aKey(person)
  const path = `/api/repos/${owner}/shop/main`
  const request = { github_org: owner, github_repo: "shop" }
  const register = (body: object) =>
    send({ method: "POST", path: "/api/repos", as: api_key, body: JSON.stringify({ ...request, ...body }) })
  const change = (body: object) => send({ method: "PATCH", path, as: api_key, body: JSON.stringify(body) })
  const status = Effect.map(send({ path, as: api_key }), (answer) => jsonOf(answer).installation_status)
  const reviews = Effect.map(send({ path: `${path}/jobs?workflow=review`, as: api_key }), (answer) => {
    const { data } = jsonOf(answer)
    return Array.isArray(data)
      ? data.map(({ params, requested_by }) => [params.pull_request, params.head, requested_by.label])
      : []
  })
  return { github, owner, installation, hosted, person, api_key, register, change, status, reviews }
})

interface AnswerBody {
  readonly status?: string
  readonly error?: { readonly type: string; readonly code: string }
}

type Headers = Readonly<Record<string, string>>

const post = (body: string, headers: Headers) =>
  Effect.flatMap(App, ({ url }) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/api/webhooks/github`, { method: "POST", body, headers })
      return { status: response.status, body: (await response.json()) as AnswerBody }
    })
  )

/** Signed as GitHub does, and worked on. */
const deliver = (event: string, payload: object, id?: string) =>
  Effect.gen(function* () {
    const github = yield* GitHub
    const body = JSON.stringify(payload)
    const answer = yield* post(body, github.delivery(event, body, id))
    const events = yield* GitHubEvents
    yield* events.tick()
    return answer
  })

const repositoryNamed = (owner: string) => ({ full_name: `${owner}/shop` })

const pullRequest = (
  owner: string,
  action: string,
  { head = "feature", base = "main", sha = "a".repeat(40) } = {}
) => ({
  action,
  repository: repositoryNamed(owner),
  pull_request: { number: 7, head: { ref: head, sha }, base: { ref: base } }
})

const installationEvent = (action: string, { account, id }: Installation) => ({
  action,
  installation: { id, account: { login: account } },
  repositories: [repositoryNamed(account)]
})

layer(AppOnGitHub, { excludeTestServices: true })("GitHub's webhook", (it) => {
  it.effect("accepts what GitHub signed, and nothing else", () =>
    Effect.gen(function* () {
      const { github, owner } = yield* aWorld
      const body = JSON.stringify(pullRequest(owner, "opened"))
      const headers = github.delivery("pull_request", body)
      const { "x-hub-signature-256": signature, ...unsigned } = headers
      const forged = [
        [body, unsigned],
        [body.replace("feature", "another"), headers],
        [body, { ...unsigned, "x-hub-signature-256": `${signature?.slice(0, -1)}x` }],
        [body, { ...unsigned, "x-hub-signature-256": "sha256=" }]
      ] as const
      for (const [text, sent] of forged) {
        const answer = yield* post(text, sent)
        assert.strictEqual(answer.status, 401)
        assert.deepInclude(answer.body.error, { type: "authentication_error", code: "invalid_signature" })
      }
      assert.deepInclude(yield* post(body, headers), { status: 202, body: { status: "accepted" } })
    })
  )

  it.effect("rejects a body that is too large before it is read, and one that is no JSON", () =>
    Effect.gen(function* () {
      const { github } = yield* aWorld
      const large = "x".repeat(5 * 1024 * 1024 + 1)
      const answer = yield* post(large, github.delivery("push", large))
      assert.strictEqual(answer.status, 413)
      assert.strictEqual(answer.body.error?.code, "payload_too_large")
      assert.strictEqual((yield* post("payload=1", github.delivery("push", "payload=1"))).status, 400)
      const { "x-github-delivery": _, ...nameless } = github.delivery("push", "{}")
      assert.strictEqual((yield* post("{}", nameless)).status, 400)
    })
  )

  it.effect("takes each of GitHub's own example deliveries", () =>
    Effect.gen(function* () {
      const answers = new Map<number, number>()
      for (const { name, examples: payloads } of examples) {
        for (const payload of payloads) {
          const { status } = yield* deliver(name, payload)
          answers.set(status, (answers.get(status) ?? 0) + 1)
        }
      }
      assert.deepStrictEqual([...answers.keys()], [202])
      assert.isAbove(answers.get(202) ?? 0, 200)
      const sql = yield* SqlClient.SqlClient
      const failed =
        yield* sql`SELECT event, error FROM github_deliveries WHERE error IS NOT NULL OR processed_at IS NULL`
      assert.deepStrictEqual(failed, [])
    })
  )

  it.effect("starts a review of a pull request that is opened or pushed to, where the repository asks for it", () =>
    Effect.gen(function* () {
      const { owner, register, change, reviews } = yield* aWorld
      yield* register({})
      yield* deliver("pull_request", pullRequest(owner, "opened"))
      assert.deepStrictEqual(yield* reviews, [], "it is off unless a person switches it on")
      assert.strictEqual(jsonOf(yield* change({ auto_review: "on" })).auto_review, "on")
      yield* deliver("pull_request", pullRequest(owner, "opened"))
      yield* deliver("pull_request", pullRequest(owner, "synchronize", { sha: "b".repeat(40) }))
      yield* deliver("pull_request", pullRequest(owner, "labeled", { sha: "c".repeat(40) }))
      yield* deliver("pull_request", pullRequest(owner, "opened", { base: "other" }))
      assert.deepStrictEqual(yield* reviews, [
        [7, "b".repeat(40), "github"],
        [7, "a".repeat(40), "github"]
      ])
    })
  )

  it.effect("starts no review of a pull request that the service opened", () =>
    Effect.gen(function* () {
      const { owner, register, change, reviews } = yield* aWorld
      yield* register({})
      yield* change({ auto_review: "on" })
      yield* deliver("pull_request", pullRequest(owner, "opened", { head: "assay/fix-obs-12" }))
      assert.deepStrictEqual(yield* reviews, [])
    })
  )

  it.effect("does what a delivery asks for once, however often it comes", () =>
    Effect.gen(function* () {
      const { owner, register, change, reviews } = yield* aWorld
      yield* register({})
      yield* change({ auto_review: "on" })
      const id = crypto.randomUUID()
      const opened = pullRequest(owner, "opened")
      const [first, second] = [yield* deliver("pull_request", opened, id), yield* deliver("pull_request", opened, id)]
      assert.deepStrictEqual([first.body.status, second.body.status], ["accepted", "duplicate"])
      assert.lengthOf(yield* reviews, 1)
    })
  )

  it.effect("works on deliveries that a process accepted and did not live to work on", () =>
    Effect.gen(function* () {
      const { github, owner, register, change, reviews } = yield* aWorld
      yield* register({})
      yield* change({ auto_review: "on" })
      const body = JSON.stringify(pullRequest(owner, "opened"))
      yield* post(body, github.delivery("pull_request", body))
      assert.deepStrictEqual(yield* reviews, [], "the answer does not wait for the work")
      const { tick } = yield* GitHubEvents
      yield* tick()
      assert.lengthOf(yield* reviews, 1)
    })
  )

  it.effect("marks repositories when the installation that covers them ends, and when it is back", () =>
    Effect.gen(function* () {
      const { owner, installation, register, status } = yield* aWorld
      yield* register({})
      assert.strictEqual(yield* status, "active")
      for (const [event, payload, expected] of [
        ["installation", installationEvent("suspend", installation), "removed"],
        ["installation", installationEvent("unsuspend", installation), "active"],
        [
          "installation_repositories",
          { action: "removed", repositories_added: [], repositories_removed: [repositoryNamed(owner)] },
          "removed"
        ],
        [
          "installation_repositories",
          { action: "added", repositories_added: [repositoryNamed(owner)], repositories_removed: [] },
          "active"
        ],
        ["installation", { ...installationEvent("deleted", installation), repositories: [] }, "removed"]
      ] as const) {
        yield* deliver(event, payload)
        assert.strictEqual(yield* status, expected, event)
      }
    })
  )
})

layer(AppOnGitHub, { excludeTestServices: true })("a registration on GitHub", (it) => {
  it.effect("through the app needs an installation that covers the repository, and is named active", () =>
    Effect.gen(function* () {
      const { github, installation, register } = yield* aWorld
      const registered = yield* register({})
      assert.strictEqual(registered.status, 201)
      assert.deepInclude(jsonOf(registered), {
        access_mode: "installed",
        installation_status: "active",
        auto_review: "off"
      })
      installation.removed = true
      const elsewhere = yield* aWorld
      elsewhere.installation.removed = true
      const rejected = yield* elsewhere.register({})
      assert.strictEqual(rejected.status, 400)
      assert.include(rejected.text, `${github.url}/apps/${github.slug}/installations/new`)
    })
  )

  it.effect("without the app is for public repositories only", () =>
    Effect.gen(function* () {
      const { hosted, register } = yield* aWorld
      const closed = yield* register({ access_mode: "anonymous" })
      assert.deepStrictEqual(
        [closed.status, jsonOf(closed).error],
        [400, { ...Object(jsonOf(closed).error), code: "repo_no_longer_public" }]
      )
      hosted.isPrivate = false
      const open = yield* register({ access_mode: "anonymous" })
      assert.strictEqual(open.status, 201)
      assert.strictEqual(jsonOf(open).installation_status, "none")
    })
  )

  it.effect("that GitHub does not let verify is unverified", () =>
    Effect.gen(function* () {
      const { github, register } = yield* aWorld
      const operation = "GET /repos/{owner}/{repo}/installation"
      github.misbehave({ operation, times: 3, how: { kind: "answer", status: 502, message: "Bad Gateway" } })
      const answer = yield* register({})
      assert.strictEqual(answer.status, 503)
      assert.include(answer.text, "repo_unverified")
    })
  )
})
