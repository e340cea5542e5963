import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import {
  FixDiff,
  type FixPrStatus,
  FixPrSummary,
  type GateName,
  type GateResult,
  WorkspaceFixPr
} from "../../schema/Fix.ts"
import { AttemptId, ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor } from "../../schema/Job.ts"
import { AccessMode } from "../../schema/Repository.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, rows, run } from "../support/rows.ts"
import { storableText } from "../support/storable.ts"
import type { AttemptKey } from "./FixAttemptsRepo.ts"

export interface GateReport {
  readonly name: GateName
  readonly result: GateResult
  readonly reason: string | null
  readonly round: number
}

/** A pull request of ours whose state at the code host may change. */
export const WatchedPr = Schema.Struct({
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  id: AttemptId,
  ref: Schema.String,
  clone_url: Schema.String,
  access_mode: AccessMode,
  pr_base: Schema.String,
  branch: Schema.String,
  pr_number: Schema.NullOr(Count),
  conflicted: Schema.Boolean,
  is_open: Schema.Boolean,
  withdrawn_by: Schema.NullOr(Actor),
  pr_missing_since: Schema.NullOr(Instant)
})
export type WatchedPr = typeof WatchedPr.Type

/** Which pull requests to look at, those first that were not looked at for longest. */
export interface WatchRequest {
  /** Of one repository, or of all. */
  readonly of: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId } | "all"
  /** Open ones that were not looked at since. */
  readonly openBefore: string
  /** Closed ones since then, in case they are reopened, and not looked at since. */
  readonly closedSince: string
  readonly closedBefore: string
  readonly limit: number
}

const PushedChange = Schema.Struct({
  base_commit: Schema.NullOr(Schema.String),
  head_commit: Schema.NullOr(Schema.String),
  diff: Schema.NullOr(Schema.String)
})

const newestFirst = keyset("DESC", { "a.id": "uuid" })
const maxGateReason = 500

