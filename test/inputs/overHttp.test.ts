import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Tools } from "../../src/mcp/Tools.ts"
import { aKey, aWorkspace } from "../support/builders.ts"
import { inForm } from "../support/forms.ts"
import { mcpHeaders, post } from "../support/mcp.ts"
import { aWorld, toolSamples } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Call, send } from "../support/wire.ts"

const size = 1024 * 1024

/**
 * Of the client, the server and the database's client together, which are one process here: up to
 * 131 on slow and busy cores. A walk that is not linear takes seconds for such bodies.
 */
const mostMillis = 400

const filled = (start: string, unit: string, end: string) =>
  `${start}${unit.repeat(Math.floor((size - start.length - end.length) / unit.length)).replace(/,$/, "")}${end}`

/** The least of three. */
const cpuOf = (call: Call) =>
  Effect.gen(function* () {
    let millis = Number.POSITIVE_INFINITY
    let response = yield* send(call)
    for (let turn = 0; turn < 3; turn++) {
      const before = process.cpuUsage()
      response = yield* send(call)
      const { user, system } = process.cpuUsage(before)
      millis = Math.min(millis, (user + system) / 1000)
    }
    return { millis, response }
  })

layer(TestApp)("a hostile request", (it) => {
  it.effect("costs little and has a small response, on REST and MCP", () =>
    Effect.gen(function* () {
      const { api_key: as } = yield* aKey(yield* aWorkspace())
      const entries = { path: "/api/context/entries", as }
      const mcp = { path: "/mcp/", as, headers: mcpHeaders, method: "POST" }
      const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_context_entry","arguments":'
      const unknown = Array.from({ length: 12_000 }, (_, i) => `"k${i}":1`).join(",")
      const calls: Readonly<Record<string, readonly [number, Call]>> = {
        "a list of empty objects to sign in with": [413, { path: "/api/session", body: filled("[", "{},", "]") }],
        "unknown members to sign in with": [422, { path: "/api/session", body: `{${unknown}}` }],
        "a long password": [422, { path: "/api/session", body: filled('{"email":"a@b.c","password":"', "x", '"}') }],
        "empty objects for tags": [413, { ...entries, body: filled('{"tags":[', "{},", "]}") }],
        "fewer empty objects for tags": [422, { ...entries, body: `{"tags":[${Array(8000).fill("{}").join(",")}]}` }],
        "a long title": [422, { ...entries, body: filled('{"title":"', "💥", '"}').slice(0, size / 4) + '"}' }],
        "lists in lists": [400, { ...entries, body: "[".repeat(size) }],
        "empty objects for tags of a tool": [413, { ...mcp, body: filled(`${call}{"tags":[`, "{},", "]}}}") }],
        "unknown arguments of a tool": [200, { ...mcp, body: `${call}{${unknown}}}}` }],
        "a long argument of a tool": [200, { ...mcp, body: filled(`${call}{"title":"`, "x", '"}}}') }]
      }
      for (const [name, [status, hostile]] of Object.entries(calls)) {
        const { millis, response } = yield* cpuOf(hostile)
        assert.strictEqual(response.status, status, `${name}: ${response.text.slice(0, 300)}`)
        assert.isBelow(response.text.length, 20_000, name)
        assert.isBelow(millis, mostMillis, name)
      }
    })
  )

  it.effect("is not repeated by a tool, whatever text it may hold", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const samples = toolSamples(world)
      for (const { name, inputSchema } of yield* Tools) {
        const properties = Object.entries((inputSchema.properties ?? {}) as Readonly<Record<string, { type?: string }>>)
        const texts = properties.filter(([, { type }]) => type === "string")
        for (const [argument] of inForm({ short: texts.slice(0, 1), long: texts })) {
          const args = { ...samples[name], [argument]: "x".repeat(900_000) }
          const params = { name, arguments: args }
          const response = yield* post(world.api_key, { jsonrpc: "2.0", id: 1, method: "tools/call", params })
          assert.isBelow(response.text.length, 34_000, `${name} ${argument}`)
          assert.notInclude(response.text, "internal_error", `${name} ${argument}`)
          yield* TestClock.adjust("2 seconds")
        }
      }
    })
  )
})
