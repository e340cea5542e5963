import { SqlClient } from "@effect/sql"
import { Effect, Schema, Struct } from "effect"
import { AuditActor } from "../../schema/AuditLog.ts"
import { ObservationId, type ProjectId, RepositoryId, type UserId, type WorkspaceId } from "../../schema/Ids.ts"
import { IssueRef } from "../../schema/Issue.ts"
import {
  LeftOut,
  Mission,
  MissionEvent,
  type MissionNumber,
  type MissionStatus,
  MissionSummary,
  WaitingKind
} from "../../schema/Mission.ts"
import { Location, Observation, ObservationNumber } from "../../schema/Observation.ts"
import { RepositoryPath } from "../../schema/Repository.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { countRows, firstRow, hasRow, rows } from "../support/rows.ts"
import type { MissionKey } from "./MissionsRepo.ts"

const waitingColumns = {
  waiting_kind: Schema.NullOr(WaitingKind),
  waiting_message: Schema.NullOr(Schema.String),
  waiting_since: Schema.NullOr(Instant)
}

/** What a person said to the newest plan, when they sent it back. */
const sentBackColumns = {
  sent_back_reason: Schema.NullOr(Schema.String),
  sent_back_by: Schema.NullOr(AuditActor),
  sent_back_at: Schema.NullOr(Instant)
}

export const MissionRow = Schema.Struct({
  ...Struct.omit(Mission.fields, "steps", "waiting", "sent_back", "left_out"),
  ...waitingColumns,
  ...sentBackColumns,
  left_out: Schema.Array(LeftOut),
  pr_number: Schema.NullOr(Count)
})
export type MissionRow = typeof MissionRow.Type

export const SummaryRow = Schema.Struct({ ...Struct.omit(MissionSummary.fields, "waiting"), ...waitingColumns })
export type SummaryRow = typeof SummaryRow.Type

/** What a plan is made of, and whether a fix can be requested. */
const CandidateRow = Schema.Struct({
  id: ObservationId,
  number: ObservationNumber,
  ...Struct.pick(
    Observation.fields,
    "ref",
    "kind",
    "status",
    "close_reason",
    "fix_attempts",
    "priority",
    "rule_id",
    "title",
    "description"
  ),
  file_path: Schema.String,
  locations: Schema.Array(Location),
  open_fix_pr: Schema.Boolean,
  in_flight: Schema.Boolean,
  /** Another mission that has not ended and is about it. */
  other_mission: Schema.NullOr(Schema.String)
})
export type CandidateRow = typeof CandidateRow.Type

/** The repository of a mission, as its planning needs it. */
export const PlanRepository = Schema.Struct({
  ...RepositoryPath.fields,
  id: RepositoryId,
  repo_name: Schema.String,
  head_sha: Schema.NullOr(Schema.String)
})
export type PlanRepository = typeof PlanRepository.Type

const newestFirst = keyset("DESC", { "m.number": "int" })
const longestFirst = keyset("ASC", { "m.waiting_since": "timestamptz", "m.number": "int" })
const newestEvents = keyset("DESC", { "e.id": "bigint" })

interface OfWorkspace {
  readonly workspace_id: WorkspaceId
}

interface OfPerson extends OfWorkspace {
  readonly user_id: UserId
}

