import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { type FacetsQuery, facetNames } from "../../../src/schema/Facets.ts"
import { RepositoryId } from "../../../src/schema/Ids.ts"
import {
  Category,
  Domain,
  Kind,
  type Observation,
  type ObservationsQuery,
  Priority
} from "../../../src/schema/Observation.ts"
import { Facets } from "../../../src/services/observations/Facets.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { observationsIn, servicesWith } from "../../support/services.ts"
import { withStatements } from "../../support/statements.ts"

const facetsOf = (tenant: Tenant, query: FacetsQuery) =>
  Effect.flatMap(Facets, (facets) => facets.read(query)).pipe(as(tenant))

const list = (tenant: Tenant, query: ObservationsQuery) =>
  Effect.flatMap(Observations, (observations) => observations.list({ ...query, limit: 1000 })).pipe(as(tenant))

const aRepository = (tenant: Tenant, org: string, repo: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(RepositoryId)
    yield* sql`INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode,
        clone_url, created_at)
      VALUES (${id}, ${tenant.caller.workspace_id}, ${org}, ${repo}, 'main', 'anonymous', 'x', '2026-01-01T00:00:00Z')`
    return id
  }).pipe(Effect.orDie)

const rules = Array.from({ length: 30 }, (_, n) => `old_tool.rule_${String(n).padStart(2, "0")}`)

const row = FastCheck.record({
  kind: FastCheck.constantFrom(...Kind.literals),
  priority: FastCheck.constantFrom(...Priority.literals),
  category: FastCheck.constantFrom(...Category.literals),
  domain: FastCheck.constantFrom(...Domain.literals),
  close_reason: FastCheck.constantFrom(null, null, "fixed" as const, "dismissed" as const),
  tool: FastCheck.constantFrom("old_tool", "older_tool"),
  rule_id: FastCheck.constantFrom(...rules),
  elsewhere: FastCheck.integer({ min: 0, max: 2 })
})

const some = <A>(values: ReadonlyArray<A>) => FastCheck.subarray([...values], { minLength: 1 })

const queries = FastCheck.record(
  {
    kind: some(Kind.literals),
    status: FastCheck.constantFrom("new" as const, "closed" as const),
    priority: some(Priority.literals),
    category: some(Category.literals),
    domain: some(Domain.literals),
    tool: some(["old_tool", "older_tool"]),
    rule: some(rules),
    repo: FastCheck.constantFrom("acme/api@main", "other/api@main", "web@main"),
    close_reason: FastCheck.constantFrom("fixed" as const, "dismissed" as const)
  },
  { requiredKeys: [] }
)

const slugs: Readonly<Record<string, string>> = { acme: "acme/api@main", other: "other/api@main", web: "web@main" }

/** The value that an observation has for each facet. */
const valueOf = (row: Observation, repos: ReadonlyMap<string, string>) => ({
  kind: row.kind,
  status: row.status,
  priority: row.priority,
  category: row.category,
  domain: row.domain,
  tool: row.tool,
  rule: row.rule_id,
  repo: repos.get(row.ref) ?? ""
})

