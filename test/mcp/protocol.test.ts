import { request } from "node:http"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js"
import { Effect, TestClock } from "effect"
import { handshakeVersions } from "../../src/mcp/revisions2025.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { asOwner } from "../support/Database.ts"
import { aClient, callTool, mcpHeaders, post, rpc, structureOf, textOf } from "../support/mcp.ts"
import { repositoryArgs } from "../support/samples.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { errorOf, outcomeOf, send } from "../support/wire.ts"

const aCaller = Effect.map(Effect.flatMap(aWorkspace(), aKey), ({ api_key }) => api_key)
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }

layer(TestApp)("the agent server", (it) => {
  it.scoped("serves the SDK's client, also through the path without a slash", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      for (const path of ["/mcp/", "/mcp"]) {
        const client = yield* aClient(key, path)
        assert.strictEqual(client.getServerVersion()?.name, "assay")
        assert.deepStrictEqual(client.getServerCapabilities(), { tools: {}, prompts: {} })
        assert.include(client.getInstructions(), "submit_job")
        yield* Effect.promise(() => client.ping())
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.include(
          tools.map(({ name }) => name),
          "list_observations"
        )
      }
    })
  )

  it.effect("supports every revision that the SDK's client knows; a client of another one is offered the newest", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      assert.deepStrictEqual([...handshakeVersions], SUPPORTED_PROTOCOL_VERSIONS)
      for (const [asked, offered] of [
        ...SUPPORTED_PROTOCOL_VERSIONS.map((version) => [version, version] as const),
        ["2099-01-01", SUPPORTED_PROTOCOL_VERSIONS[0]] as const
      ]) {
        const clientInfo = { name: "test", version: "1" }
        const request = { protocolVersion: asked, capabilities: {}, clientInfo }
        const { result } = yield* rpc(key, "initialize", request)
        assert.deepInclude(result, { protocolVersion: offered, capabilities: { tools: {}, prompts: {} } })
      }
      assert.strictEqual((yield* rpc(key, "initialize", { protocolVersion: 5 })).error?.code, -32602)
      assert.strictEqual((yield* rpc(key, "initialize", { protocolVersion: "2025-11-25" })).error?.code, -32602)
    })
  )

  it.effect("a bare POST /mcp is redirected with method and body", () =>
    Effect.gen(function* () {
      const response = yield* post(yield* aCaller, list, { path: "/mcp" })
      assert.deepStrictEqual([response.status, response.headers.location], [307, "/mcp/"])
    })
  )

  it.effect("an unknown tool is a JSON-RPC error", () =>
    Effect.gen(function* () {
      const { error } = yield* rpc(yield* aCaller, "tools/call", { name: "rm_rf" })
      assert.deepStrictEqual(error, { code: -32602, message: "Unknown tool: rm_rf" })
    })
  )

  it.effect("unknown methods, missing names and arguments that are not an object are JSON-RPC errors", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      assert.strictEqual((yield* rpc(key, "resources/list")).error?.code, -32601)
      assert.strictEqual((yield* rpc(key, "tools/call", {})).error?.code, -32602)
      for (const args of [[], "x", 1, null]) {
        const { error } = yield* rpc(key, "tools/call", { name: "list_jobs", arguments: args })
        assert.deepStrictEqual(error, { code: -32602, message: "arguments must be an object." })
      }
    })
  )

  it.effect("a notification is 202 without a body", () =>
    Effect.gen(function* () {
      const response = yield* post(yield* aCaller, { jsonrpc: "2.0", method: "notifications/initialized" })
      assert.deepStrictEqual([response.status, response.text], [202, ""])
    })
  )

  it.effect("batches, invalid JSON and anything but a JSON-RPC message are 400", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      for (const message of [
        [list],
        [],
        null,
        1,
        "x",
        {},
        { id: 1, method: "ping" },
        { jsonrpc: "1.0", id: 1, method: "ping" },
        { jsonrpc: "2.0", id: 1 },
        { jsonrpc: "2.0", id: 1.5, method: "ping" },
        { jsonrpc: "2.0", id: null, method: "ping" },
        { jsonrpc: "2.0", id: {}, method: "ping" },
        { jsonrpc: "2.0", id: 1, method: "ping", params: [] },
        { jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: 1 } },
        { jsonrpc: "2.0", id: 1, method: "ping", extra: 1 }
      ]) {
        const response = yield* post(key, message)
        assert.deepStrictEqual(
          [response.status, JSON.parse(response.text).error.code],
          [400, -32600],
          JSON.stringify(message)
        )
      }
      const broken = yield* post(key, undefined, { body: "{" })
      assert.deepStrictEqual([broken.status, JSON.parse(broken.text).error.code], [400, -32700])
    })
  )

  it.effect("GET and DELETE are 405: there are no streams and no sessions", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const method of ["GET", "DELETE", "PUT"]) {
        const response = yield* send({ method, path: "/mcp/", as, headers: mcpHeaders })
        assert.deepStrictEqual(
          [response.status, errorOf(response).code, response.headers.allow],
          [405, "method_not_allowed", "POST"]
        )
      }
    })
  )

  it.effect("a page of another origin is 403, before its key is checked", () =>
    Effect.gen(function* () {
      const { url } = yield* App
      const key = yield* aCaller
      for (const origin of ["https://evil.example", "null", "http://localhost:1"]) {
        assert.strictEqual((yield* post(key, list, { headers: { origin } })).status, 403, origin)
      }
      assert.strictEqual((yield* post(key, list, { headers: { origin: url } })).status, 200)
    })
  )

  it.effect("a host name that is not the server's own is 403: DNS rebinding", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      for (const host of ["evil.example", "127.0.0.1.evil.example:80", "[::ffff:1]"]) {
        assert.strictEqual((yield* post(key, list, { headers: { host } })).status, 403, host)
      }
      assert.strictEqual((yield* post(key, list, { headers: { host: "localhost:1" } })).status, 200)
    })
  )

  it.effect("a client that does not accept JSON is 406, another media type 415, another protocol version 400", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      for (const accept of ["application/json", "text/event-stream", "*/*", ""]) {
        assert.strictEqual((yield* post(key, list, { headers: { accept } })).status, 406, accept)
      }
      assert.strictEqual((yield* post(key, list, { headers: { "content-type": "text/plain" } })).status, 415)
      const version = (name: string) => post(key, list, { headers: { "mcp-protocol-version": name } })
      assert.strictEqual((yield* version("1999-01-01")).status, 400)
      assert.strictEqual((yield* version("2025-06-18")).status, 200)
    })
  )

  it.effect("a body of more than 1 MiB is 413, and so is one of more names and values than can be of use", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      const big = yield* post(key, { ...list, params: { x: "x".repeat(1024 * 1024) } })
      assert.strictEqual(outcomeOf(big), "413 payload_too_large")
      const long = yield* post(key, { ...list, params: { x: Array(30_000).fill({}) } })
      assert.strictEqual(outcomeOf(long), "413 payload_too_large")
    })
  )

  it.effect("a response repeats little of a request: long ids, names and arguments of prompts are rejected", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      const long = "x".repeat(1_000_000)
      for (const message of [
        { ...list, id: long },
        { ...list, [long]: 1 },
        { ...list, method: long },
        { ...list, method: "tools/call", params: { name: long } },
        { ...list, method: "prompts/get", params: { name: long } },
        { ...list, method: "prompts/get", params: { name: "branch_review", arguments: { org: long } } },
        { ...list, params: { _meta: { "io.modelcontextprotocol/protocolVersion": long } } }
      ]) {
        const response = yield* post(key, message)
        assert.isBelow(response.text.length, 1000)
        assert.isDefined(JSON.parse(response.text).error.code)
      }
    })
  )

  it.effect("a suspended workspace is a generic 401; only the REST API names it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      yield* sql`UPDATE workspaces SET suspended_at = '2026-01-01T00:00:00Z' WHERE id = ${owner.workspace_id}`
      const here = yield* post(api_key, list)
      assert.strictEqual(outcomeOf(here), "401 invalid_api_key")
      assert.notInclude(here.text, "suspended")
      assert.strictEqual(outcomeOf(yield* send({ path: "/api/jobs", as: api_key })), "401 workspace_suspended")
    })
  )

  it.effect("the 61st call within a minute is 429, or the key's own lower limit", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const [plain, slow] = [yield* aKey(owner), yield* aKey(owner, { requests_per_minute: 3 })]
      for (const [key, most, name] of [
        [plain.api_key, 60, "mcp"],
        [slow.api_key, 3, "key"]
      ] as const) {
        for (let i = 0; i < most; i++) assert.strictEqual((yield* post(key, list)).status, 200)
        const rejected = yield* post(key, list)
        assert.strictEqual(outcomeOf(rejected), "429 rate_limit_qps")
        assert.strictEqual(rejected.headers["retry-after"], String(60 / most))
        assert.strictEqual(rejected.headers.ratelimit, `"${name}";r=0;t=${60 / most}`)
        yield* TestClock.adjust(`${60 / most} seconds`)
        assert.strictEqual((yield* post(key, list)).status, 200)
      }
    })
  )

  it.effect("a tool's bucket is the one of its REST route, and its error has the seconds to wait", () =>
    Effect.gen(function* () {
      const { api_key } = yield* aKey(yield* aWorkspace())
      for (let i = 0; i < 10; i++) yield* send({ path: "/api/repos", as: api_key, json: {} })
      const { result } = yield* rpc(api_key, "tools/call", {
        name: "register_repository",
        arguments: { github_org: "a", github_repo: "b" }
      })
      assert.match(textOf(result!), /^\[rate_limit_qps\] .*repo_register/)
      // A client of the protocol sees no header `Retry-After`.
      const { error } = structureOf<{ readonly error: { readonly details: Record<string, unknown> } }>(result)
      assert.strictEqual(error.details.retry_after_seconds, 6)
    })
  )

  it.scoped("clients whose requests carry equal ids get their own responses", () =>
    Effect.gen(function* () {
      const worlds = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        Effect.gen(function* () {
          const owner = yield* aWorkspace()
          const repository = yield* aRegisteredRepository(owner)
          for (let i = 0; i < n; i++) yield* anObservation(owner, repository, { title: `of ${owner.workspace_id}` })
          const { api_key } = yield* aKey(owner)
          return { n, owner, api_key }
        })
      )
      const rounds = Array.from({ length: 10 }, () => worlds).flat()
      yield* Effect.forEach(
        rounds,
        ({ n, owner, api_key }) =>
          Effect.gen(function* () {
            const { id, result } = yield* rpc(api_key, "tools/call", { name: "list_observations", arguments: {} }, 7)
            const { data } = structureOf<{ readonly data: ReadonlyArray<{ readonly title: string }> }>(result)
            assert.deepStrictEqual([id, data.length, data[0]?.title], [7, n, `of ${owner.workspace_id}`])
          }),
        { concurrency: "unbounded" }
      )
      const clients = yield* Effect.forEach(worlds, ({ api_key }) => aClient(api_key))
      const results = yield* Effect.all(
        clients.map((client) => callTool(client, "list_observations", {})),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map(
          ({ structuredContent }) => (structuredContent as { readonly data: ReadonlyArray<unknown> }).data.length
        ),
        worlds.map(({ n }) => n)
      )
    })
  )

  it.scoped("a client that disconnects stops its tool", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* App
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      yield* aRegisteredRepository(owner)
      const until = (n: number) =>
        asOwner(
          Effect.flatMap(SqlClient.SqlClient, (owner) =>
            Effect.repeat(
              owner<{ readonly n: number }>`
                SELECT count(*) AS n FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'`,
              { until: (rows) => rows[0]?.n === n }
            )
          )
        )
      // The tool's transaction waits for a row that this one locks, and its client disconnects.
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM repositories FOR UPDATE`
          const body = JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "submit_job", arguments: { ...repositoryArgs, workflow: "audit" } }
          })
          const call = request(new URL("/mcp/", url), {
            method: "POST",
            headers: { ...mcpHeaders, authorization: `Bearer ${api_key}`, "content-length": Buffer.byteLength(body) }
          })
          call.on("error", () => undefined)
          call.end(body)
          yield* until(1)
          yield* Effect.async<void>((resume) => {
            call.on("close", () => resume(Effect.void))
            call.destroy()
          })
          // A response to another client shows that the server has noticed.
          yield* rpc(api_key, "ping")
        })
      )
      yield* until(0)
      const { result } = yield* rpc(api_key, "tools/call", { name: "list_jobs" })
      assert.deepStrictEqual(structureOf<{ readonly data: ReadonlyArray<unknown> }>(result).data, [])
    })
  )
})
