import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { maxFixAttempts } from "../../schema/Fix.ts"
import type { Actor } from "../../schema/Job.ts"
import type {
  CloseReason,
  DismissalCategory,
  Observation,
  ObservationEvent,
  ObservationStatus,
  Order,
  SimilarObservation
} from "../../schema/Observation.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { suggestionsFeature } from "../../schema/Setting.ts"
import type { Position } from "../access/Cursors.ts"
import { jsonb } from "../support/statements.ts"

export interface ListRequest {
  readonly workspace_id: string
  readonly repository_id: string | null
  readonly kind: string | null
  readonly status: string | null
  readonly priority: string | null
  readonly category: string | null
  readonly domain: string | null
  readonly since: string | null
  readonly close_reason: string | null
  readonly has_fix_pr: boolean | null
  readonly easy_wins: boolean
  readonly needs_review: boolean
  /** Words, as people type them into a search. */
  readonly q: string | null
  /** Of any of its locations. */
  readonly file_path: string | null
  /** Only what reads as moving away from something. */
  readonly migrations: boolean
  readonly order: Order
  readonly includeLocations: boolean
  readonly after: Position | null
  readonly limit: number
}

/** A listed row with the sort key of its order. */
export type Listed = Observation & { readonly sort_key: Position }

export interface Closing {
  readonly close_reason: CloseReason
  readonly dismissal_category: DismissalCategory | null
  readonly dismissal_note: string | null
  readonly completion_url: string | null
  readonly completion_note: string | null
}

export interface NewEvent {
  readonly observation_id: string
  readonly at: string
  readonly actor: Actor
  readonly event: ObservationEvent["event"]
  readonly from_status: ObservationStatus | null
  readonly to_status: ObservationStatus
  readonly reason: string | null
  readonly job_id: string | null
}

/** What decides whether a fix can be asked for. */
export type FixTarget = Pick<Observation, "id" | "ref" | "kind" | "status" | "close_reason" | "fix_attempts"> & {
  readonly repository_id: string
  readonly locations: NonNullable<Observation["locations"]>
  readonly open_fix_pr: boolean
  readonly in_flight: boolean
  readonly path: RepositoryPath
}

// Which rows pass says little about the best plan: one plan serves every page, so that none has to be made anew. The
// limit stands in the text for the same reason.
const isPlain = (request: ListRequest) =>
  request.kind === null &&
  request.priority === null &&
  request.category === null &&
  request.domain === null &&
  request.since === null &&
  request.close_reason === null &&
  request.has_fix_pr === null &&
  !request.easy_wins &&
  !request.needs_review &&
  request.q === null &&
  request.file_path === null &&
  !request.migrations

/** In a rule's name or a title; suggestions only, where there are few. */
const migrationWords = "migrat|deprecat|upgrad|outdated|obsolete|end.of.life|no longer maintained"

