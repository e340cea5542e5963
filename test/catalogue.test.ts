import { HttpApi } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { Api } from "../src/http/Api.ts"
import { openApiDocument } from "../src/http/openapi.ts"
import { ServedOperation } from "../src/http/wire.ts"
import { Tools } from "../src/mcp/Tools.ts"
import { scopes } from "../src/schema/Key.ts"
import type { Operation } from "../src/schema/Operation.ts"
import { operations } from "../src/schema/operations/index.ts"
import { TestApp } from "./support/TestApp.ts"

const endpoints: Array<{ readonly route: string; readonly operation: Operation | undefined }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations }) => {
    endpoints.push({
      route: `${endpoint.method} ${endpoint.path}`,
      operation: Option.getOrUndefined(Context.getOption(mergedAnnotations, ServedOperation))
    })
  }
})

const twice = (names: ReadonlyArray<string>) => names.filter((name, i) => names.indexOf(name) !== i)

describe("operations", () => {
  it("have names of their own, area.verb", () => {
    assert.deepStrictEqual(twice(operations.map(({ name }) => name)), [])
    for (const { name } of operations) assert.match(name, /^[a-z_]+\.[a-z_]+$/)
  })

  it("are summarised in one sentence, a verb first, under 120 characters", () => {
    for (const { name, summary } of operations) {
      assert.match(summary, /^[A-Z][^\n]*\.$/, name)
      assert.isBelow(summary.length, 120, name)
    }
  })

  it("need known scopes; only what the specification opens to any key, a person's own and anybody's need none", () => {
    for (const { name, scopes: needed } of operations) assert.includeMembers([...scopes], [...needed], name)
    assert.deepStrictEqual(
      operations
        .filter(({ only, scopes: needed }) => only === undefined && needed.length === 0)
        .map(({ name }) => name),
      ["forecasts.lookup"]
    )
  })

  it("have the buckets of the limits table, and no others", () => {
    const buckets = new Map<string, { readonly rpm: number; readonly operations: Array<string> }>()
    for (const { name, bucket } of operations) {
      if (bucket === undefined) continue
      const known = buckets.get(bucket.name) ?? { rpm: bucket.rpm, operations: [] }
      assert.strictEqual(known.rpm, bucket.rpm, bucket.name)
      known.operations.push(name)
      buckets.set(bucket.name, known)
    }
    assert.deepStrictEqual(
      [...buckets.values()].map(({ rpm, operations }) => `${rpm}/min ${operations.sort().join(" ")}`).sort(),
      [
        "10/min repositories.register",
        "60/min repositories.list",
        "30/min jobs.retry jobs.submit",
        "120/min jobs.list_of_repository",
        "5/min repositories.reset",
        "30/min observations.fix observations.request_fix observations.revise_fix",
        "30/min observations.publish_ticket",
        "60/min observations.acknowledge observations.complete observations.dismiss observations.reopen"
      ].sort()
    )
  })

  it("have the OpenAPI document say the same of their buckets", () => {
    const document = openApiDocument() as { readonly paths: Record<string, Record<string, Record<string, unknown>>> }
    for (const { route, operation } of endpoints) {
      const [method = "", path = ""] = route.split(" ")
      const described = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
      const { bucket } = operation ?? {}
      assert.isDefined(described, route)
      assert.deepStrictEqual(described?.["x-rate-limit"], bucket && { rpm: bucket.rpm }, route)
    }
  })
})

layer(TestApp)("doors", (it) => {
  it.effect("every operation is served, and nothing is served that is not catalogued", () =>
    Effect.gen(function* () {
      const tools = yield* Tools
      const served = [...endpoints, ...tools].map(({ operation }) => operation)
      assert.deepStrictEqual(
        operations.filter((operation) => !served.includes(operation)).map(({ name }) => name),
        []
      )
      for (const { route, operation } of endpoints) assert.include(operations, operation, route)
      for (const { name, operation } of tools) assert.include(operations, operation, name)
    })
  )

  it.effect("routes and tools have names of their own", () =>
    Effect.gen(function* () {
      const tools = yield* Tools
      assert.deepStrictEqual(twice(endpoints.map(({ route }) => route.replaceAll(/:\w+/g, ":"))), [])
      assert.deepStrictEqual(twice(tools.map(({ name }) => name)), [])
      for (const { name } of tools) assert.match(name, /^[a-z]+(_[a-z]+)+$/)
    })
  )

  it.effect("destructive actions, keys and sessions are no tools", () =>
    Effect.gen(function* () {
      const tools = yield* Tools
      for (const { name, operation } of tools) {
        assert.notMatch(operation.name, /^(keys|sessions)\.|\.(delete|cancel|reset)$/, name)
      }
    })
  )
})
