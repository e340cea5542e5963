import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Step } from "../../../src/schema/Observation.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { jsonb } from "../../../src/services/support/statements.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { numberOf, type ObservationFields, observationsIn, servicesWith } from "../../support/services.ts"

/** One open finding that says this. */
const saying = (
  tenant: Tenant,
  words: {
    readonly title?: string
    readonly description?: string
    readonly rule_id?: string
    readonly steps?: ReadonlyArray<Step>
  },
  fields: ObservationFields = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [ref] = yield* observationsIn(tenant, [fields])
    yield* sql`UPDATE observations SET title = coalesce(${words.title ?? null}, title),
        description = coalesce(${words.description ?? null}, description),
        rule_id = coalesce(${words.rule_id ?? null}, rule_id), steps = ${jsonb(words.steps ?? [])}
      WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${Number(ref!.slice(4))}`
    return ref!
  }).pipe(Effect.orDie)

const refsOf = ({ data }: { readonly data: ReadonlyArray<{ readonly ref: string }> }) => data.map(({ ref }) => ref)

layer(servicesWith())("searching findings", (it) => {
  it.effect("looks in title, description, rule and path; words are found in any form, paths by their parts", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const observations = yield* Observations
      const plain = { title: "x", description: "y", rule_id: "z" }
      const title = yield* saying(tenant, { ...plain, title: "Unescaped templates in renderPage" })
      const description = yield* saying(tenant, { ...plain, description: "The query joins strings." })
      const rule = yield* saying(tenant, { ...plain, rule_id: "sql_injection.concatenated_query" })
      const path = yield* saying(tenant, plain, { file_path: "src/billing/refund.ts" })
      const advisory = yield* saying(tenant, { ...plain, title: "template" }, { kind: "advisory" })
      const found = (q: string) => Effect.map(observations.search({ q }), refsOf).pipe(as(tenant))
      assert.deepStrictEqual(yield* found("template"), [title])
      assert.deepStrictEqual(yield* found("queries"), [rule, description])
      assert.deepStrictEqual(yield* found("sql_injection"), [rule])
      assert.deepStrictEqual(yield* found("src/billing"), [path])
      assert.deepStrictEqual(yield* found("refund.ts"), [path])
      assert.deepStrictEqual(yield* found('"joins strings" -refund'), [description])
      assert.deepStrictEqual(yield* found("templates or refund"), [path, title])
      assert.deepStrictEqual(yield* found("' ; DROP TABLE observations"), [])
      assert.notInclude(yield* found("template"), advisory)
    })
  )

  it.effect("narrows by the filters of the list, page by page, within the workspace", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* observationsIn(yield* aTenant(), [{}])
      const [open, closed, low] = yield* observationsIn(tenant, [{}, { close_reason: "fixed" }, { priority: "P3" }])
      const observations = yield* Observations
      const search = (query: Parameters<typeof observations.search>[0]) => observations.search(query).pipe(as(tenant))
      assert.deepStrictEqual(refsOf(yield* search({ q: "key", status: "new" })), [low, open])
      assert.deepStrictEqual(refsOf(yield* search({ q: "key", close_reason: "fixed" })), [closed])
      assert.deepStrictEqual(refsOf(yield* search({ q: "key", priority: ["P3"] })), [low])
      const first = yield* search({ q: "key", limit: 2 })
      assert.deepStrictEqual(refsOf(yield* search({ q: "key", limit: 2, cursor: first.next_cursor! })), [open])
      const other = yield* Effect.flip(search({ q: "keys", limit: 2, cursor: first.next_cursor! }))
      assert.strictEqual(other._tag, "InvalidCursor")
    })
  )
})

layer(servicesWith())("open findings of a file", (it) => {
  it.effect("are those with the file among their locations, in that repository only", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const observations = yield* Observations
      const [first, second] = yield* observationsIn(tenant, [
        { file_path: "src/a.ts" },
        { file_path: "src/b.ts" },
        { file_path: "src/a.ts", close_reason: "fixed" },
        { file_path: "src/a.ts", kind: "advisory" },
        { file_path: "src/a.tsx" }
      ])
      const also = { file_path: "src/a.ts", symbol: null, line_start: 9, line_end: 9 }
      yield* sql`UPDATE observations SET locations = locations || ${jsonb([also])}
        WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${Number(second!.slice(4))}`
      const recent = (file_path: string) =>
        Effect.map(observations.recent(tenant.path, { file_path }), refsOf).pipe(as(tenant))
      assert.deepStrictEqual(yield* recent("src/a.ts"), [second, first])
      assert.deepStrictEqual(yield* recent("./src/a.ts"), [second, first])
      assert.deepStrictEqual(yield* recent("src"), [])
    })
  )
})

