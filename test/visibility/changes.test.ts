import { request } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, TestClock } from "effect"
import { permissionsOf } from "../../src/services/access/roles.ts"
import { aJob, aKey, aMember, anObservation, aProject, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { type Call, type Cookie, errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/repos/acme/api/main"
const absent = "/api/repos/acme/abs/main"

/** A repository that a member knows, and an owner who can hide it. */
const aKnownRepository = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const member = yield* aMember(owner.workspace_id, "member")
  const insider = yield* aMember(owner.workspace_id, "member")
  const { api_key } = yield* aKey(member, { scopes: [...permissionsOf("member")] })
  const repository = yield* aRegisteredRepository(owner)
  const { slug } = yield* aProject(owner, { name: "Plans" })
  const project = `/api/projects/${slug}`
  const names = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
  yield* send({ path: `${project}/repositories`, as: owner.session, json: names })
  const role = { method: "PUT", path: `${project}/roles`, as: owner.session }
  yield* send({ ...role, json: { email: insider.email, role: "viewer" } })
  const job = yield* aJob(member, repository)
  const becomes = (visibility: "restricted" | "workspace") =>
    Effect.map(send({ method: "PATCH", path, as: owner.session, json: { visibility } }), ({ status, text }) =>
      assert.strictEqual(status, 200, text)
    )
  return { owner, member, insider, api_key, repository, project, role, job, becomes }
})

/** Reads a job's events live; resolves with the status once the first event is there. */
const reader = (id: string, as: string | Cookie) =>
  Effect.gen(function* () {
    const { url } = yield* App
    const ended = yield* Deferred.make<"ended">()
    const credentials =
      typeof as === "string" ? { authorization: `Bearer ${as}` } : { cookie: `assay_session=${as.cookie}` }
    yield* Effect.async<void>((resume) => {
      const outgoing = request(new URL(`/api/jobs/${id}/events`, url), {
        agent: false,
        headers: { accept: "text/event-stream", ...credentials }
      })
      outgoing.on("error", () => {})
      outgoing.on("response", (incoming) => {
        incoming.on("error", () => {})
        incoming.on("end", () => Effect.runFork(Deferred.succeed(ended, "ended")))
        incoming.once("data", () => {
          incoming.resume()
          resume(Effect.void)
        })
      })
      outgoing.end()
    })
    return ended
  })

