import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import { facetNames, maxFacetValues } from "../../schema/Facets.ts"
import { Count } from "../../schema/Text.ts"
import { rows } from "../support/rows.ts"
import { type Narrowed, ObservationFiltersRepo } from "./ObservationFiltersRepo.ts"

type FacetName = (typeof facetNames)[number]

const FacetRow = Schema.Struct({ facet: Schema.Literal(...facetNames), value: Schema.String, count: Count })

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

/** Facets that are counted with the same filters, in one pass over the observations. */
interface Pass {
  readonly names: ReadonlyArray<FacetName>
  readonly conditions: ReadonlyArray<Statement.Fragment>
}

export class FacetsRepo extends Effect.Service<FacetsRepo>()("FacetsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { within, narrowing } = yield* ObservationFiltersRepo

    /** One pass for the facets without a filter of their own, and one more for each that has one. */
    const passesOf = (request: Narrowed): ReadonlyArray<Pass> => {
      const filters = narrowing(request.filters)
      const filtered = new Set<string>([
        ...filters.map(({ name }) => name),
        ...(request.repository_id === null ? [] : ["repo"])
      ])
      const passOf = (names: ReadonlyArray<FacetName>, own: FacetName | null): Pass => ({
        names,
        conditions: [
          within(own === "repo" ? { ...request, repository_id: null } : request),
          ...filters.filter(({ name }) => name !== own).map(({ condition }) => condition)
        ]
      })
      const shared = facetNames.filter((name) => !filtered.has(name))
      return [
        ...(shared.length === 0 ? [] : [passOf(shared, null)]),
        ...facetNames.filter((name) => filtered.has(name)).map((name) => passOf([name], name))
      ]
    }

    const countsOf = ({ names, conditions }: Pass) => {
      const list = names.map((name) => `${columns[name]} AS ${name}`).join(", ")
      const value = names.map((name) => `WHEN GROUPING(${name}) = 0 THEN ${name}`).join(" ")
      const facet = names.map((name) => `WHEN GROUPING(${name}) = 0 THEN '${name}'`).join(" ")
      const sets = names.map((name) => `(${name})`).join(", ")
      return sql`(SELECT ${sql.literal(`CASE ${facet} END AS facet, CASE ${value} END AS value`)}, count(*)::int AS count
        FROM (SELECT ${sql.literal(list)} FROM observations o WHERE ${sql.and(conditions)}) counted
        GROUP BY GROUPING SETS (${sql.literal(sets)}))`
    }

    /** The most frequent values of each facet; a repository by the slug that names it alone. */
    const facets = (request: Narrowed) => {
      const [first, ...others] = passesOf(request).map(countsOf)
      const counts = others.reduce((all, next) => sql`${all} UNION ALL ${next}`, first ?? sql``)
      return rows(
        FacetRow,
        sql`WITH counts AS (${counts}),
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

    return { facets }
  })
}) {}
