import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema, TestClock } from "effect"
import { Forecast, ForecastBatch } from "../../src/schema/Forecast.ts"
import { type JobId } from "../../src/schema/Ids.ts"
import { workflows } from "../../src/schema/Job.ts"
import { aKey, aRegisteredRepository, aWorkspace, type Person } from "../support/builders.ts"
import { aDollarAJob, limit, over, running } from "../support/money.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const jobsPath = (name: string) => `/api/repos/acme/${name}/main/jobs`
const submit = (as: string, name: string, workflow = "standard_audit") =>
  send({ path: jobsPath(name), as, json: { workflow } })

const tool = (as: string, name: string, args: object = {}) =>
  send({
    path: "/mcp/",
    as,
    headers: { accept: "application/json, text/event-stream" },
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  })

const workspaceWith = (...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const person = yield* aWorkspace()
    const repositories = yield* Effect.forEach(names, (name) => aRegisteredRepository(person, name))
    const { api_key, key } = yield* aKey(person)
    return { person, repositories, api_key, key }
  })

const ceiling = (person: Person, usd: number) => limit(person, { spend_per_hour_usd: usd })

layer(TestApp.pipe(Layer.provide(aDollarAJob)))("spending through REST and MCP", (it) => {
  it.effect("a submission over the hourly ceiling is 429 rate_limit_budget, and passes after Retry-After seconds", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* workspaceWith("one", "two")
      yield* ceiling(person, 1)
      assert.strictEqual((yield* submit(api_key, "one")).status, 201)
      yield* TestClock.adjust("20 minutes")
      const rejected = yield* submit(api_key, "two")
      assert.deepStrictEqual(
        [rejected.status, errorOf(rejected).code, errorOf(rejected).type],
        [429, "rate_limit_budget", "rate_limit_error"]
      )
      assert.strictEqual(rejected.headers["retry-after"], "2400")
      assert.isDefined(rejected.headers.ratelimit)
      // A duplicate of a queued job costs nothing; a plain read never counts.
      assert.strictEqual((yield* submit(api_key, "one")).status, 200)
      assert.strictEqual((yield* send({ path: "/api/jobs", as: api_key })).status, 200)
      yield* TestClock.adjust(`${Number(rejected.headers["retry-after"])} seconds`)
      assert.strictEqual((yield* submit(api_key, "two")).status, 201)
    })
  )

  it.effect("registering a repository draws on the ceiling, too", () =>
    Effect.gen(function* () {
      const { cloneUrl } = yield* App
      const { person, api_key } = yield* workspaceWith("one")
      yield* ceiling(person, 1)
      yield* submit(api_key, "one")
      const call = {
        path: "/api/repos",
        as: api_key,
        json: { github_org: "acme", github_repo: "new", clone_url: cloneUrl }
      }
      const rejected = yield* send(call)
      assert.deepStrictEqual([rejected.status, errorOf(rejected).code], [429, "rate_limit_budget"])
      yield* TestClock.adjust(`${Number(rejected.headers["retry-after"])} seconds`)
      assert.strictEqual((yield* send(call)).status, 201)
    })
  )

  it.effect("on the agent server every call, reads included, is rejected while a ceiling is used up", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* workspaceWith("one")
      const limited = yield* aKey(person, { dollars_per_hour: 1 })
      const read = (as: string) => tool(as, "list_jobs")
      assert.strictEqual((yield* read(limited.api_key)).status, 200)
      yield* submit(limited.api_key, "one")
      for (const call of [read(limited.api_key), tool(limited.api_key, "get_cost_forecast", { workflow: "audit" })]) {
        const rejected = yield* call
        assert.deepStrictEqual([rejected.status, errorOf(rejected).code], [429, "rate_limit_budget"])
        assert.strictEqual(rejected.headers["retry-after"], "3600")
        assert.isDefined(rejected.headers.ratelimit)
      }
      // Another key of the workspace, and REST reads of this one, go on.
      assert.strictEqual((yield* read(api_key)).status, 200)
      assert.strictEqual((yield* send({ path: "/api/jobs", as: limited.api_key })).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* read(limited.api_key)).status, 200)
    })
  )

  it.effect("a key's ceiling is at least one cent; a smaller one of an older key rejects no read", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* workspaceWith("one")
      for (const dollars_per_hour of [0, 1e-12, 1e-9, 0.009999]) {
        const json = { name: "ci", scopes: ["view_jobs"], dollars_per_hour }
        const made = yield* send({ path: "/api/keys", as: person.session, json })
        const { code, message } = errorOf(made)
        assert.deepStrictEqual(
          [made.status, code, message],
          [422, "invalid_payload", "dollars_per_hour: must be at least 0.01 (one cent)"]
        )
      }
      const { key, api_key: limited } = yield* aKey(person, { dollars_per_hour: 0.01 })
      const change = { path: `/api/keys/${key.id}`, method: "PATCH", as: person.session }
      assert.strictEqual(yield* outcome({ ...change, json: { dollars_per_hour: 0.001 } }), "422 invalid_payload")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE api_keys SET dollars_per_hour = 1e-12 WHERE id = ${key.id}`
      assert.strictEqual((yield* tool(limited, "list_jobs")).status, 200)
      const submission = { path: jobsPath("one"), as: limited, json: { workflow: "standard_audit" } }
      assert.strictEqual(yield* outcome(submission), "402 job_cost_cap")
      assert.strictEqual(yield* outcome({ ...submission, as: api_key }), "201")
    })
  )

  it.effect("a billing error is 402 on REST and an error of the tool on the agent server", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* workspaceWith("one")
      yield* limit(person, { credit_usd: 0.5 })
      const call = { path: jobsPath("one"), as: api_key, json: { workflow: "standard_audit" } }
      assert.strictEqual(yield* outcome(call), "402 credit_exhausted")
      const args = { github_org: "acme", github_repo: "one", github_base_branch: "main", workflow: "standard_audit" }
      const { result } = jsonOf(yield* tool(api_key, "submit_job", args)) as {
        result: { isError: boolean; content: ReadonlyArray<{ text: string }> }
      }
      assert.isTrue(result.isError)
      assert.match(result.content[0]?.text ?? "", /^\[credit_exhausted\] /)
      yield* limit(person, { credit_usd: null, spend_paused: true })
      assert.strictEqual(yield* outcome(call), "402 spend_paused")
      yield* limit(person, { spend_paused: false, entitled_workflows: ["audit"] })
      const rejected = yield* send(call)
      assert.strictEqual(errorOf(rejected).code, "workflow_not_entitled")
      assert.deepStrictEqual(errorOf(rejected).details, { allowed_workflows: ["audit"] })
    })
  )
})

layer(TestApp)("forecasts", (it) => {
  it.effect("of a repository cover every workflow", () =>
    Effect.gen(function* () {
      const { api_key } = yield* workspaceWith("one")
      const response = yield* send({ path: "/api/repos/acme/one/main/forecasts", as: api_key })
      const batch = Schema.decodeUnknownSync(ForecastBatch)(jsonOf(response))
      assert.strictEqual(batch.repo_name, "one@main")
      assert.deepStrictEqual(
        batch.forecasts.map(({ workflow }) => workflow),
        [...workflows]
      )
      for (const forecast of batch.forecasts) {
        assert.deepStrictEqual([forecast.source, forecast.confidence, forecast.sample_size], ["default", "none", 0])
      }
      assert.strictEqual(yield* outcome({ path: "/api/repos/acme/none/main/forecasts", as: api_key }), "404 not_found")
    })
  )

  it.effect("climb from the workspace's history to the repository's own, and to the very commit", () =>
    Effect.gen(function* () {
      const { person, repositories, api_key } = yield* workspaceWith("one", "two")
      const sql = yield* SqlClient.SqlClient
      const lookup = (query: string) =>
        Effect.map(send({ path: `/api/forecasts/lookup?workflow=standard_audit${query}`, as: api_key }), (response) =>
          Schema.decodeUnknownSync(Forecast)(jsonOf(response))
        )
      const { id } = jsonOf(yield* submit(api_key, "one")) as { id: JobId }
      yield* running(id, 0.5)
      yield* TestClock.adjust("40 seconds")
      yield* over(id, "completed")
      const [here, there, anywhere] = [
        yield* lookup("&repo_name=one@main"),
        yield* lookup("&repo_name=acme/two@main"),
        yield* lookup("")
      ]
      assert.deepStrictEqual(
        [here, there, anywhere].map(({ source, repo_name }) => [source, repo_name]),
        [
          ["repo+workflow", "one@main"],
          ["tenant+workflow", "two@main"],
          ["tenant+workflow", null]
        ]
      )
      assert.deepStrictEqual([here.cost_mid, here.duration_mid, here.sample_size], [0.5, 40, 1])
      yield* sql`
        INSERT INTO job_stages (job_id, stage, fence, runner, started_at, seen_at, finished_at, cost_usd)
        SELECT id, stage, 1, 'r', started_at, started_at, started_at + interval '10 seconds', 0.1
        FROM jobs, unnest(ARRAY['prepare', 'inspect', 'record']) stage WHERE id = ${id}`
      const exact = yield* lookup("&repo_name=one@main")
      assert.deepStrictEqual([exact.source, exact.cost_mid, exact.duration_mid], ["stage_models_hash_exact", 0.5, 40])
      yield* sql`UPDATE repositories SET head_sha = 'new' WHERE id = ${repositories[0]?.id ?? null}`
      assert.strictEqual((yield* lookup("&repo_name=one@main")).source, "repo+workflow")
      // Another workspace knows nothing of it.
      const stranger = yield* workspaceWith("one")
      const theirs = yield* send({
        path: "/api/forecasts/lookup?workflow=standard_audit&repo_name=one@main",
        as: stranger.api_key
      })
      assert.strictEqual(jsonOf(theirs).source, "default")
      assert.notStrictEqual(person.workspace_id, stranger.person.workspace_id)
    })
  )

  it.effect("are scaled by the size of the repository, without history and by that of others", () =>
    Effect.gen(function* () {
      const { api_key, repositories } = yield* workspaceWith("one", "two", "three")
      const sql = yield* SqlClient.SqlClient
      const count = (index: number, lines: number) =>
        sql`UPDATE repositories SET lines = ${lines} WHERE id = ${repositories[index]?.id ?? null}`
      const forecastOn = (name: string) =>
        Effect.map(
          send({ path: `/api/forecasts/lookup?workflow=standard_audit&repo_name=${name}@main`, as: api_key }),
          (response) => Schema.decodeUnknownSync(Forecast)(jsonOf(response))
        )
      yield* count(0, 1_000_000)
      const [counted, unknown] = [yield* forecastOn("one"), yield* forecastOn("two")]
      assert.deepStrictEqual([counted.source, unknown.source], ["default", "default"])
      assert.isAbove(counted.cost_mid, 5 * unknown.cost_mid)
      // What is known is narrower.
      assert.isBelow(counted.cost_high / counted.cost_low, unknown.cost_high / unknown.cost_low)
      const { id } = jsonOf(yield* submit(api_key, "one")) as { id: JobId }
      yield* running(id, 0.5)
      yield* over(id, "completed")
      yield* count(1, 10_000)
      const [small, unsized] = [yield* forecastOn("two"), yield* forecastOn("three")]
      assert.deepStrictEqual([small.source, unsized.source], ["tenant+workflow", "tenant+workflow"])
      assert.strictEqual(unsized.cost_mid, 0.5)
      assert.isBelow(small.cost_mid, 0.05)
    })
  )

  it.effect("are looked up with any key, of known workflows and repositories only", () =>
    Effect.gen(function* () {
      const { person } = yield* workspaceWith("one")
      const { api_key } = yield* aKey(person, { scopes: ["view_context"] })
      const lookup = (query: string) => outcome({ path: `/api/forecasts/lookup${query}`, as: api_key })
      assert.strictEqual(yield* lookup("?workflow=fix"), "200")
      assert.strictEqual(yield* lookup("?workflow=fix&repo_name=one@main"), "200")
      assert.strictEqual(yield* lookup("?workflow=fix&repo_name=none@main"), "404 not_found")
      for (const query of ["", "?workflow=scan", "?workflow=fix&repo_name=", "?workflow=fix&repo=one@main"]) {
        assert.strictEqual(yield* lookup(query), "422 invalid_payload", query)
      }
      const { result } = jsonOf(
        yield* tool(api_key, "get_cost_forecast", { workflow: "audit", repo_name: "one@main" })
      ) as { result: { structuredContent: { notice: string } } }
      const { notice: _, ...forecast } = result.structuredContent
      assert.isTrue(Schema.is(Forecast)(forecast))
    })
  )
})
