import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { IssueId, type ProjectId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { IssueNumber, PullRequestState } from "../../schema/Issue.ts"
import { AccessMode } from "../../schema/Repository.ts"
import { Uuid } from "../../schema/Text.ts"
import { hasRow, rows, run } from "../support/rows.ts"

/** A pull request that is attached to an issue, and how its code host is asked. */
export const FollowedPr = Schema.Struct({
  id: Uuid,
  workspace_id: WorkspaceId,
  issue_id: IssueId,
  issue: IssueNumber,
  url: Schema.String,
  state: PullRequestState,
  repository_id: RepositoryId,
  clone_url: Schema.String,
  access_mode: AccessMode,
  base: Schema.String
})
export type FollowedPr = typeof FollowedPr.Type

interface Of {
  readonly workspace_id: WorkspaceId
  readonly id: string
}

/** Which pull requests to look at, those first that were not looked at for longest. */
export interface FollowRequest {
  /** Of one repository, or of all. */
  readonly of: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId } | "all"
  /** Those that were not looked at since. */
  readonly before: string
  /** Of issues that are open, or were closed since then. */
  readonly closedSince: string
  readonly limit: number
}

export class IssuePullRequestWatchRepo extends Effect.Service<IssuePullRequestWatchRepo>()(
  "IssuePullRequestWatchRepo",
  {
    effect: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const due = ({ of, before, closedSince, limit }: FollowRequest) =>
        rows(
          FollowedPr,
          sql`SELECT q.id, q.workspace_id, q.issue_id, i.number AS issue, q.url, q.state, q.repository_id, r.clone_url,
              r.access_mode, r.github_base_branch AS base
            FROM issue_pull_requests q JOIN issues i ON i.id = q.issue_id
              JOIN repositories r ON r.id = q.repository_id AND r.deleted_at IS NULL
              JOIN workspaces w ON w.id = q.workspace_id AND w.suspended_at IS NULL
            WHERE ${
              of === "all"
                ? sql`true`
                : sql`q.workspace_id = ${of.workspace_id} AND q.repository_id = ${of.repository_id}`
            } AND q.state IN ('open', 'unknown') AND coalesce(q.state_checked_at, '-infinity') <= ${before}
              AND (i.closed_at IS NULL OR i.closed_at > ${closedSince})
            ORDER BY q.state_checked_at NULLS FIRST, q.id LIMIT ${limit}`
        )

      /** It had its turn. */
      const checked = ({ workspace_id, id }: Of, at: string) =>
        run(sql`UPDATE issue_pull_requests SET state_checked_at = ${at}
            WHERE workspace_id = ${workspace_id} AND id = ${id}`)

      /** `false` when it is in this state already. */
      const setState = ({ workspace_id, id }: Of, state: PullRequestState) =>
        hasRow(sql`UPDATE issue_pull_requests SET state = ${state}
            WHERE workspace_id = ${workspace_id} AND id = ${id} AND state <> ${state} RETURNING 1`)

      /** Whether the issue has another one that is still open. */
      const hasOpen = (request: { readonly workspace_id: WorkspaceId; readonly issue_id: IssueId }) =>
        hasRow(sql`SELECT 1 FROM issue_pull_requests
            WHERE workspace_id = ${request.workspace_id} AND issue_id = ${request.issue_id} AND state = 'open'`)

      /** Whether issues of the level are done once their pull requests are merged. */
      const closesOnMerge = (request: { readonly workspace_id: WorkspaceId; readonly project_id: ProjectId }) =>
        hasRow(sql`SELECT 1 FROM projects
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.project_id} AND close_on_merge`)

      return { due, checked, setState, hasOpen, closesOnMerge }
    })
  }
) {}
