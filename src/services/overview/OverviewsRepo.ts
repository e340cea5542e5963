import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { FixPrSummary } from "../../schema/Fix.ts"
import { JobId, type ProjectId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Domain, Kind, ObservationRef, Priority } from "../../schema/Observation.ts"
import { RepositoryLine } from "../../schema/Overview.ts"
import { Amount, Count } from "../../schema/Text.ts"
import { onlyRow, rows } from "../support/rows.ts"

interface InWorkspace {
  readonly workspace_id: WorkspaceId
}
interface InRepository extends InWorkspace {
  readonly repository_id: RepositoryId
}

/** How many open observations are of one priority, kind and domain. */
export const OpenCount = Schema.Struct({ priority: Priority, kind: Kind, domain: Domain, count: Count })
export type OpenCount = typeof OpenCount.Type

const auditWorkflows = "('audit', 'standard_audit')"
const openPrs = "('in_review', 'revising', 'needs_attention')"

const OpenGroupRow = Schema.Struct({
  domain: Domain,
  priority: Priority,
  tool: Schema.String,
  count: Count,
  confidence: Amount,
  ref: ObservationRef,
  title: Schema.String
})
const LastAudit = Schema.Struct({
  last_audit_sha: Schema.NullOr(Schema.String),
  active_audit_job_id: Schema.NullOr(JobId)
})
const Activity = Schema.Struct({ active_jobs: Count, open_fix_pr_count: Count })
const WorkspaceTotals = Schema.Struct({
  name: Schema.String,
  repositories: Count,
  never_audited: Count,
  pending: Count,
  running: Count,
  failed: Count,
  open_fix_prs: Count,
  proposed: Count
})

