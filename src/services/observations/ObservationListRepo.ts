import { SqlClient, type Statement } from "@effect/sql"
import { Effect } from "effect"
import { maxFixAttempts } from "../../schema/Fix.ts"
import type { Observation, ObservationsQuery, Order } from "../../schema/Observation.ts"
import type { Position } from "../access/Cursors.ts"
import { jsonb } from "../support/statements.ts"
import { observationColumns } from "./observationColumns.ts"

/** What a list can be narrowed to: the filters of the public list, and those of the lists with a name of their own. */
export interface ObservationFilters extends Omit<ObservationsQuery, "repo" | "order" | "include" | "limit" | "cursor"> {
  /** Words, as people type them into a search. */
  readonly q?: string
  /** Of any of its locations. */
  readonly file_path?: string
  /** Only what reads as moving away from something. */
  readonly migrations?: boolean
}

export interface ListRequest {
  readonly workspace_id: string
  readonly repository_id: string | null
  readonly filters: ObservationFilters
  readonly order: Order
  readonly includeLocations: boolean
  readonly after: Position | null
  readonly limit: number
}

/** A listed row with the sort key of its order. */
export type Listed = Observation & { readonly sort_key: Position }

interface Filter<Value> {
  /** Whether lists with and without this filter are served by the same plan. */
  readonly sharesPlan?: true
  /** `null`: this value does not narrow the list. */
  readonly condition: (value: Value) => Statement.Fragment | null
}

/** One entry for each filter: a filter without one does not compile. */
type Filters = { readonly [Name in keyof ObservationFilters]-?: Filter<NonNullable<ObservationFilters[Name]>> }

/** In a rule's name or a title; suggestions only, where there are few. */
const migrationWords = "migrat|deprecat|upgrad|outdated|obsolete|end.of.life|no longer maintained"

export class ObservationListRepo extends Effect.Service<ObservationListRepo>()("ObservationListRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const filters: Filters = {
      kind: { condition: (kind) => sql`o.kind = ${kind}` },
      status: {
        sharesPlan: true,
        condition: (status) =>
          status === "new" ? sql`o.status = ${status} AND NOT o.open_fix_pr` : sql`o.status = ${status}`
      },
      priority: { condition: (priority) => sql`o.priority = ${priority}` },
      category: { condition: (category) => sql`o.category = ${category}` },
      domain: { condition: (domain) => sql`o.domain = ${domain}` },
      since: { condition: (since) => sql`o.updated_at > ${since}` },
      close_reason: { condition: (reason) => sql`o.close_reason = ${reason}` },
      has_fix_pr: { condition: (has) => sql`o.has_fix_pr = ${has}` },
      easy_wins: { condition: (only) => (only ? sql`o.easy_win = 1` : null) },
      needs_review: {
        condition: (only) =>
          only
            ? sql`o.kind = 'finding' AND o.fix_attempts >= ${sql.literal(String(maxFixAttempts))}
                AND NOT EXISTS (SELECT FROM fix_attempts a WHERE a.observation_id = o.id AND a.outcome = 'started')`
            : null
      },
      q: {
        // Path separators are no letters here or in the index: `src/auth.ts` is found by auth.
        condition: (words) => sql`observation_words(o.title, o.description, o.rule_id, o.file_path)
          @@ websearch_to_tsquery('english', translate(${words}, './_:', '    '))`
      },
      file_path: {
        condition: (path) => sql`jsonb_path_query_array(o.locations, '$[*].file_path') @> ${jsonb([path])}`
      },
      migrations: { condition: (only) => (only ? sql`(o.rule_id || ' ' || o.title) ~* ${migrationWords}` : null) }
    }
    const filterNames = Object.keys(filters) as ReadonlyArray<keyof Filters>

    const conditionOf = <Name extends keyof Filters>(name: Name, request: ListRequest) => {
      const value: ObservationFilters[Name] = request.filters[name]
      // The compiler does not see that a filter and its value have the same name.
      return value === undefined ? null : (filters[name] as Filter<typeof value>).condition(value)
    }

    const orders = {
      recency: {
        key: sql.literal("jsonb_build_array(o.number)"),
        by: sql.literal("o.number DESC"),
        after: ([number]: Position) => sql`o.number < ${number ?? null}::int`
      },
      display_rank: {
        key: sql.literal("jsonb_build_array(o.priority, o.confidence, o.easy_win, o.number)"),
        by: sql.literal("o.priority, -o.confidence, -o.easy_win, -o.number"),
        after: ([priority, confidence, easy, number]: Position) => sql`
          (o.priority, -o.confidence, -o.easy_win, -o.number)
            > (${priority ?? null}::text, -${confidence ?? null}::float8, -${easy ?? null}::int, -${number ?? null}::int)`
      },
      resolved: {
        key: sql.literal("jsonb_build_array(o.closed_at, o.number)"),
        by: sql.literal("o.closed_at DESC, o.number DESC"),
        after: ([closedAt, number]: Position) =>
          sql`(o.closed_at, o.number) < (${closedAt ?? null}::timestamptz, ${number ?? null}::int)`
      }
    }

    // A join would let the planner read whole repositories and sort. One that is named was found to be live.
    const isLive = (workspaceId: string) => sql`o.repository_id <> ALL (ARRAY(SELECT id FROM repositories
      WHERE workspace_id = ${workspaceId} AND deleted_at IS NOT NULL))`

    const list = (request: ListRequest) => {
      const { workspace_id, repository_id } = request
      const order = orders[request.order]
      const narrowed = filterNames.flatMap((name) => {
        const condition = conditionOf(name, request)
        return condition === null ? [] : [{ condition, sharesPlan: filters[name].sharesPlan === true }]
      })
      const conditions = [
        sql`o.workspace_id = ${workspace_id}`,
        repository_id === null ? isLive(workspace_id) : sql`o.repository_id = ${repository_id}`,
        ...narrowed.map(({ condition }) => condition),
        ...(request.order === "resolved" ? [sql`o.status = 'closed'`] : []),
        ...(request.after === null ? [] : [order.after(request.after)])
      ]
      // Which rows pass says little about the best plan: one plan serves every page, so that it is made only once. The
      // limit is in the text for the same reason.
      const isPrepared = narrowed.every(({ sharesPlan }) => sharesPlan)
      return Effect.orDie(
        sql<Listed>`${sql.literal(isPrepared ? "/* prepared */" : "")}
          SELECT ${sql.literal(observationColumns)}${sql.literal(request.includeLocations ? ", o.locations" : "")},
            ${order.key} AS sort_key
          FROM observations o WHERE ${sql.and(conditions)} ORDER BY ${order.by}
          LIMIT ${sql.literal(String(Math.trunc(request.limit) + 1))}`
      )
    }

    return { list }
  })
}) {}
