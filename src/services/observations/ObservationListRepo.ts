import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import { maxFixAttempts } from "../../schema/Fix.ts"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  Observation,
  type ObservationStatus,
  ObservationsQuery,
  type Order,
  type Priority
} from "../../schema/Observation.ts"
import { type Keyset, keyset, type Position } from "../support/keyset.ts"
import { rows } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { observationColumns } from "./observationColumns.ts"

/** What a list can be narrowed to: the filters of the public list, and those of the lists with a name of their own. */
export interface ObservationFilters extends Omit<ObservationsQuery, "repo" | "order" | "include" | "limit" | "cursor"> {
  /** Words, as people type them into a search. */
  readonly q?: string
  /** Of any of its locations. */
  readonly file_path?: string
  readonly priorities?: ReadonlyArray<Priority>
  readonly statuses?: ReadonlyArray<ObservationStatus>
  /** Only what reads as moving away from something. */
  readonly migrations?: boolean
}

export interface ListRequest {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
  readonly filters: ObservationFilters
  readonly order: Order
  readonly includeLocations: boolean
  readonly after: Position | null
  readonly limit: number
}

/** A listed row with the sort key of its order. */
const Listed = Schema.Struct({
  ...Observation.fields,
  sort_key: Schema.Array(Schema.Union(Schema.String, Schema.Number))
})
export type Listed = typeof Listed.Type

interface Filter<Value> {
  /** Whether lists with and without this filter are served by the same plan. */
  readonly sharesPlan?: true
  /** `null`: this value does not narrow the list. */
  readonly condition: (value: Value) => Statement.Fragment | null
}

/** One entry for each filter: a filter without one does not compile. */
type Filters = { readonly [Name in keyof ObservationFilters]-?: Filter<NonNullable<ObservationFilters[Name]>> }

const orders: Readonly<Record<Order, Keyset>> = {
  recency: keyset("DESC", { "o.number": "int" }),
  display_rank: keyset("ASC", {
    "o.priority": "text",
    "-o.confidence": "float8",
    "-o.easy_win": "int",
    "-o.number": "int"
  }),
  // Open observations come last; a null would make the comparison with a cursor unknown.
  resolved: keyset("DESC", { "coalesce(o.closed_at, '-infinity'::timestamptz)": "timestamptz", "o.number": "int" })
}

/** Without closed ones the order of resolution is that of the numbers; its own index would pass over all closed ones first. */
const orderOf = ({ order, filters }: ListRequest): Keyset =>
  order === "resolved" && filters.status === "new" ? orders.recency : orders[order]

/** In a rule's name or a title; suggestions only, where there are few. */
const migrationWords = "migrat|deprecat|upgrad|outdated|obsolete|end.of.life|no longer maintained"

export class ObservationListRepo extends Effect.Service<ObservationListRepo>()("ObservationListRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // What has an open fix pull request is listed there.
    const hasStatus = (status: ObservationStatus) =>
      status === "new" ? sql`o.status = ${status} AND NOT o.open_fix_pr` : sql`o.status = ${status}`

    const filters: Filters = {
      kind: { condition: (kind) => sql`o.kind = ${kind}` },
      status: { sharesPlan: true, condition: hasStatus },
      statuses: { condition: (statuses) => (statuses.length === 0 ? null : sql.or(statuses.map(hasStatus))) },
      priorities: {
        condition: (priorities) => (priorities.length === 0 ? null : sql`o.priority = ANY(${[...priorities]}::text[])`)
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

    // A join would let the planner read whole repositories and sort. One that is named was found to be live.
    const isLive = (workspaceId: WorkspaceId) => sql`o.repository_id <> ALL (ARRAY(SELECT id FROM repositories
      WHERE workspace_id = ${workspaceId} AND deleted_at IS NOT NULL))`

    const list = (request: ListRequest) => {
      const { workspace_id, repository_id } = request
      const order = orderOf(request)
      const narrowed = filterNames.flatMap((name) => {
        const condition = conditionOf(name, request)
        return condition === null ? [] : [{ condition, sharesPlan: filters[name].sharesPlan === true }]
      })
      const conditions = [
        sql`o.workspace_id = ${workspace_id}`,
        repository_id === null ? isLive(workspace_id) : sql`o.repository_id = ${repository_id}`,
        ...narrowed.map(({ condition }) => condition),
        order.after(request.after)
      ]
      // Which rows pass says little about the best plan: one plan serves every page, so that it is made only once. The
      // limit is in the text for the same reason.
      const isPrepared = narrowed.every(({ sharesPlan }) => sharesPlan)
      return rows(
        Listed,
        sql`${sql.literal(isPrepared ? "/* prepared */" : "")}
          SELECT ${sql.literal(observationColumns)}${sql.literal(request.includeLocations ? ", o.locations" : "")},
            ${order.position} AS sort_key
          FROM observations o WHERE ${sql.and(conditions)} ORDER BY ${order.by}
          LIMIT ${sql.literal(String(Math.trunc(request.limit) + 1))}`
      )
    }

    return { list }
  })
}) {}