layer(TestApp)((it) => {
  describe("a repository that becomes restricted", () => {
    it.effect("ends the open streams of its jobs for those who may not see it any more, and for no one else", () =>
      Effect.gen(function* () {
        const { api_key, member, insider, job, becomes } = yield* aKnownRepository
        const [byKey, bySession] = [yield* reader(job.id, api_key), yield* reader(job.id, member.session)]
        const stays = yield* reader(job.id, insider.session)
        yield* becomes("restricted")
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* Deferred.await(byKey), "ended")
        assert.strictEqual(yield* Deferred.await(bySession), "ended")
        assert.isFalse(yield* Deferred.isDone(stays))
        assert.strictEqual(yield* outcome({ path: `/api/jobs/${job.id}/events`, as: api_key }), "404 not_found")
        yield* send({ method: "POST", path: `/api/jobs/${job.id}/cancel`, as: insider.session })
        assert.strictEqual(yield* Deferred.await(stays), "ended")
      })
    )

    it.effect("takes what one did and learned there along, and brings it back", () =>
      Effect.gen(function* () {
        const { owner, member, repository, becomes } = yield* aKnownRepository
        const as = member.session
        const ref = yield* anObservation(owner, repository)
        const bulk = { action: "acknowledge", refs: [ref] }
        const { operation_id } = jsonOf(yield* send({ path: "/api/observations/bulk", as, json: bulk }))
        const view = { name: "Mine", query: "repo=api%40main", shared: false }
        const { id } = jsonOf(yield* send({ path: "/api/views", as, json: view }))
        const submit: Call = {
          path: `${path}/jobs`,
          as,
          json: { workflow: "audit" },
          headers: { "idempotency-key": "once" }
        }
        const first = jsonOf(yield* send(submit))
        yield* send({ method: "POST", path: `/api/jobs/${first.id}/cancel`, as: owner.session })
        const lists = ["/api/notices", "/api/views", "/api/jobs", "/api/observations", "/api/repos"]
        const sizes = Effect.forEach(lists, (list) =>
          Effect.map(send({ path: list, as }), (answer) => (jsonOf(answer).data as ReadonlyArray<unknown>).length)
        )
        assert.deepStrictEqual(yield* sizes, [1, 1, 2, 1, 1])

        yield* becomes("restricted")
        assert.deepStrictEqual(yield* sizes, [0, 0, 0, 0, 0])
        assert.strictEqual(yield* outcome(submit), "404 not_found")
        const undo = { method: "POST", path: `/api/observations/bulk/${operation_id}/undo`, as }
        assert.strictEqual(yield* outcome(undo), "404 not_found")
        assert.strictEqual(yield* outcome({ method: "DELETE", path: `/api/views/${id}`, as }), "404 not_found")

        yield* becomes("workspace")
        assert.deepStrictEqual(yield* sizes, [1, 1, 2, 1, 1])
        assert.strictEqual(jsonOf(yield* send(submit)).id, first.id)
        assert.strictEqual(yield* outcome(undo), "200")
      })
    )

    it.effect("follows roles: withdrawn, granted above, and the workspace's own", () =>
      Effect.gen(function* () {
        const { owner, member, insider, api_key, role, becomes } = yield* aKnownRepository
        yield* becomes("restricted")
        const seenBy = (as: Call["as"]) => outcome({ path, as })
        assert.strictEqual(yield* seenBy(insider.session), "200")
        yield* send({ ...role, method: "DELETE", path: `${role.path}/${insider.user_id}` })
        assert.strictEqual(yield* seenBy(insider.session), "404 not_found")
        yield* send({ ...role, json: { email: member.email, role: "viewer" } })
        assert.deepStrictEqual([yield* seenBy(member.session), yield* seenBy(api_key)], ["200", "200"])
        const change = { method: "PATCH", path: `/api/workspace/members/${insider.user_id}`, as: owner.session }
        yield* send({ ...change, json: { role: "admin" } })
        assert.strictEqual(yield* seenBy(insider.session), "200")
      })
    )

    it.effect("keeps its name: registering it again shows no more than the request, previewing it nothing", () =>
      Effect.gen(function* () {
        const { api_key, becomes } = yield* aKnownRepository
        const { cloneUrl } = yield* App
        yield* becomes("restricted")
        const named = (github_repo: string) => ({ github_org: "acme", github_repo, clone_url: cloneUrl })
        const preview = (github_repo: string) =>
          Effect.map(send({ path: "/api/repos/preview", as: api_key, json: named(github_repo) }), ({ text }) => text)
        assert.strictEqual((yield* preview("api")).replaceAll('"api"', '"abs"'), yield* preview("abs"))
        const taken = errorOf(yield* send({ path: "/api/repos", as: api_key, json: named("api") }))
        assert.strictEqual(taken.code, "repo_already_registered")
        assert.deepStrictEqual(taken.details, { repo_name: "api@main", github_org: "acme" })
        assert.strictEqual(yield* outcome({ path, as: api_key }), yield* outcome({ path: absent, as: api_key }))
      })
    )
  })

  describe("context of a level that is hidden", () => {
    it.effect("is passed down without a trace of the level", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const member = yield* aMember(owner.workspace_id, "member")
        yield* aRegisteredRepository(owner, "api")
        const above = yield* aProject(owner, { name: "Zqinner plans", kind: "space" })
        const below = yield* aProject(owner, { name: "Below", parent: above.slug })
        const json = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
        yield* send({ path: `/api/projects/${above.slug}/repositories`, as: owner.session, json })
        const entry = {
          scope: "subtree",
          key: "deploys",
          kind: "note",
          title: "Deploys",
          summary: "Deploys go out on Tuesdays."
        }
        yield* send({ path: `/api/projects/${above.slug}/context/entries`, as: owner.session, json: entry })
        yield* send({ method: "PATCH", path, as: owner.session, json: { visibility: "restricted" } })

        const read = (route: string) => send({ path: `/api/projects/${below.slug}${route}`, as: member.session })
        const routes = ["", ...["", "/digest", "/deploys", "/deploys/history"].map((of) => `/context/entries${of}`)]
        for (const route of routes) {
          const { status, text } = yield* read(route)
          assert.strictEqual(status, 200, `${route}: ${text}`)
          assert.notMatch(text, /zqinner/i, route)
          if (!route.endsWith("history")) assert.include(text, '"source_hidden":true', route)
        }
        for (const route of [...routes, "/roles"]) {
          const of = (slug: string) => outcome({ path: `/api/projects/${slug}${route}`, as: member.session })
          assert.deepStrictEqual(yield* Effect.all([of(above.slug), of("no-such-level")]), [
            "404 project_not_found",
            "404 project_not_found"
          ])
        }
        assert.strictEqual(jsonOf(yield* read("/context/entries")).chain_ok, false)
      })
    )
  })
})