/** What is known of attempts, for those who read them and for the watch of their pull requests. */
export class FixRecordsRepo extends Effect.Service<FixRecordsRepo>()("FixRecordsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Of the newest attempt at the observation that has one. */
    const newestDiff = (request: { readonly workspace_id: WorkspaceId; readonly observation_id: ObservationId }) =>
      firstRow(
        FixDiff,
        sql`SELECT id AS attempt_id, base_commit, head_commit, diff, diff_truncated AS truncated FROM fix_attempts
            WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id}
              AND diff IS NOT NULL
            ORDER BY number DESC LIMIT 1`
      )

    const summary = sql.literal(`a.id AS attempt_id, a.observation_id, 'OBS-' || o.number AS ref, o.title, a.pr_url,
      a.pr_status AS status, a.pr_number AS number, a.outcome, o.dismissal_category, o.dismissal_note, a.finished_at,
      a.last_failure_reason, a.started_at`)

    /** Attempts with a pull request, newest first, one more than `limit` when there are more. */
    const listPrs = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        FixPrSummary,
        sql`
          SELECT ${summary} FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
          WHERE a.workspace_id = ${request.workspace_id} AND a.repository_id = ${request.repository_id}
            AND a.pr_url IS NOT NULL AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /** The same of all repositories, or of one. */
    const listPrsOfWorkspace = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId | null
      readonly statuses: ReadonlyArray<FixPrStatus> | null
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        WorkspaceFixPr,
        sql`
          SELECT ${summary}, r.github_org, r.github_repo, r.github_base_branch, r.repo_name
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
            JOIN repositories r ON r.id = a.repository_id AND r.deleted_at IS NULL
          WHERE a.workspace_id = ${request.workspace_id} AND a.pr_url IS NOT NULL
            AND ${request.repository_id === null ? sql`true` : sql`a.repository_id = ${request.repository_id}`}
            AND ${request.statuses === null ? sql`true` : sql`a.pr_status = ANY(${[...request.statuses]}::text[])`}
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /** Writes what a gate of the attempt's newest job found; again, replaces it. */
    const writeGate = ({ name, result, reason, round, ...gate }: AttemptKey & GateReport & { readonly at: string }) =>
      run(sql`INSERT INTO fix_gates (attempt_id, job_id, round, name, workspace_id, repository_id, result, reason, at)
          SELECT a.id, l.job_id, ${round}::int, ${name}, a.workspace_id, a.repository_id, ${result},
            ${reason === null ? null : storableText(reason, maxGateReason)}, ${gate.at}::timestamptz
          FROM fix_attempts a CROSS JOIN LATERAL (SELECT job_id FROM fix_attempt_jobs WHERE attempt_id = a.id
            ORDER BY at DESC, job_id DESC LIMIT 1) l
          WHERE a.workspace_id = ${gate.workspace_id} AND a.id = ${gate.id}
          ON CONFLICT (attempt_id, job_id, round, name) DO UPDATE
            SET result = EXCLUDED.result, reason = EXCLUDED.reason, at = EXCLUDED.at`)

    const watchedColumns = sql.literal(`a.workspace_id, a.repository_id, a.id, 'OBS-' || o.number AS ref, r.clone_url,
      r.access_mode, coalesce(a.pr_base, r.github_base_branch) AS pr_base, a.branch, a.pr_number, a.conflicted,
      a.outcome = 'started' AS is_open, a.withdrawn_by, a.pr_missing_since`)

    /** The pull request of one attempt. */
    const watchedOne = ({ workspace_id, id }: AttemptKey) =>
      firstRow(
        WatchedPr,
        sql`SELECT ${watchedColumns} FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
              JOIN repositories r ON r.id = a.repository_id
            WHERE a.workspace_id = ${workspace_id} AND a.id = ${id}
              AND a.branch IS NOT NULL AND a.pr_status IS NOT NULL`
      )

    const watched = ({ of, openBefore, closedSince, closedBefore, limit }: WatchRequest) =>
      rows(
        WatchedPr,
        sql`SELECT ${watchedColumns} FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
              JOIN repositories r ON r.id = a.repository_id AND r.deleted_at IS NULL
              JOIN workspaces w ON w.id = a.workspace_id AND w.suspended_at IS NULL
            WHERE ${
              of === "all"
                ? sql`true`
                : sql`a.workspace_id = ${of.workspace_id} AND a.repository_id = ${of.repository_id}`
            } AND a.branch IS NOT NULL
              AND (a.outcome = 'started' AND a.pr_status IS NOT NULL
                  AND coalesce(a.pr_state_checked_at, '-infinity') <= ${openBefore}
                OR a.outcome = 'pr_rejected' AND a.finished_at > ${closedSince}
                  AND coalesce(a.pr_state_checked_at, '-infinity') <= ${closedBefore})
            ORDER BY a.pr_state_checked_at NULLS FIRST, a.id LIMIT ${limit}`
      )

    /** What was pushed, for hosts that keep no record of their own. A diff that was cut off is of no use to them. */
    const pushedChange = ({ workspace_id, id }: AttemptKey) =>
      Effect.map(
        firstRow(
          PushedChange,
          // The pull request of a mission has more than one attempt's change.
          sql`SELECT coalesce(m.base_commit, a.base_commit) AS base_commit,
              coalesce(m.head_commit, a.head_commit) AS head_commit,
              CASE WHEN m.id IS NOT NULL THEN m.diff WHEN a.diff_truncated THEN NULL ELSE a.diff END AS diff
            FROM fix_attempts a LEFT JOIN missions m ON m.id = a.mission_id
            WHERE a.workspace_id = ${workspace_id} AND a.id = ${id}`
        ),
        Option.map(({ base_commit, head_commit, diff }) => ({
          base_commit: base_commit ?? "",
          head_commit: head_commit ?? "",
          diff
        }))
      )

    /** The pull request had its turn. `missing`: the code host does not know it; `null` when it did not say. */
    const checked = (change: AttemptKey & { readonly at: string; readonly missing: boolean | null }) =>
      run(sql`UPDATE fix_attempts SET pr_state_checked_at = ${change.at},
          pr_missing_since = CASE ${change.missing}::boolean WHEN true THEN coalesce(pr_missing_since, ${change.at}::timestamptz)
            WHEN false THEN NULL ELSE pr_missing_since END
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    return {
      newestDiff,
      listPrs,
      listPrsOfWorkspace,
      writeGate,
      watched,
      watchedOne,
      pushedChange,
      checked
    }
  })
}) {}
