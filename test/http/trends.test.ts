import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/workspace/trends"

layer(TestApp)("trends", (it) => {
  it.effect("have the same numbers as CSV", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const ref = yield* anObservation(owner, repository, { priority: "P0" })
      yield* anObservation(owner, repository, { priority: "P2" })
      const dismissal = { dismissal_category: "false_positive", dismissal_note: "A made-up key in a test." }
      yield* send({ path: `/api/observations/${ref}/dismiss`, json: dismissal, as: owner.session })
      const now = new Date()
      const query = `?bucket=week&to=${now.toISOString()}`
      const json = jsonOf(yield* send({ path: `${path}${query}`, as: owner.session }))
      const csv = yield* send({ path: `${path}${query}`, as: owner.session, headers: { accept: "text/csv" } })
      assert.strictEqual(csv.headers["content-type"], "text/csv; charset=utf-8")
      const [head, ...lines] = csv.text.trimEnd().split("\r\n")
      assert.strictEqual(head, "series,at,rule,measure,value")
      const cells = lines.map((line) => line.split(","))
      /** The rows of one series, those with the same cell in one column together. */
      const read = (name: string, column: "at" | "rule") =>
        Object.entries(
          Array.groupBy(
            cells.filter(([series]) => series === name),
            ([, at = "", rule = ""]) => (column === "at" ? at : rule)
          )
        ).map(([key, rows]) => ({
          [column]: key,
          ...Object.fromEntries(rows.map(([, , , measure, value]) => [measure, value === "" ? null : Number(value)]))
        }))
      const series = json.series as Record<string, unknown>
      assert.strictEqual(Object.keys(series).length, 6)
      for (const [name, entries] of Object.entries(series)) assert.deepStrictEqual(read(name, "at"), entries)
      const shares = read("false_positive_share_by_rule", "rule")
      assert.deepStrictEqual(shares, json.false_positive_share_by_rule)
      assert.deepStrictEqual(json.false_positive_share_by_rule, [
        { rule: "aws-key", false_positive: 1, decided: 1, share: 1 }
      ])
    })
  )

  it.effect("reject what is no period, bucket or repository", () =>
    Effect.gen(function* () {
      const { api_key: as } = yield* aKey(yield* aWorkspace())
      const codes = yield* Effect.forEach(
        ["from=yesterday", "bucket=month", "from=2020-01-01", "from=2026-01-02&to=2026-01-01", "repo=no%40main", "x=1"],
        (query) => outcome({ path: `${path}?${query}`, as })
      )
      const invalid = "422 invalid_payload"
      assert.deepStrictEqual(codes, [invalid, invalid, invalid, invalid, "404 not_found", invalid])
    })
  )
})
