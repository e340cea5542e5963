import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ContextEntriesRequest } from "../../../src/schema/TeamContext.ts"
import type { Current } from "../../../src/services/context/TeamContext.ts"
import { TeamContext } from "../../../src/services/context/TeamContext.ts"
import { aProject, aWorkspace } from "../../support/builders.ts"
import { as } from "../../support/context.ts"
import { TestApp } from "../../support/TestApp.ts"

interface Row {
  readonly id: string
  readonly key: string
  readonly level: string | null
  readonly scope: string
  readonly status: string
  readonly kind: string
  readonly tags: ReadonlyArray<string>
  readonly disabled: boolean
}

/** Nearest first. */
const line = ["cart", "checkout", "retail", null]

/** A workspace whose levels hold many of the same keys, of all kinds, some disabled. */
const aCrowd = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  yield* aProject(owner, { name: "Retail", kind: "area" })
  yield* aProject(owner, { name: "Checkout", kind: "space", parent: "retail" })
  yield* aProject(owner, { name: "Cart", parent: "checkout" })
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`
    WITH written AS (
      INSERT INTO context_entries (id, workspace_id, project_id, key, status, kind, title, summary, body_md, data, scope, tags,
          created_by, updated_by, created_at, updated_at, disabled_at, disabled_reason)
        SELECT gen_random_uuid(), ${owner.caller.workspace_id}, p.id, 'key-' || n % 20, (ARRAY['live', 'proposed'])[1 + drawn % 2],
          (ARRAY['note', 'warning', 'runbook'])[1 + drawn / 2 % 3], 'About it', CASE drawn / 6 % 4 WHEN 0 THEN 'Rotated certificates.' ELSE 'Other.' END,
          'Nothing more.', '{}', CASE WHEN p.id IS NULL OR drawn / 24 % 2 = 0 THEN 'subtree' ELSE 'project' END,
          CASE drawn / 48 % 3 WHEN 0 THEN '{ops}'::text[] ELSE '{}' END, actor, actor, now(), now(),
          CASE WHEN n >= 20 THEN now() END, CASE WHEN n >= 20 THEN 'Old.' END
        FROM (SELECT id, slug FROM projects WHERE workspace_id = ${owner.caller.workspace_id} UNION ALL SELECT NULL, NULL) p,
          generate_series(0, 27) n, abs(hashtext(concat(p.slug, n))) drawn,
          (SELECT '{"kind":"user","api_key":null,"label":"a","label_verified":true,"user_id":null}'::jsonb AS actor) a
        WHERE drawn % 3 > 0
        RETURNING id, key, project_id, scope, status, kind, tags, disabled_at IS NOT NULL AS disabled
    )
    SELECT w.id, w.key, p.slug AS level, w.scope, w.status, w.kind, w.tags, w.disabled
    FROM written w LEFT JOIN projects p ON p.id = w.project_id`
  return { owner, rows }
})

const order = (a: Row, b: Row) => (a.key === b.key ? (a.id < b.id ? -1 : 1) : a.key < b.key ? -1 : 1)

/** The IDs that a list holds, by reading all rows. */
const expected = (rows: ReadonlyArray<Row>, level: string | null, request: ContextEntriesRequest) => {
  const above = line.slice(line.indexOf(level))
  const nearest = new Map<string, Row>()
  for (const one of above) {
    for (const row of rows) {
      const applies = row.level === one && !row.disabled && (one === level || row.scope === "subtree")
      if (applies && !nearest.has(row.key)) nearest.set(row.key, row)
    }
  }
  const disabled = request.include_disabled ? rows.filter((row) => row.level === level && row.disabled) : []
  return [...nearest.values(), ...disabled]
    .filter(
      ({ kind, status, tags }) =>
        (request.kind === undefined || kind === request.kind) &&
        (request.status === undefined || status === request.status) &&
        (request.tag === undefined || tags.includes(request.tag))
    )
    .sort(order)
    .map(({ id }) => id)
}

const requests: ReadonlyArray<ContextEntriesRequest> = [
  {},
  { include_disabled: true },
  { kind: "warning" },
  { status: "proposed" },
  { tag: "ops" },
  { kind: "note", status: "live", include_disabled: true }
]

layer(TestApp)("the entries of levels that hold the same keys", (it) => {
  it.effect("are on pages of any size in the order of their keys, each key's nearest, whatever is asked for", () =>
    Effect.gen(function* () {
      const { owner, rows } = yield* aCrowd
      const context = yield* TeamContext
      const walked = Effect.fnUntraced(function* (level: string | null, request: ContextEntriesRequest, limit: number) {
        const ids: Array<string> = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const found = yield* context.list(level, { ...request, limit, ...(cursor === undefined ? {} : { cursor }) })
          const page = (found as Current<{ data: ReadonlyArray<{ id: string }>; next_cursor: string | null }>).value
          ids.push(...page.data.map(({ id }) => id))
          cursor = page.next_cursor
        }
        return ids
      })
      for (const level of line) {
        for (const request of requests) {
          const ids = yield* walked(level, request, 4).pipe(as(owner))
          assert.deepStrictEqual(ids, expected(rows, level, request), JSON.stringify([level, request]))
        }
      }
    })
  )

  it.effect("add up to what is kept of each level, which a page has its ETag and its proposals from", () =>
    Effect.gen(function* () {
      const { owner } = yield* aCrowd
      const sql = yield* SqlClient.SqlClient
      const workspace = owner.caller.workspace_id
      const check = Effect.gen(function* () {
        const [kept, counted] = yield* Effect.all([
          sql`SELECT project_id, scope, bit_xor(hash) AS hash, sum(proposed)::int AS proposed FROM context_sums
              WHERE workspace_id = ${workspace} GROUP BY 1, 2 HAVING bit_xor(hash) <> 0 ORDER BY 1, 2`,
          sql`SELECT project_id, scope, bit_xor(hashtextextended(concat_ws(':', id, version,
                extract(epoch FROM corroborated_at)), 0)) AS hash, count(*) FILTER (WHERE status = 'proposed')::int AS proposed
              FROM context_entries WHERE workspace_id = ${workspace} AND disabled_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2`
        ])
        assert.isNotEmpty(kept)
        assert.deepStrictEqual(kept, counted)
      })
      yield* check
      const few = sql`workspace_id = ${workspace} AND key IN ('key-3', 'key-7', 'key-11')`
      yield* sql`UPDATE context_entries SET version = version + 1, status = 'live' WHERE ${few}`
      yield* check
      yield* sql`UPDATE context_entries SET corroborated_at = now(), corroborated_by = updated_by WHERE ${few}`
      yield* check
      yield* sql`UPDATE context_entries SET version = version + 1, scope = 'subtree' WHERE ${few}`
      yield* check
      yield* sql`UPDATE context_entries SET disabled_at = now(), disabled_reason = 'Old.'
        WHERE workspace_id = ${workspace} AND disabled_at IS NULL`
      const left = yield* sql`SELECT bit_xor(hash)::text AS hash, sum(proposed)::int AS proposed FROM context_sums
        WHERE workspace_id = ${workspace}`
      assert.deepStrictEqual(left, [{ hash: "0", proposed: 0 }])
    })
  )
})