/** Numbers over several areas at once; each area's own rows are read by its own repo. */
export class OverviewsRepo extends Effect.Service<OverviewsRepo>()("OverviewsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audits = sql.literal(auditWorkflows)
    const open = sql.literal(openPrs)

    const openCounts = ({
      workspace_id,
      repository_id
    }: InWorkspace & { readonly repository_id: RepositoryId | null }) =>
      rows(
        OpenCount,
        sql`
          SELECT o.priority, o.kind, o.domain, sum(o.count)::int AS count
          FROM observation_counts o JOIN repositories r ON r.id = o.repository_id AND r.deleted_at IS NULL
          WHERE o.workspace_id = ${workspace_id} AND o.status = 'new'
            ${repository_id === null ? sql`` : sql`AND o.repository_id = ${repository_id}`}
          GROUP BY o.priority, o.kind, o.domain HAVING sum(o.count) > 0`
      )

    /** What benchmark scores weigh: suggestions are no flaws. */
    const openGroups = ({ workspace_id, repository_id }: InRepository) =>
      rows(
        OpenGroupRow,
        sql`
          SELECT domain, priority, tool, count(*)::int AS count, sum(confidence)::float8 AS confidence,
            (array_agg('OBS-' || number ORDER BY confidence DESC, number))[1] AS ref,
            (array_agg(title ORDER BY confidence DESC, number))[1] AS title
          FROM observations
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'new'
            AND kind <> 'suggestion'
          GROUP BY domain, priority, tool, rule_id`
      )

    const lastAudit = ({ workspace_id, repository_id }: InRepository) =>
      onlyRow(
        LastAudit,
        sql`
        SELECT last_audit_sha, (
            SELECT id FROM jobs j WHERE j.repository_id = r.id AND j.workflow IN ${audits}
              AND j.status IN ('pending', 'running') ORDER BY j.created_at LIMIT 1) AS active_audit_job_id
        FROM repositories r WHERE workspace_id = ${workspace_id} AND id = ${repository_id}`
      )

    const activity = ({ workspace_id, repository_id }: InRepository) =>
      onlyRow(
        Activity,
        sql`
        SELECT (SELECT count(*)::int FROM jobs WHERE workspace_id = ${workspace_id}
            AND repository_id = ${repository_id} AND status IN ('pending', 'running')) AS active_jobs,
          (SELECT count(*)::int FROM fix_attempts WHERE workspace_id = ${workspace_id}
            AND repository_id = ${repository_id} AND pr_status IN ${open}) AS open_fix_pr_count`
      )

    const openFixPrs = ({ workspace_id, repository_id, limit }: InRepository & { readonly limit: number }) =>
      rows(
        FixPrSummary,
        sql`
          SELECT a.id AS attempt_id, a.observation_id, 'OBS-' || o.number AS ref, o.title, a.pr_url,
            a.pr_status AS status, a.pr_number AS number, a.outcome, o.dismissal_category, o.dismissal_note,
            a.finished_at, a.last_failure_reason, a.started_at
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
          WHERE a.workspace_id = ${workspace_id} AND a.repository_id = ${repository_id} AND a.pr_status IN ${open}
          ORDER BY a.id DESC LIMIT ${limit}`
      )

    const workspace = ({
      workspace_id,
      since,
      hiddenLevels
    }: InWorkspace & { readonly since: string; readonly hiddenLevels: ReadonlyArray<ProjectId> }) =>
      onlyRow(
        WorkspaceTotals,
        sql`
        SELECT w.name, rs.repositories, rs.never_audited, js.pending, js.running, (
            SELECT count(*)::int FROM jobs j JOIN repositories r ON r.id = j.repository_id AND r.deleted_at IS NULL
            WHERE j.workspace_id = w.id AND j.status = 'failed' AND j.finished_at > ${since}) AS failed,
          (SELECT count(*)::int FROM fix_attempts a JOIN repositories r ON r.id = a.repository_id
            WHERE a.workspace_id = w.id AND a.pr_status IN ${open} AND r.deleted_at IS NULL) AS open_fix_prs,
          (SELECT count(*)::int FROM context_entries WHERE workspace_id = w.id AND status = 'proposed'
            AND disabled_at IS NULL
            AND (project_id IS NULL OR project_id <> ALL (${[...hiddenLevels]}::uuid[]))) AS proposed
        FROM workspaces w,
          LATERAL (SELECT count(*)::int AS repositories,
              count(*) FILTER (WHERE last_audit_at IS NULL)::int AS never_audited
            FROM repositories WHERE workspace_id = w.id AND deleted_at IS NULL) rs,
          LATERAL (SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending,
              count(*) FILTER (WHERE status = 'running')::int AS running
            FROM jobs WHERE workspace_id = w.id AND status IN ('pending', 'running')) js
        WHERE w.id = ${workspace_id}`
      )

    /** Those with the most severe open observations. */
    const worst = ({ workspace_id, limit }: InWorkspace & { readonly limit: number }) =>
      rows(
        RepositoryLine,
        sql`
          SELECT r.github_org, r.github_repo, r.github_base_branch, r.repo_name, r.last_audit_at,
            jsonb_build_object('P0', c.p0, 'P1', c.p1, 'P2', c.p2, 'P3', c.p3) AS open_observations
          FROM repositories r JOIN LATERAL (
            SELECT coalesce(sum(o.count) FILTER (WHERE o.priority = 'P0'), 0) AS p0,
              coalesce(sum(o.count) FILTER (WHERE o.priority = 'P1'), 0) AS p1,
              coalesce(sum(o.count) FILTER (WHERE o.priority = 'P2'), 0) AS p2,
              coalesce(sum(o.count) FILTER (WHERE o.priority = 'P3'), 0) AS p3
            FROM observation_counts o WHERE o.repository_id = r.id AND o.status = 'new') c ON c.p0 + c.p1 + c.p2 + c.p3 > 0
          WHERE r.workspace_id = ${workspace_id} AND r.deleted_at IS NULL
          ORDER BY c.p0 DESC, c.p1 DESC, c.p2 DESC, c.p3 DESC, r.id LIMIT ${limit}`
      )

    return { openCounts, openGroups, lastAudit, activity, openFixPrs, workspace, worst }
  })
}) {}
