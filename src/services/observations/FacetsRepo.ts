import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import { type Age, facetNames, maxFacetValues } from "../../schema/Facets.ts"
import { Count } from "../../schema/Text.ts"
import { onlyRow, rows } from "../support/rows.ts"
import { type FilterCondition, type Narrowed, ObservationFiltersRepo } from "./ObservationFiltersRepo.ts"

type FacetName = (typeof facetNames)[number]

const FacetRow = Schema.Struct({ facet: Schema.Literal(...facetNames), value: Schema.String, count: Count })

const AgeRow = Schema.Struct({ today: Count, week: Count, month: Count, older: Count } satisfies Record<Age, unknown>)

/** The column of each facet. What has an open fix pull request is in neither status, as in the list. */
const columns: Readonly<Record<FacetName, string>> = {
  kind: "o.kind",
  status: "CASE WHEN o.open_fix_pr AND o.status = 'new' THEN NULL ELSE o.status END",
  priority: "o.priority",
  category: "o.category",
  domain: "o.domain",
  tool: "o.tool",
  repo: "o.repository_id::text",
  rule: "o.rule_id"
}

/** Filters on columns of `observation_counts`; the others need the observations themselves. */
const countedFilters: ReadonlySet<FilterCondition["name"]> = new Set([
  "kind",
  "status",
  "statuses",
  "priority",
  "priorities",
  "category",
  "domain",
  "tool",
  "rule"
])

/** Facets that are counted with the same filters, in one pass over the counts. */
interface Pass {
  readonly names: ReadonlyArray<FacetName>
  readonly conditions: ReadonlyArray<Statement.Fragment>
}

export class FacetsRepo extends Effect.Service<FacetsRepo>()("FacetsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { within, narrowing } = yield* ObservationFiltersRepo

    const combination = sql.literal(`o.repository_id, o.status, o.open_fix_pr, o.kind, o.priority, o.category, o.domain,
      o.tool, o.rule_id`)

    /** How many observations each combination of columns has: those that are kept, or those of a filter, counted now. */
    const combinationsOf = (request: Narrowed) => {
      const everywhere = within({ ...request, repository_id: null })
      const uncounted = narrowing(request.filters).filter(({ name }) => !countedFilters.has(name))
      const [only] = uncounted
      if (only === undefined) {
        return sql`SELECT ${combination}, sum(o.count) AS count FROM observation_counts o WHERE ${everywhere}
          GROUP BY ${combination}`
      }
      // What is older than a time is nearly everything: it is all without the newer, which are quickly counted.
      return uncounted.length === 1 && only.name === "first_seen_until"
        ? sql`SELECT ${combination}, sum(o.count) AS count FROM (
              SELECT ${combination}, o.count FROM observation_counts o WHERE ${everywhere}
              UNION ALL SELECT ${combination}, -1 FROM observations o WHERE ${everywhere} AND NOT (${only.condition})) o
            GROUP BY ${combination}`
        : sql`SELECT ${combination}, count(*) AS count FROM observations o
            WHERE ${sql.and([everywhere, ...uncounted.map(({ condition }) => condition)])} GROUP BY ${combination}`
    }

    /** One pass for the facets without a filter of their own, and one more for each that has one. */
    const passesOf = (request: Narrowed, names: ReadonlyArray<FacetName>): ReadonlyArray<Pass> => {
      const filters = narrowing(request.filters).filter(({ name }) => countedFilters.has(name))
      const filtered = new Set<string>([
        ...filters.map(({ name }) => name),
        ...(request.repository_id === null ? [] : ["repo"])
      ])
      const passOf = (together: ReadonlyArray<FacetName>, own: FacetName | null): Pass => ({
        names: together,
        conditions: [
          ...(request.repository_id === null || own === "repo"
            ? []
            : [sql`o.repository_id = ${request.repository_id}`]),
          ...filters.filter(({ name }) => name !== own).map(({ condition }) => condition)
        ]
      })
      const shared = names.filter((name) => !filtered.has(name))
      return [
        ...(shared.length === 0 ? [] : [passOf(shared, null)]),
        ...names.filter((name) => filtered.has(name)).map((name) => passOf([name], name))
      ]
    }

    const countsOf = ({ names, conditions }: Pass) => {
      const list = names.map((name) => `${columns[name]} AS ${name}`).join(", ")
      const value = names.map((name) => `WHEN GROUPING(${name}) = 0 THEN ${name}`).join(" ")
      const facet = names.map((name) => `WHEN GROUPING(${name}) = 0 THEN '${name}'`).join(" ")
      const sets = names.map((name) => `(${name})`).join(", ")
      return sql`(SELECT ${sql.literal(`CASE ${facet} END AS facet, CASE ${value} END AS value`)},
          sum(count)::int AS count
        FROM (SELECT ${sql.literal(list)}, o.count FROM combinations o WHERE ${sql.and(conditions)}) counted
        GROUP BY GROUPING SETS (${sql.literal(sets)}) HAVING sum(count) > 0)`
    }

    /** The most frequent values of each facet; a repository by the slug that names it alone. */
    const facets = (request: Narrowed, names: ReadonlyArray<FacetName>) => {
      const [first, ...others] = passesOf(request, names).map(countsOf)
      const counts = others.reduce((all, next) => sql`${all} UNION ALL ${next}`, first ?? sql``)
      return rows(
        FacetRow,
        sql`WITH combinations AS MATERIALIZED (${combinationsOf(request)}),
            counts AS (${counts}),
            slugs AS (
              SELECT r.id::text AS id, CASE WHEN count(*) OVER (PARTITION BY r.repo_name) = 1 THEN r.repo_name
                ELSE r.github_org || '/' || r.repo_name END AS slug
              FROM repositories r WHERE r.workspace_id = ${request.workspace_id} AND r.deleted_at IS NULL
            ),
            named AS (
              SELECT c.facet, CASE c.facet WHEN 'repo' THEN s.slug ELSE c.value END AS value, c.count
              FROM counts c LEFT JOIN slugs s ON c.facet = 'repo' AND s.id = c.value
            ),
            ranked AS (
              SELECT facet, value, count,
                row_number() OVER (PARTITION BY facet ORDER BY count DESC, value COLLATE "C") AS rank
              FROM named WHERE value IS NOT NULL
            )
          SELECT facet, value, count FROM ranked WHERE rank <= ${maxFacetValues} ORDER BY facet, rank`
      )
    }

    /** How many were first seen since each time, and how many before all of them; filters of that time do not count. */
    const ages = (request: Narrowed, since: Readonly<Record<Exclude<Age, "older">, string>>) => {
      const { first_seen_since: _, first_seen_until: __, ...filters } = request.filters
      const narrowed = narrowing(filters)
      const matches = sql.and([within(request), ...narrowed.map(({ condition }) => condition)])
      // Nearly everything is older than a month: it is counted as all without the newer, which the index finds.
      const total = narrowed.every(({ name }) => countedFilters.has(name))
        ? sql`SELECT coalesce(sum(o.count), 0)::int FROM observation_counts o WHERE ${matches}`
        : sql`SELECT count(*)::int FROM observations o WHERE ${matches}`
      return onlyRow(
        AgeRow,
        sql`SELECT (count(*) FILTER (WHERE o.first_seen_at >= ${since.today}))::int AS today,
            (count(*) FILTER (WHERE o.first_seen_at >= ${since.week}))::int AS week,
            count(*)::int AS month, (${total}) - count(*)::int AS older
          FROM observations o WHERE ${matches} AND o.first_seen_at >= ${since.month}`
      )
    }

    return { facets, ages }
  })
}) {}
