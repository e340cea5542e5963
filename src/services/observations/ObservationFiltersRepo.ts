import { SqlClient, type Statement } from "@effect/sql"
import { Effect } from "effect"
import { maxFixAttempts } from "../../schema/Fix.ts"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { ObservationStatus, ObservationsQuery, Priority } from "../../schema/Observation.ts"
import { pathFromRoot } from "../repositories/pathDigests.ts"
import { jsonb } from "../support/statements.ts"

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

/** Observations of a workspace, or of one of its repositories. */
export interface Narrowed {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
  readonly filters: ObservationFilters
}

interface Filter<Value> {
  /** Whether lists with and without this filter are served by the same plan. */
  readonly sharesPlan?: true
  /** `null`: this value does not narrow the list. */
  readonly condition: (value: Value) => Statement.Fragment | null
}

/** One entry for each filter: a filter without one does not compile. */
type Filters = { readonly [Name in keyof ObservationFilters]-?: Filter<NonNullable<ObservationFilters[Name]>> }

/** The condition of one filter on the table `observations AS o`. */
export interface FilterCondition {
  readonly name: keyof ObservationFilters
  readonly condition: Statement.Fragment
  readonly sharesPlan: boolean
}

/** In a rule's name or a title; suggestions only, where there are few. */
const migrationWords = "migrat|deprecat|upgrad|outdated|obsolete|end.of.life|no longer maintained"

/** The conditions of filters, on the table `observations AS o`. */
export class ObservationFiltersRepo extends Effect.Service<ObservationFiltersRepo>()("ObservationFiltersRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // What has an open fix pull request is listed there.
    const hasStatus = (status: ObservationStatus) =>
      status === "new" ? sql`o.status = ${status} AND NOT o.open_fix_pr` : sql`o.status = ${status}`

    const isOneOf = (column: string): Filter<ReadonlyArray<string>> => ({
      condition: (values) =>
        values.length === 1
          ? sql`${sql.literal(column)} = ${values[0]!}`
          : sql`${sql.literal(column)} = ANY(${[...values]}::text[])`
    })

    /** The main location is the file of that path, or in a folder of that path. */
    const isBelow = (path: string) => {
      const folder = pathFromRoot(path).replace(/\/+$/, "")
      return /^\.?$/.test(folder) ? null : sql`(o.file_path = ${folder} OR starts_with(o.file_path, ${`${folder}/`}))`
    }

    const filters: Filters = {
      kind: isOneOf("o.kind"),
      status: { sharesPlan: true, condition: hasStatus },
      statuses: { condition: (statuses) => (statuses.length === 0 ? null : sql.or(statuses.map(hasStatus))) },
      priorities: {
        condition: (priorities) => (priorities.length === 0 ? null : sql`o.priority = ANY(${[...priorities]}::text[])`)
      },
      priority: isOneOf("o.priority"),
      category: isOneOf("o.category"),
      domain: isOneOf("o.domain"),
      tool: isOneOf("o.tool"),
      rule: isOneOf("o.rule_id"),
      path: { condition: isBelow },
      since: { condition: (since) => sql`o.updated_at > ${since}` },
      first_seen_since: { condition: (since) => sql`o.first_seen_at >= ${since}` },
      first_seen_until: { condition: (until) => sql`o.first_seen_at < ${until}` },
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

    const conditionOf = <Name extends keyof Filters>(name: Name, requested: ObservationFilters) => {
      const value: ObservationFilters[Name] = requested[name]
      // The compiler does not see that a filter and its value have the same name.
      return value === undefined ? null : (filters[name] as Filter<typeof value>).condition(value)
    }

    // A join would let the planner read whole repositories and sort. One that is named was found to be live.
    const isLive = (workspaceId: WorkspaceId) => sql`o.repository_id <> ALL (ARRAY(SELECT id FROM repositories
      WHERE workspace_id = ${workspaceId} AND deleted_at IS NOT NULL))`

    /** Of a workspace, and there of one repository or of all that are live. */
    const within = ({ workspace_id, repository_id }: Pick<Narrowed, "workspace_id" | "repository_id">) =>
      sql.and([
        sql`o.workspace_id = ${workspace_id}`,
        repository_id === null ? isLive(workspace_id) : sql`o.repository_id = ${repository_id}`
      ])

    const narrowing = (requested: ObservationFilters): ReadonlyArray<FilterCondition> =>
      filterNames.flatMap((name) => {
        const condition = conditionOf(name, requested)
        return condition === null ? [] : [{ name, condition, sharesPlan: filters[name].sharesPlan === true }]
      })

    return { within, narrowing }
  })
}) {}