layer(servicesWith())("pending migrations", (it) => {
  it.effect(
    "are suggestions to migrate, and none unless the workspace wants suggestions; a wrong cursor is rejected in either case",
    () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant()
        const sql = yield* SqlClient.SqlClient
        const observations = yield* Observations
        const ref = yield* saying(tenant, { title: "Migrate from moment to Temporal" }, { kind: "suggestion" })
        yield* saying(tenant, { title: "Log what the server does" }, { kind: "suggestion" })
        yield* saying(tenant, { title: "Migrate" }, { kind: "finding" })
        const pending = Effect.map(observations.pendingMigrations({}), refsOf).pipe(as(tenant))
        const garbage = as(tenant)(observations.pendingMigrations({ cursor: "garbage" }))
        assert.deepStrictEqual(yield* pending, [])
        assert.strictEqual((yield* Effect.flip(garbage))._tag, "InvalidCursor")
        yield* sql`UPDATE workspaces SET features = '{audit_suggestions}' WHERE id = ${tenant.caller.workspace_id}`
        assert.deepStrictEqual(yield* pending, [ref])
        assert.strictEqual((yield* Effect.flip(garbage))._tag, "InvalidCursor")
      })
  )
})

layer(servicesWith())("an explanation", (it) => {
  it.effect("takes a description apart, names others of the rule, and says what happened", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const observations = yield* Observations
      const description = [
        "The name reaches the query.",
        "Why it matters and how to fix it: Anybody can read the table. Bind the value."
      ].join("\n\n")
      const steps = [
        { file_path: "src/routes.ts", line: 3, note: "req.query.name" },
        { file_path: "src/index.ts", line: 4, note: "concatenated" },
        { file_path: "src/db.ts", line: null, note: "executed" }
      ]
      const ref = yield* saying(tenant, { description, steps })
      const [similar] = yield* observationsIn(tenant, [{}])
      yield* observations.acknowledge(numberOf(ref)).pipe(as(tenant))
      const explained = yield* observations.explain(numberOf(ref)).pipe(as(tenant))
      assert.strictEqual(explained.what, "The name reaches the query.")
      assert.strictEqual(
        explained.how_it_comes_about,
        "1. req.query.name (src/routes.ts:3)\n2. concatenated (line 4)\n3. executed (src/db.ts)"
      )
      assert.deepStrictEqual((yield* observations.get(numberOf(ref)).pipe(as(tenant))).steps, steps)
      assert.strictEqual(explained.why_and_how_to_fix, "Anybody can read the table. Bind the value.")
      assert.deepStrictEqual(
        explained.similar.map(({ ref }) => ref),
        [similar]
      )
      assert.match(explained.summary, /^OBS-\d+ is a finding about security of priority P1 in src\/index\.ts, line 3\./)
      assert.match(explained.history.join("\n"), /^\d{4}-\d\d-\d\d: was acknowledged by /)
      yield* observations.complete(numberOf(ref), {}).pipe(as(tenant))
      const after = yield* observations.explain(numberOf(ref)).pipe(as(tenant))
      assert.match(after.summary, /It is closed \(completed\)\./)
      const missing = yield* Effect.flip(observations.explain(numberOf("OBS-99999")).pipe(as(tenant)))
      assert.strictEqual(missing._tag, "ObservationNotFound")
    })
  )

  it.effect("shows the example of the rule, where the engine has the rule", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const observations = yield* Observations
      const known = yield* saying(tenant, { rule_id: "command_injection.untrusted_command" })
      const { example } = yield* observations.explain(numberOf(known)).pipe(as(tenant))
      assert.include(example?.bad, "req.query")
      assert.notStrictEqual(example?.good, example?.bad)
      for (const rule_id of ["command_injection.retired_rule", "retired_tool.rule", "constructor.name"]) {
        const unknown = yield* saying(tenant, { rule_id })
        assert.isNull((yield* observations.explain(numberOf(unknown)).pipe(as(tenant))).example, rule_id)
      }
    })
  )

  it.effect("of a row from before steps were stored leaves them in its words", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const observations = yield* Observations
      const what = "The name reaches the query.\n\nHow it comes about:\n1. req.query.name (line 3)"
      const ref = yield* saying(tenant, { description: `${what}\n\nWhy it matters and how to fix it: Bind the value.` })
      const explained = yield* observations.explain(numberOf(ref)).pipe(as(tenant))
      assert.deepStrictEqual(
        [explained.what, explained.how_it_comes_about, explained.why_and_how_to_fix],
        [what, null, "Bind the value."]
      )
    })
  )
})