/** What lists and records of missions show. */
export class MissionReadsRepo extends Effect.Service<MissionReadsRepo>()("MissionReadsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = `m.id, 'MSN-' || m.number AS ref, m.number, m.title, m.status, r.repo_name,
      m.budget_usd::float8 AS budget_usd, m.spent_usd::float8 AS spent_usd, m.reserved_usd::float8 AS reserved_usd, m.branch,
      m.pr_url, m.waiting_kind, m.waiting_message, m.waiting_since, m.plan_version, m.created_by, m.created_at,
      m.updated_at, m.finished_at, m.id || ':' || m.version AS etag`

    const records = sql.literal(`SELECT ${columns}, m.goal_md, m.limits_md, m.ended_because, m.pr_number,
        coalesce(p.left_out, '[]') AS left_out,
        CASE WHEN p.decision = 'sent_back' THEN p.reason END AS sent_back_reason,
        CASE WHEN p.decision = 'sent_back' THEN p.decided_by END AS sent_back_by,
        CASE WHEN p.decision = 'sent_back' THEN p.decided_at END AS sent_back_at
      FROM missions m JOIN repositories r ON r.id = m.repository_id AND r.deleted_at IS NULL
        LEFT JOIN mission_plans p ON p.mission_id = m.id AND p.version = m.plan_version`)

    const find = ({ workspace_id, number }: OfWorkspace & { readonly number: MissionNumber }) =>
      firstRow(MissionRow, sql`${records} WHERE m.workspace_id = ${workspace_id} AND m.number = ${number}::bigint`)

    const summaries = sql.literal(`SELECT ${columns}, jsonb_build_object(
        'pending', counts.pending, 'running', counts.running, 'completed', counts.completed, 'failed', counts.failed,
        'skipped', counts.skipped) AS step_counts
      FROM missions m JOIN repositories r ON r.id = m.repository_id AND r.deleted_at IS NULL, LATERAL (
        SELECT count(*) FILTER (WHERE s.status = 'pending') AS pending,
          count(*) FILTER (WHERE s.status = 'running') AS running,
          count(*) FILTER (WHERE s.status = 'completed') AS completed,
          count(*) FILTER (WHERE s.status = 'failed') AS failed,
          count(*) FILTER (WHERE s.status = 'skipped') AS skipped
        FROM mission_steps s WHERE s.mission_id = m.id AND s.plan_version = m.plan_version) counts`)

    const list = (
      request: OfWorkspace & {
        readonly repository_id: RepositoryId | null
        readonly statuses: ReadonlyArray<MissionStatus> | null
        readonly after: Position | null
        readonly limit: number
      }
    ) =>
      rows(
        SummaryRow,
        sql`${summaries} WHERE m.workspace_id = ${request.workspace_id}
            AND ${request.repository_id === null ? sql`true` : sql`m.repository_id = ${request.repository_id}`}
            AND ${request.statuses === null ? sql`true` : sql`m.status = ANY(${[...request.statuses]}::text[])`}
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /** Those that wait on a person: on who submitted them, or on every owner and admin once that person may not decide. */
    const waitsOn = ({ workspace_id, user_id }: OfPerson) => sql`
      m.workspace_id = ${workspace_id} AND m.waiting_kind IS NOT NULL
        AND EXISTS (SELECT FROM memberships me WHERE me.workspace_id = m.workspace_id
          AND me.user_id = ${user_id} AND me.role IN ('owner', 'admin'))
        AND (m.requested_by = ${user_id} OR NOT EXISTS (SELECT FROM memberships other
          WHERE other.workspace_id = m.workspace_id AND other.user_id = m.requested_by
            AND other.role IN ('owner', 'admin')))`

    const waitingOn = (request: OfPerson & { readonly after: Position | null; readonly limit: number }) =>
      rows(
        SummaryRow,
        sql`${summaries} WHERE ${waitsOn(request)} AND ${longestFirst.after(request.after)}
          ORDER BY ${longestFirst.by} LIMIT ${request.limit + 1}`
      )

    const countWaitingOn = (person: OfPerson) =>
      countRows(sql`
        SELECT m.id FROM missions m JOIN repositories r ON r.id = m.repository_id AND r.deleted_at IS NULL
        WHERE ${waitsOn(person)}`)

    /** The newest mission with this branch, or this pull request. */
    const resolve = (
      request: OfWorkspace & {
        readonly repository_id: RepositoryId | null
        readonly branch: string | null
        readonly url: string | null
      }
    ) =>
      firstRow(
        SummaryRow,
        sql`${summaries} WHERE m.workspace_id = ${request.workspace_id}
            AND ${request.repository_id === null ? sql`true` : sql`m.repository_id = ${request.repository_id}`}
            AND ${request.branch === null ? sql`true` : sql`m.branch = ${request.branch}`}
            AND ${request.url === null ? sql`true` : sql`m.pr_url = ${request.url}`}
          ORDER BY m.number DESC LIMIT 1`
      )

    const isOfRepository = (
      request: OfWorkspace & { readonly repository_id: RepositoryId; readonly number: MissionNumber }
    ) =>
      hasRow(sql`SELECT 1 FROM missions WHERE workspace_id = ${request.workspace_id}
        AND repository_id = ${request.repository_id} AND number = ${request.number}::bigint`)

    /** Its repository, while that is registered. */
    const repositoryOf = ({ workspace_id, id }: MissionKey) =>
      firstRow(
        PlanRepository,
        sql`SELECT r.id, r.repo_name, r.head_sha, r.github_org, r.github_repo, r.github_base_branch
          FROM missions m JOIN repositories r ON r.id = m.repository_id AND r.deleted_at IS NULL
          WHERE m.workspace_id = ${workspace_id} AND m.id = ${id}`
      )

    const events = (request: MissionKey & { readonly after: Position | null; readonly limit: number }) =>
      rows(
        MissionEvent,
        sql`SELECT e.id, e.event, e.actor, e.at, e.from_status, e.to_status, e.step_id, e.note FROM mission_events e
          WHERE e.workspace_id = ${request.workspace_id} AND e.mission_id = ${request.id}
            AND ${newestEvents.after(request.after)}
          ORDER BY ${newestEvents.by} LIMIT ${request.limit + 1}`
      )

    /** Observations of a repository by number, as a plan needs them. */
    const candidates = (
      request: OfWorkspace & {
        readonly repository_id: RepositoryId
        readonly numbers: ReadonlyArray<number>
        /** The mission that is planned again, if one is. */
        readonly mission_number: MissionNumber | null
      }
    ) =>
      rows(
        CandidateRow,
        sql`SELECT o.id, o.number, 'OBS-' || o.number AS ref, o.kind, o.status, o.close_reason, o.fix_attempts, o.priority,
            o.rule_id, o.title, o.description, o.file_path, o.locations, o.open_fix_pr,
            EXISTS (SELECT FROM fix_attempts a WHERE a.observation_id = o.id AND a.outcome = 'started') AS in_flight,
            (SELECT 'MSN-' || m.number FROM mission_step_links l JOIN mission_steps s ON s.id = l.step_id
                JOIN missions m ON m.id = s.mission_id AND m.plan_version = s.plan_version
              WHERE l.workspace_id = o.workspace_id AND l.kind = 'observation' AND l.number = o.number
                AND m.finished_at IS NULL AND s.status <> 'skipped'
                AND m.number IS DISTINCT FROM ${request.mission_number}::integer
              ORDER BY m.number LIMIT 1) AS other_mission
          FROM observations o
          WHERE o.workspace_id = ${request.workspace_id} AND o.repository_id = ${request.repository_id}
            AND o.number = ANY(${[...request.numbers]}::bigint[])
          ORDER BY o.number`
      )

    /** Those of the issues that the caller may see. */
    const visibleIssues = (
      request: OfWorkspace & {
        readonly numbers: ReadonlyArray<number>
        readonly hidden_levels: ReadonlyArray<ProjectId>
      }
    ) =>
      Effect.map(
        rows(
          Schema.Struct({ ref: IssueRef }),
          sql`SELECT 'ISS-' || i.number AS ref FROM issues i WHERE i.workspace_id = ${request.workspace_id}
            AND i.number = ANY(${[...request.numbers]}::bigint[])
            AND i.project_id <> ALL (${[...request.hidden_levels]}::uuid[])`
        ),
        (found) => new Set(found.map(({ ref }) => ref))
      )

    return {
      visibleIssues,
      find,
      list,
      waitingOn,
      countWaitingOn,
      resolve,
      isOfRepository,
      repositoryOf,
      events,
      candidates
    }
  })
}) {}
