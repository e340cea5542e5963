import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, aKeyWithout, aWorkspace } from "../support/builders.ts"
import { post, rpc } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"

const revision = "2026-07-28"
const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientCapabilities": {}
}

interface Request {
  readonly params?: Record<string, unknown>
  readonly headers?: Record<string, string>
  readonly meta?: Record<string, unknown> | null
  readonly without?: string
}

const ask = (as: string, method: string, request: Request = {}) => {
  const { params = {}, headers = {}, without } = request
  const name = params.name
  const all: Record<string, string> = {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
    ...headers
  }
  if (without !== undefined) delete all[without]
  const _meta = request.meta === undefined ? meta : request.meta
  const body = { jsonrpc: "2.0", id: 7, method, params: { ...params, ...(_meta === null ? {} : { _meta }) } }
  return Effect.map(post(as, body, { headers: all }), ({ status, text }) => ({ status, ...JSON.parse(text) }))
}

const aCaller = Effect.map(Effect.flatMap(aWorkspace(), aKey), ({ api_key }) => api_key)

layer(TestApp)("revision 2026-07-28 on the same endpoint", (it) => {
  it.effect("is discovered: versions, capabilities, server info and cache hints", () =>
    Effect.gen(function* () {
      const { status, result } = yield* ask(yield* aCaller, "server/discover")
      assert.strictEqual(status, 200)
      assert.include(result.supportedVersions, revision)
      assert.deepStrictEqual(Object.keys(result.capabilities).sort(), ["prompts", "tools"])
      assert.deepInclude(result, { resultType: "complete", ttlMs: 300_000, cacheScope: "private" })
      assert.strictEqual(result._meta["io.modelcontextprotocol/serverInfo"].name, "assay")
      assert.include(result.instructions, "submit_job")
    })
  )

  it.effect("lists the same tools and prompts as the revisions with a handshake, with cache hints", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      for (const [method, field] of [
        ["tools/list", "tools"],
        ["prompts/list", "prompts"]
      ] as const) {
        const { result } = yield* ask(key, method)
        const handshake = yield* rpc<Readonly<Record<string, unknown>>>(key, method)
        assert.deepStrictEqual(result[field], handshake.result?.[field])
        assert.deepInclude(result, { resultType: "complete", ttlMs: 300_000, cacheScope: "private" })
      }
    })
  )

  it.effect("calls tools with the same checks: results, errors and argument problems in the result", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const call = (as: string, name: string, args?: unknown) =>
        ask(as, "tools/call", { params: { name, ...(args === undefined ? {} : { arguments: args }) } })
      const found = yield* call(api_key, "list_repositories")
      assert.deepStrictEqual(
        [found.status, found.result.resultType, found.result.structuredContent.data],
        [200, "complete", []]
      )
      const bad = yield* call(api_key, "list_repositories", { limit: 0 })
      assert.isTrue(bad.result.isError)
      assert.strictEqual(bad.result.content[0].text, "[invalid_payload] limit: must be at least 1")
      const narrow = yield* aKeyWithout(owner, ["view_jobs"])
      const rejected = yield* call(narrow, "list_jobs")
      assert.match(rejected.result.content[0].text, /^\[insufficient_scope\] /)
      assert.strictEqual((yield* call(api_key, "rm_rf")).error.code, -32602)
    })
  )

  it.effect("a missing or contradictory header or field is 400 with its code; an unknown method is 404", () =>
    Effect.gen(function* () {
      const key = yield* aCaller
      const outcome = (method: string, request: Request) =>
        Effect.map(ask(key, method, request), ({ status, error }) => [status, error?.code])
      const list = { params: { name: "list_repositories" } }
      assert.deepStrictEqual(yield* outcome("tools/call", { ...list, without: "mcp-method" }), [400, -32020])
      assert.deepStrictEqual(yield* outcome("tools/call", { ...list, without: "mcp-name" }), [400, -32020])
      assert.deepStrictEqual(yield* outcome("tools/list", { without: "mcp-protocol-version" }), [400, -32020])
      const other = { headers: { "mcp-method": "prompts/list" } }
      assert.deepStrictEqual(yield* outcome("tools/list", other), [400, -32020])
      assert.deepStrictEqual(yield* outcome("tools/list", { meta: null }), [400, -32602])
      const { "io.modelcontextprotocol/clientCapabilities": _, ...half } = meta
      assert.deepStrictEqual(yield* outcome("tools/list", { meta: half }), [400, -32602])
      for (const gone of ["ping", "initialize", "logging/setLevel", "resources/list"]) {
        assert.deepStrictEqual(yield* outcome(gone, {}), [404, -32601], gone)
      }
      const future = { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" }
      const { status, error } = yield* ask(key, "tools/list", {
        meta: future,
        headers: { "mcp-protocol-version": "2031-01-01" }
      })
      assert.deepStrictEqual([status, error.code, error.data.supported], [400, -32022, [revision]])
    })
  )

  it.effect("a notification is 202 without a body", () =>
    Effect.gen(function* () {
      const headers = { "mcp-protocol-version": revision, "mcp-method": "notifications/cancelled" }
      const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
      const response = yield* post(yield* aCaller, message, { headers })
      assert.deepStrictEqual([response.status, response.text], [202, ""])
    })
  )
})
