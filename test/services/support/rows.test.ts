import { SqlClient } from "@effect/sql"
import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { openObservation } from "../../../src/schema/examples/observations.ts"
import { FixPrSummary } from "../../../src/schema/Fix.ts"
import { Observation } from "../../../src/schema/Observation.ts"
import { keyset } from "../../../src/services/support/keyset.ts"
import { checkOf } from "../../../src/services/support/rowCheck.ts"
import { countRows, firstRow, onlyRow, rows } from "../../../src/services/support/rows.ts"
import { jsonb } from "../../../src/services/support/statements.ts"
import { Database, EmptyDatabase } from "../../support/Database.ts"

const id = "0190b0a0-1111-7222-8333-444455556666"

const observation = {
  ...openObservation,
  evidence: {
    citation: { checked_at_stage: "scan", line_in_range: true, missing_identifiers: ["a"], path_resolved: null },
    detection_query: null
  },
  closed_by: { kind: "user", label: null, api_key_id: null, user_id: id }
}

const wrong: ReadonlyArray<unknown> = [undefined, null, "", "x", -1, 1.5, true, [], ["x"], {}, { kind: "x" }]

/** The value with each of its parts, one at a time, replaced by something else or left out. */
const corrupted = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const replaced = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    return [...[...wrong, ...corrupted(part)].map(replaced), ...(Array.isArray(value) ? [] : [rest])]
  })
}

describe("checkOf", () => {
  it("says the same of a row and of every corruption of it as the library", () => {
    const check = checkOf(Observation.ast)
    const is = Schema.is(Observation)
    assert.strictEqual(check?.(observation), true)
    const candidates = [...wrong, ...corrupted(observation)]
    assert.isAbove(candidates.length, 500)
    assert.deepStrictEqual(
      candidates.filter((candidate) => check?.(candidate) !== is(candidate)),
      []
    )
    assert.isAbove(candidates.filter((candidate) => !is(candidate)).length, 400)
  })

  it("distinguishes the members of unions, dictionaries and optional fields", () => {
    const schema = Schema.Struct({
      counts: Schema.Record({ key: Schema.String, value: Schema.Number }),
      either: Schema.Union(Schema.String, Schema.Array(Schema.Boolean)),
      'quoted "name"': Schema.optionalWith(Schema.NullOr(Schema.Literal("a", 2, true)), { exact: true })
    })
    const check = checkOf(schema.ast)
    const is = Schema.is(schema)
    const row = { counts: { a: 1, b: 2 }, either: [true, false], 'quoted "name"': 2 }
    assert.strictEqual(check?.(row), true)
    for (const candidate of corrupted(row)) assert.strictEqual(check?.(candidate), is(candidate))
  })

  it("leaves what decoding changes to the library", () => {
    assert.isNull(checkOf(Schema.NumberFromString.ast))
    assert.isNull(checkOf(Schema.Struct({ n: Schema.Array(Schema.NumberFromString) }).ast))
    assert.isNotNull(checkOf(FixPrSummary.ast))
  })
})

const Numbered = Schema.Struct({ n: Schema.Int })
const Parsed = Schema.Struct({ n: Schema.NumberFromString })

layer(EmptyDatabase)("rows", (it) => {
  it.effect("come out as their schema says, and transformed where it transforms", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* rows(Numbered, sql`SELECT n FROM generate_series(1, 2) n`), [{ n: 1 }, { n: 2 }])
      assert.deepStrictEqual(yield* rows(Parsed, sql`SELECT '7' AS n`), [{ n: 7 }])
      assert.deepStrictEqual(yield* firstRow(Numbered, sql`SELECT 1 AS n WHERE false`), Option.none())
      assert.deepStrictEqual(yield* onlyRow(Numbered, sql`SELECT 1 AS n`), { n: 1 })
      yield* sql`CREATE TABLE written (n int)`
      assert.strictEqual(yield* countRows(sql`INSERT INTO written VALUES (1), (2) RETURNING 1`), 2)
    })
  )

  it.effect("are a defect that names the column when they are something else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(rows(Numbered, sql`SELECT 1 AS n UNION ALL SELECT NULL`))
      assert(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.match(Cause.pretty(exit.cause), /\["n"\]/)
      assert(Exit.isFailure(yield* Effect.exit(onlyRow(Numbered, sql`SELECT 1 AS n WHERE false`))))
    })
  )
})

layer(Database)("a jsonb column", (it) => {
  it.effect("takes text with NUL and half surrogate pairs, and null as NULL", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const value = { text: "a\u0000b\ud800c", escaped: "\\u0000", pair: "\ud83d\ude00" }
      assert.deepStrictEqual(yield* sql`SELECT ${jsonb(value)} AS value, ${jsonb(null)} IS NULL AS missing`, [
        { value: { text: "a\ufffdb\ufffdc", escaped: "\\u0000", pair: "\ud83d\ude00" }, missing: true }
      ])
    })
  )
})

layer(Database)("a keyset", (it) => {
  const position = Schema.Struct({ position: Schema.Tuple(Schema.String, Schema.Number) })

  it.effect("pages through a list in its order, each row once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [order, expected] of [
        [keyset("ASC", { "t.a": "text", "-t.b": "int" }), "a2 a1 b3 b1"],
        [keyset("DESC", { "t.a": "text", "t.b": "int" }), "b3 b1 a2 a1"]
      ] as const) {
        const seen: Array<string> = []
        let last: readonly [string, number] | null = null
        do {
          const page: Option.Option<typeof position.Type> = yield* firstRow(
            position,
            sql`SELECT ${order.position} AS position FROM (VALUES ('a', 1), ('b', 1), ('a', 2), ('b', 3)) t (a, b)
              WHERE ${order.after(last)} ORDER BY ${order.by} LIMIT 1`
          )
          last = Option.getOrNull(page)?.position ?? null
          if (last !== null) seen.push(`${last[0]}${Math.abs(last[1])}`)
        } while (last !== null)
        assert.strictEqual(seen.join(" "), expected)
      }
    })
  )
})
