import { HttpApi } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { Api } from "../src/http/Api.ts"
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

  it("that share a bucket agree on its size", () => {
    const sizes = new Map<string, number>()
    for (const { bucket } of operations) {
      if (bucket === undefined) continue
      assert.strictEqual(sizes.get(bucket.name) ?? bucket.rpm, bucket.rpm, bucket.name)
      sizes.set(bucket.name, bucket.rpm)
    }
  })

  it("have the buckets of the limits table", () => {
    const table = Object.fromEntries(operations.map(({ name, bucket }) => [name, bucket?.rpm]))
    const expected: Readonly<Record<string, number>> = {
      "repositories.register": 10,
      "repositories.list": 60,
      "repositories.reset": 5,
      "jobs.submit": 30,
      "jobs.retry": 30,
      "jobs.list_of_repository": 120,
      "observations.fix": 30,
      "observations.publish_ticket": 30,
      "observations.dismiss": 60,
      "observations.reopen": 60,
      "observations.complete": 60,
      "observations.acknowledge": 60
    }
    for (const [name, rpm] of Object.entries(expected)) assert.strictEqual(table[name], rpm, name)
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
