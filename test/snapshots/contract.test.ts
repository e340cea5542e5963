import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiDocument } from "../../src/http/openapi.ts"
import { operations } from "../../src/schema/operations/index.ts"
import { aKey, aWorkspace } from "../support/builders.ts"
import { rpc } from "../support/mcp.ts"
import { contractOf, matchesSnapshot, newDemands, removals } from "../support/snapshots.ts"
import { TestApp } from "../support/TestApp.ts"

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Requests may not require more; responses may not contain less. */
const additiveOnly = (contract: (document: never) => unknown) => (before: string, after: string) => {
  const [old, current] = [contract(JSON.parse(before) as never), contract(JSON.parse(after) as never)]
  assert.deepStrictEqual(removals(old as never, current as never), [])
  assert.deepStrictEqual(newDemands(requestsOf(old) as never, requestsOf(current) as never), [])
}

/** Responses may promise more. */
const requestsOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(requestsOf)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, part]) => (key === "responses" ? [] : [[key, requestsOf(part)]]))
        )
      : value

const withoutRequired = (tools: unknown) =>
  JSON.parse(JSON.stringify(tools, (key, value) => (key === "required" && Array.isArray(value) ? [] : value)))

describe("the contract", () => {
  it("of the REST API changes only additively", () =>
    matchesSnapshot("openapi.json", pretty(openApiDocument()), additiveOnly(contractOf)))

  it("of permissions, budgets and buckets is a table to review", () => {
    const rows = operations.map(({ name, scopes, access, bucket, only, beta }) => [
      name,
      access,
      scopes.join(" ") || "-",
      bucket === undefined ? "-" : `${bucket.name} ${bucket.rpm}/min`,
      only ?? beta ?? "-"
    ])
    const head = ["operation", "access", "scopes", "bucket", "only"]
    const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)))
    const line = (row: ReadonlyArray<string>) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`
    matchesSnapshot(
      "operations.md",
      `${[line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")}\n`
    )
  })
})

layer(TestApp)("the contract", (it) => {
  it.effect("of the agent server changes only additively", () =>
    Effect.gen(function* () {
      const { api_key } = yield* aKey(yield* aWorkspace())
      const { result } = yield* rpc(api_key, "tools/list")
      matchesSnapshot(
        "tools.json",
        pretty(result),
        // An argument that is no longer required rejects no call.
        (before, after) => {
          const [old, current] = [JSON.parse(before), JSON.parse(after)]
          assert.deepStrictEqual(removals(withoutRequired(old), withoutRequired(current)), [])
          assert.deepStrictEqual(newDemands(old, current), [])
        }
      )
    })
  )
})

describe("the additive-only check", () => {
  const before = {
    tools: [
      {
        name: "a",
        inputSchema: { type: "object", properties: { x: { type: "string", enum: ["p", "q"] } }, required: ["x"] }
      }
    ]
  }
  const changed = (edit: (copy: typeof before) => void) => {
    const copy = structuredClone(before)
    edit(copy)
    return [...removals(before, copy), ...newDemands(before, copy)]
  }
  const schema = (copy: typeof before) => copy.tools[0]!.inputSchema

  it("passes what is added, or said in other words", () => {
    assert.deepStrictEqual(
      changed((copy) => {
        copy.tools.unshift({ ...before.tools[0]!, name: "new" })
        schema({ tools: [copy.tools[1]!] }).properties.x.enum.unshift("r")
        Object.assign(copy.tools[1]!, { description: "What it does." })
        Object.assign(schema({ tools: [copy.tools[1]!] }).properties, { y: { type: "number" } })
      }),
      []
    )
  })

  it("passes words that became a pattern which all of them match, and no other", () => {
    const withPattern = (pattern: string) =>
      changed((copy) => {
        const { properties } = schema(copy)
        Object.assign(schema(copy), { properties: { ...properties, x: { type: "string", pattern } } })
      })
    assert.deepStrictEqual(withPattern("^(p|q)(,(p|q))*$"), [])
    assert.deepStrictEqual(withPattern("^(p|r)(,(p|r))*$"), ["$.tools[a].inputSchema.properties.x.enum is gone"])
  })

  it("rejects removed, retyped, renamed and newly required members", () => {
    for (const edit of [
      (copy: typeof before) => copy.tools.pop(),
      (copy: typeof before) => Object.assign(copy.tools[0]!, { name: "b" }),
      (copy: typeof before) => Object.assign(schema(copy).properties.x, { type: "number" }),
      (copy: typeof before) => schema(copy).properties.x.enum.pop(),
      (copy: typeof before) => Object.assign(schema(copy), { properties: {} }),
      (copy: typeof before) => schema(copy).required.push("y")
    ]) {
      assert.isNotEmpty(changed(edit))
    }
  })

  it("compares across components, and errors by their codes", () => {
    const response = { content: { "application/json": { schema: { type: "string" } } } }
    const error = (...codes: ReadonlyArray<string>) => ({ schema: { properties: { code: { enum: codes } } } })
    const old = { paths: { "/a": { get: { responses: { 200: response, 404: error("gone") } } } } }
    const shared = (...codes: ReadonlyArray<string>) => ({
      paths: {
        "/a": { get: { responses: { 200: { $ref: "#/components/responses/A" }, 404: { $ref: "#/components/responses/B" } } } }
      },
      components: { responses: { A: response, B: { description: "In other words.", ...error(...codes) } } }
    })
    assert.deepStrictEqual(removals(contractOf(old), contractOf(shared("gone", "hidden"))), [])
    assert.isNotEmpty(removals(contractOf(old), contractOf(shared("hidden"))))
  })
})