export class ObservationsRepo extends Effect.Service<ObservationsRepo>()("ObservationsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const repoName = "(SELECT r.repo_name FROM repositories r WHERE r.id = o.repository_id)"
    const columns = sql.literal(`'OBS-' || o.number AS ref, o.id, o.kind, o.status, o.priority, o.category, o.title,
      o.description, ${repoName} AS repo_name, o.domain, o.tool, o.rule_id, o.cwe, o.confidence, o.effort, o.risk, o.evidence,
      o.snippet, o.suggested_change, o.close_reason, o.dismissal_category, o.dismissal_note, o.closed_at, o.closed_by,
      o.completion_url, o.completion_note, o.acknowledged_at, o.first_seen_at, o.last_seen_at, o.first_seen_job_id,
      o.times_seen, o.fix_attempts, o.has_fix_pr, o.ticket_url, o.created_at, o.updated_at`)
    const withLocations = sql.literal(", o.locations")
    const none = sql.literal("")
    const prepared = sql.literal("/* prepared */")

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

    const list = (request: ListRequest) => {
      const order = orders[request.order]
      const conditions = [
        sql`o.workspace_id = ${request.workspace_id}`,
        ...(request.repository_id === null ? [] : [sql`o.repository_id = ${request.repository_id}`]),
        ...(request.kind === null ? [] : [sql`o.kind = ${request.kind}`]),
        ...(request.status === null ? [] : [sql`o.status = ${request.status}`]),
        ...(request.status === "new" ? [sql`NOT o.open_fix_pr`] : []),
        ...(request.priority === null ? [] : [sql`o.priority = ${request.priority}`]),
        ...(request.category === null ? [] : [sql`o.category = ${request.category}`]),
        ...(request.domain === null ? [] : [sql`o.domain = ${request.domain}`]),
        ...(request.since === null ? [] : [sql`o.updated_at > ${request.since}`]),
        ...(request.close_reason === null ? [] : [sql`o.close_reason = ${request.close_reason}`]),
        ...(request.has_fix_pr === null ? [] : [sql`o.has_fix_pr = ${request.has_fix_pr}`]),
        ...(request.easy_wins ? [sql`o.easy_win = 1`] : []),
        ...(request.needs_review
          ? [
              sql`o.kind = 'finding' AND o.fix_attempts >= ${sql.literal(String(maxFixAttempts))} 
              AND NOT EXISTS (SELECT FROM fix_attempts a WHERE a.observation_id = o.id AND a.outcome = 'started')`
            ]
          : []),
        // Path separators are no letters here or in the index: `src/auth.ts` is found by auth.
        ...(request.q === null
          ? []
          : [
              sql`observation_words(o.title, o.description, o.rule_id, o.file_path)
                @@ websearch_to_tsquery('english', translate(${request.q}, './_:', '    '))`
            ]),
        ...(request.file_path === null
          ? []
          : [sql`jsonb_path_query_array(o.locations, '$[*].file_path') @> ${jsonb([request.file_path])}`]),
        ...(request.migrations ? [sql`(o.rule_id || ' ' || o.title) ~* ${migrationWords}`] : []),
        ...(request.order === "resolved" ? [sql`o.status = 'closed'`] : []),
        ...(request.after === null ? [] : [order.after(request.after)]),
        // A join would let the planner read whole repositories and sort. One that is named was found to be live.
        ...(request.repository_id === null
          ? [
              sql`o.repository_id <> ALL (ARRAY(SELECT id FROM repositories
                WHERE workspace_id = ${request.workspace_id} AND deleted_at IS NOT NULL))`
            ]
          : [])
      ]
      return Effect.orDie(
        sql<Listed>`${isPlain(request) ? prepared : none}
          SELECT ${columns}${request.includeLocations ? withLocations : none}, ${order.key} AS sort_key
          FROM observations o WHERE ${sql.and(conditions)} ORDER BY ${order.by}
          LIMIT ${sql.literal(String(Math.trunc(request.limit) + 1))}`
      )
    }

    const find = (request: { readonly workspace_id: string; readonly number: number; readonly lock: boolean }) =>
      Effect.map(
        Effect.orDie(
          sql<Observation & { readonly locations: NonNullable<Observation["locations"]> }>`/* prepared */
            SELECT ${columns}${withLocations} FROM observations o JOIN repositories r ON r.id = o.repository_id
            WHERE o.workspace_id = ${request.workspace_id} AND o.number = ${request.number}
              AND r.deleted_at IS NULL ${request.lock ? sql.literal("FOR UPDATE OF o") : none}`
        ),
        (rows) => rows[0] ?? null
      )

    const close = (request: Closing & { readonly id: string; readonly at: string; readonly actor: Actor }) =>
      Effect.orDie(
        sql`UPDATE observations SET status = 'closed', close_reason = ${request.close_reason},
            dismissal_category = ${request.dismissal_category}, dismissal_note = ${request.dismissal_note},
            completion_url = ${request.completion_url}, completion_note = ${request.completion_note},
            closed_at = ${request.at}, closed_by = ${jsonb(request.actor)}, updated_at = ${request.at}
          WHERE id = ${request.id}`
      )

    const reopen = (request: { readonly id: string; readonly at: string }) =>
      Effect.orDie(
        sql`UPDATE observations SET status = 'new', close_reason = NULL, dismissal_category = NULL,
            dismissal_note = NULL, completion_url = NULL, completion_note = NULL, closed_at = NULL, closed_by = NULL,
            updated_at = ${request.at}
          WHERE id = ${request.id}`
      )

    const acknowledge = (request: { readonly id: string; readonly at: string }) =>
      Effect.orDie(
        sql`UPDATE observations SET acknowledged_at = ${request.at}, updated_at = ${request.at} WHERE id = ${request.id}`
      )

    const addEvent = (event: NewEvent) =>
      Effect.orDie(
        sql`INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason, job_id)
          VALUES (${event.observation_id}, ${event.at}, ${jsonb(event.actor)}, ${event.event}, ${event.from_status},
            ${event.to_status}, ${event.reason}, ${event.job_id})`
      )

    /** Oldest first. */
    const eventsOf = (observationId: string) =>
      Effect.orDie(
        sql<ObservationEvent>`/* prepared */ SELECT at, actor, event, from_status, to_status, reason FROM observation_events
          WHERE observation_id = ${observationId} ORDER BY id`
      )

    const fixTarget = (request: { readonly workspace_id: string; readonly number: number; readonly lock: boolean }) =>
      Effect.map(
        Effect.orDie(
          sql<FixTarget>`
            SELECT o.id, 'OBS-' || o.number AS ref, o.repository_id, o.kind, o.status, o.close_reason, o.locations,
              o.fix_attempts, o.open_fix_pr, EXISTS (
                SELECT FROM fix_attempts a WHERE a.observation_id = o.id AND a.outcome = 'started') AS in_flight,
              jsonb_build_object('github_org', r.github_org, 'github_repo', r.github_repo,
                'github_base_branch', r.github_base_branch) AS path
            FROM observations o JOIN repositories r ON r.id = o.repository_id
            WHERE o.workspace_id = ${request.workspace_id} AND o.number = ${request.number}
              AND r.deleted_at IS NULL ${request.lock ? sql.literal("FOR UPDATE OF o") : none}`
        ),
        (rows): FixTarget | null => rows[0] ?? null
      )

    /** Others of the same rule in the same repository, open ones first. */
    const similar = (request: { readonly workspace_id: string; readonly id: string; readonly limit: number }) =>
      Effect.orDie(
        sql<SimilarObservation>`
          SELECT 'OBS-' || s.number AS ref, s.title, s.status, s.priority, s.file_path
          FROM observations o JOIN observations s ON s.repository_id = o.repository_id AND s.rule_id = o.rule_id
          WHERE o.workspace_id = ${request.workspace_id} AND o.id = ${request.id} AND s.id <> o.id
          ORDER BY s.status DESC, s.number DESC LIMIT ${request.limit}`
      )

    const suggestionsAreOn = (workspaceId: string) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly on: boolean }>`SELECT ${suggestionsFeature} = ANY (features) AS on FROM workspaces
            WHERE id = ${workspaceId}`
        ),
        (rows) => rows[0]?.on === true
      )

    const fixAttempts = (request: { readonly workspace_id: string; readonly observation_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly n: number }>`SELECT fix_attempts AS n FROM observations
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.observation_id}`
        ),
        (rows) => rows[0]?.n ?? 0
      )

    /** What came of a fix closes the observation, unless somebody has closed it before. */
    const closeByFix = (closing: {
      readonly workspace_id: string
      readonly observation_id: string
      readonly at: string
      readonly actor: Actor
      readonly close_reason: "fixed" | "dismissed"
      readonly dismissal_category: DismissalCategory | null
      readonly note: string | null
    }) =>
      Effect.asVoid(
        Effect.orDie(
          sql`WITH closed AS (
              UPDATE observations SET status = 'closed', close_reason = ${closing.close_reason},
                dismissal_category = ${closing.dismissal_category}, dismissal_note = ${closing.note},
                closed_at = ${closing.at}, closed_by = ${jsonb(closing.actor)}, updated_at = ${closing.at}
              WHERE workspace_id = ${closing.workspace_id} AND id = ${closing.observation_id} AND status = 'new'
              RETURNING id
            )
            INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason)
            SELECT id, ${closing.at}, ${jsonb(closing.actor)}, ${closing.close_reason}, 'new', 'closed', ${closing.note}
            FROM closed`
        )
      )

    return {
      list,
      find,
      similar,
      suggestionsAreOn,
      fixTarget,
      fixAttempts,
      closeByFix,
      close,
      reopen,
      acknowledge,
      addEvent,
      eventsOf
    }
  })
}) {}