layer(servicesWith())("the facets of observations", (it) => {
  it.effect("count what the list returns with all filters but the facet's own, most frequent first, at most 20", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const others = [yield* aRepository(tenant, "other", "api"), yield* aRepository(tenant, "acme", "web")]
      const rows = FastCheck.sample(row, { numRuns: 300, seed: 8 })
      const refs = yield* observationsIn(
        tenant,
        rows.map(({ elsewhere, ...fields }) =>
          elsewhere === 0 ? fields : { ...fields, repository_id: others[elsewhere - 1]! }
        )
      )
      const repos = new Map(rows.map(({ elsewhere }, n) => [refs[n]!, slugs[["acme", "other", "web"][elsewhere]!]!]))
      for (const query of [{}, ...FastCheck.sample(queries, { numRuns: 60, seed: 9 })]) {
        const facets = yield* facetsOf(tenant, query)
        assert.sameMembers(Object.keys(facets), [...facetNames, "age"])
        for (const name of facetNames) {
          const { [name]: _, ...rest } = query
          const counts = new Map<string, number>()
          for (const found of (yield* list(tenant, rest)).data) {
            const value = valueOf(found, repos)[name]
            counts.set(value, (counts.get(value) ?? 0) + 1)
          }
          const expected = [...counts]
            .map(([value, count]) => ({ value, count }))
            .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
            .slice(0, 20)
          assert.deepStrictEqual(facets[name], expected, `${name} of ${JSON.stringify(query)}`)
        }
      }
    })
  )

  it.effect(
    "are one statement, know nothing of other workspaces and deleted repositories, and pass over open fixes",
    () =>
      Effect.gen(function* () {
        const [tenant, stranger] = [yield* aTenant(), yield* aTenant()]
        const sql = yield* SqlClient.SqlClient
        yield* observationsIn(stranger, [{}, {}])
        yield* observationsIn(tenant, [{}, {}, {}])
        const gone = yield* aRepository(tenant, "acme", "gone")
        yield* observationsIn(tenant, [{ repository_id: gone }])
        yield* sql`UPDATE repositories SET deleted_at = '2026-01-02T00:00:00Z' WHERE id = ${gone}`
        yield* sql`UPDATE observations SET open_fix_pr = true WHERE number = 1 AND workspace_id = ${tenant.caller.workspace_id}`
        const [facets, statements] = yield* withStatements(facetsOf(tenant, { kind: ["finding"], priority: ["P1"] }))
        assert.deepStrictEqual(statements, ["sql.execute"])
        assert.deepStrictEqual(facets.repo, [{ value: "api@main", count: 3 }])
        assert.deepStrictEqual(facets.status, [{ value: "new", count: 2 }])
        assert.deepStrictEqual(facets.kind, [{ value: "finding", count: 3 }])
        const empty = yield* facetsOf(tenant, { close_reason: "fixed" })
        assert.deepStrictEqual(
          Object.values(empty),
          Array.from({ length: 9 }, () => [])
        )
      })
  )

  it.effect("of age count what the list returns since today, for 7 and 30 days and before, whatever time it has", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const today = "2026-03-30T22:00:00.000Z"
      const before = (hours: number) => new Date(Date.parse(today) - hours * 3_600_000).toISOString()
      const hours = [-3, 0, 1, 24 * 6, 24 * 6 + 1, 24 * 29, 24 * 29 + 1, 24 * 400]
      const rows = hours.flatMap((ago, n) =>
        (["P0", "P1"] as const).map((priority) => ({
          priority,
          first_seen_at: before(ago),
          effort: n % 2 === 0 ? ("small" as const) : ("large" as const),
          close_reason: n === 2 ? ("fixed" as const) : null
        }))
      )
      yield* observationsIn(tenant, rows)
      for (const query of [{}, { priority: ["P0"] }, { status: "new" }, { easy_wins: true }] as const) {
        const countOf = (times: ObservationsQuery) =>
          Effect.map(list(tenant, { ...query, ...times }), ({ data }) => data.length)
        const narrowed = { ...query, first_seen_since: before(1), facets: ["age"], today } as const
        const [facets, statements] = yield* withStatements(facetsOf(tenant, narrowed))
        assert.deepStrictEqual(statements, ["sql.execute"])
        assert.deepStrictEqual(
          facets.age,
          [
            { value: "today", count: yield* countOf({ first_seen_since: today }) },
            { value: "week", count: yield* countOf({ first_seen_since: before(24 * 6) }) },
            { value: "month", count: yield* countOf({ first_seen_since: before(24 * 29) }) },
            { value: "older", count: yield* countOf({ first_seen_until: before(24 * 29) }) }
          ],
          JSON.stringify(query)
        )
        assert.deepStrictEqual(facets.priority, [])
      }
    })
  )

  it.effect("are only those that a caller names", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* observationsIn(tenant, [{}])
      const { rule, priority, kind, age } = yield* facetsOf(tenant, { facets: ["priority", "age"] })
      assert.deepStrictEqual([rule, kind, priority.length, age.length], [[], [], 1, 4])
    })
  )
})
