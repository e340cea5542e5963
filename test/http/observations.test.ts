import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { DiscoveryFiles, RepositoryKnowledge } from "../../src/schema/Discovery.ts"
import { FixPrSummary } from "../../src/schema/Fix.ts"
import { page } from "../../src/schema/Page.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/repos/acme/api/main"

const start = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const { api_key } = yield* aKey(owner)
  const repository = yield* aRegisteredRepository(owner)
  return { owner, as: api_key, repository }
})

const refsOf = (text: string) =>
  (JSON.parse(text) as { data: ReadonlyArray<{ ref: string }> }).data.map(({ ref }) => ref)

layer(TestApp)((it) => {
  describe("observations over REST", () => {
    it.effect("are listed by every filter, alone and together, without a field too many", () =>
      Effect.gen(function* () {
        const { owner, as, repository } = yield* start
        const open = yield* anObservation(owner, repository)
        const closed = yield* anObservation(owner, repository, { closed: true, kind: "advisory", priority: "P3" })
        const list = (query: string) =>
          Effect.map(send({ as, path: `/api/observations?${query}` }), ({ text }) => refsOf(text))
        assert.deepStrictEqual(yield* list(""), [closed, open])
        const openOnly = [
          "kind=finding",
          "status=new",
          "priority=P1",
          "has_fix_pr=false&status=new",
          "easy_wins=true",
          "repo=api%40main&kind=finding",
          "repo=acme%2Fapi%40main&status=new",
          "order=display_rank&limit=1",
          "kind=finding,suggestion",
          "priority=P0,P1,P1&domain=security,ux",
          "tool=secret_detection&rule=aws-key&kind=finding",
          "first_seen_since=0001-01-01&first_seen_until=9999-01-01&status=new",
          "kind=finding&since=0001-01-01",
          "kind=finding&path=src%2F"
        ]
        for (const query of openOnly) assert.deepStrictEqual(yield* list(query), [open], query)
        assert.deepStrictEqual(yield* list("order=resolved"), [closed, open])
        assert.deepStrictEqual(yield* list("order=resolved&status=new"), [open])
        for (const query of ["status=closed", "close_reason=completed", "order=resolved&limit=1", "kind=advisory"]) {
          assert.deepStrictEqual(yield* list(query), [closed], query)
        }
        for (const query of [
          "needs_review=true",
          "has_fix_pr=true",
          "kind=suggestion",
          "since=2099-01-01",
          "domain=ux",
          "kind=suggestion&category=security,performance",
          "tool=sql_injection",
          "first_seen_until=0001-01-01",
          "first_seen_since=9999-01-01",
          "path=src%2Findex"
        ]) {
          assert.deepStrictEqual(yield* list(query), [], query)
        }
        const whole = yield* send({ as, path: "/api/observations?include=locations&limit=1" })
        const { data, has_more } = jsonOf(whole) as { data: ReadonlyArray<Record<string, unknown>>; has_more: boolean }
        assert.isTrue(has_more)
        for (const internal of ["sort_key", "open_fix_pr", "easy_win", "signatures", "anchor", "workspace_id"]) {
          assert.notProperty(data[0], internal)
        }
        assert.isArray(data[0]?.locations)
      })
    )

    it.effect("reject a filter that is unknown, misspelt or repeated, and a page that is too large", () =>
      Effect.gen(function* () {
        const { as } = yield* start
        const rejected: ReadonlyArray<readonly [string, string]> = [
          ["kind=bug", "kind"],
          ["status=open", "status"],
          ["priority=p1", "priority"],
          ["priority=P0,P4", "priority"],
          ["category=Security", "category"],
          ["category=security,", "category"],
          ["tool=,", "tool"],
          ["tool=secret_detection,secret_detecton", "tool"],
          ["rule=aws%20key", "rule"],
          ["rule=no.such_rule", "rule"],
          ["first_seen_since=today", "first_seen_since"],
          ["first_seen_until=2026-02-30T25:00", "first_seen_until"],
          ["close_reason=merged", "close_reason"],
          ["domain=", "domain"],
          ["order=rank", "order"],
          ["include=events", "include"],
          ["since=yesterday", "since"],
          ["since=2026-13-45", "since"],
          ["since=0000-01-01", "since"],
          ["since=9999-12-31T23:59:59-12:00", "since"],
          ["has_fix_pr=1", "has_fix_pr"],
          ["easy_wins=TRUE", "easy_wins"],
          ["needs_review=yes", "needs_review"],
          ["limit=201", "limit"],
          ["limit=0", "limit"],
          ["limit=-1", "limit"],
          ["limit=1e2", "limit"],
          ["colour=red", "colour"],
          ["kind=finding&kind=advisory", "kind"]
        ]
        for (const [query, param] of rejected) {
          const response = yield* send({ as, path: `/api/observations?${query}` })
          const error = errorOf(response)
          assert.deepStrictEqual([response.status, error.code, error.param], [422, "invalid_payload", param], query)
          assert.strictEqual(error.errors?.length, 1, query)
        }
        assert.strictEqual(yield* outcome({ as, path: "/api/observations?cursor=abc" }), "400 invalid_cursor")
        assert.strictEqual(yield* outcome({ as, path: "/api/observations?repo=nothing%40main" }), "404 not_found")
      })
    )

    it.effect("take a fix request with a body, an empty one or none, and nothing else in it", () =>
      Effect.gen(function* () {
        const { owner, as, repository } = yield* start
        const fix = (ref: string, call: { readonly json?: unknown; readonly body?: string }) =>
          outcome({ as, method: "POST", path: `/api/observations/${ref}/fix`, ...call })
        for (const call of [{}, { json: {} }, { json: { extra_attempt: true } }, { body: "" }, { json: null }]) {
          const ref = yield* anObservation(owner, repository)
          assert.strictEqual(yield* fix(ref, call), "200", JSON.stringify(call))
          assert.strictEqual(yield* fix(ref, call), "422 observation_not_fixable", JSON.stringify(call))
        }
        const ref = yield* anObservation(owner, repository)
        for (const json of [{ extra_attempt: "true" }, { extra_attempt: null }, { force: true }, [], "x", 1]) {
          assert.strictEqual(yield* fix(ref, { json }), "422 invalid_payload", JSON.stringify(json))
        }
        // A number that no column holds is one that no observation has.
        const outcomes = {
          "OBS-0": "422 invalid_payload",
          "obs-1": "422 invalid_payload",
          "OBS-99999999999": "422 invalid_payload",
          "1": "422 invalid_payload",
          "OBS-1%00": "422 nul_byte",
          "OBS-2147483648": "404 not_found",
          "OBS-9999999999": "404 not_found"
        }
        for (const [name, expected] of Object.entries(outcomes)) {
          const path = `/api/observations/${name}/fix`
          assert.strictEqual(yield* outcome({ as, method: "POST", path }), expected, name)
        }
      })
    )

    it.effect("that are advisories are 422 observation_not_fixable, before anything else is looked at", () =>
      Effect.gen(function* () {
        const { owner, as, repository } = yield* start
        const ref = yield* anObservation(owner, repository, { kind: "advisory" })
        const call = { as, method: "POST", path: `/api/observations/${ref}/fix` }
        assert.strictEqual(yield* outcome(call), "422 observation_not_fixable")
        assert.strictEqual(
          yield* outcome({ ...call, path: `/api/observations/${ref}/publish-ticket` }),
          "422 no_ticket_integration"
        )
      })
    )
  })

  describe("a repository's routes", () => {
    it.effect("return discovery, knowledge and fix pull requests as their schemas define", () =>
      Effect.gen(function* () {
        const { owner, as, repository } = yield* start
        const ref = yield* anObservation(owner, repository, { priority: "P0" })
        const read = (suffix: string) => Effect.map(send({ as, path: `${path}/${suffix}` }), jsonOf)
        const exact = { onExcessProperty: "error" } as const
        const discovery = yield* Schema.decodeUnknown(DiscoveryFiles, exact)(yield* read("discovery"))
        assert.isNull(discovery.hyrax_md)
        const knowledge = yield* Schema.decodeUnknown(RepositoryKnowledge, exact)(yield* read("knowledge"))
        assert.deepStrictEqual(
          knowledge.directives.map((directive) => directive.ref),
          [ref]
        )
        const lane = yield* Schema.decodeUnknown(page("FixPrsPage", FixPrSummary), exact)(yield* read("fix-prs"))
        assert.deepStrictEqual(lane, { data: [], next_cursor: null, has_more: false })
      })
    )

    it.effect("take a reset with known flags that are booleans, one of them true", () =>
      Effect.gen(function* () {
        const { owner, as, repository } = yield* start
        yield* anObservation(owner, repository)
        const reset = (call: { readonly json?: unknown }) =>
          outcome({ as, method: "POST", path: `${path}/reset`, ...call })
        for (const json of [{}, { findings: false }, { findings: 1 }, { everything: true }, { wipe: null }]) {
          assert.strictEqual(yield* reset({ json }), "422 invalid_payload", JSON.stringify(json))
        }
        const other = yield* aKey(owner)
        const response = yield* send({
          as: other.api_key,
          path: `${path}/reset`,
          json: { findings: true, history: true }
        })
        assert.deepStrictEqual(jsonOf(response), {
          repo_name: "api@main",
          deleted: {
            findings: 1,
            advisories: 0,
            suggestions: 0,
            fix_attempts: 0,
            jobs: 0,
            job_events: 0,
            discoveries: 0
          }
        })
        // Five a minute.
        assert.strictEqual(yield* reset({ json: { wipe: true } }), "429 rate_limit_qps")
      })
    )

    it.effect("return the contract's constants at registration, and the name of what is registered already", () =>
      Effect.gen(function* () {
        const { as, repository } = yield* start
        const { cloneUrl } = yield* App
        const register = (github_repo: string) =>
          send({ as, path: "/api/repos", json: { github_org: "acme", github_repo, clone_url: cloneUrl } })
        const made = yield* register("web")
        const { discover_job_id, discovery_queue_failed, repo_name } = jsonOf(made)
        assert.deepStrictEqual(
          [made.status, discover_job_id, discovery_queue_failed, repo_name],
          [201, null, false, "web@main"]
        )
        const again = yield* register("api")
        const { code, details } = errorOf(again)
        assert.deepStrictEqual(
          [again.status, code, details?.repo_name],
          [409, "repo_already_registered", repository.repo_name]
        )
      })
    )
  })
})
