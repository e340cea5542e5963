import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import { type IssueId, RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import type { Uuid } from "../../schema/Text.ts"
import { countRows, firstRow, hasRow } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import type { PullRequestPage } from "./pullRequestUrl.ts"

interface Of {
  readonly workspace_id: WorkspaceId
  readonly id: IssueId
}

const Found = Schema.Struct({ id: RepositoryId })

export class IssuePullRequestsRepo extends Effect.Service<IssuePullRequestsRepo>()("IssuePullRequestsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** The registered repository of a pull request, one of the issue's where there are several branches. */
    const repositoryOf = (
      issue: Of & { readonly repository_ids: ReadonlyArray<RepositoryId> },
      { host, owner, name }: NonNullable<PullRequestPage["repository"]>
    ) =>
      Effect.map(
        firstRow(
          Found,
          sql`SELECT id FROM repositories
            WHERE workspace_id = ${issue.workspace_id} AND deleted_at IS NULL
              AND lower(github_org) = lower(${owner}) AND lower(github_repo) = lower(${name})
              AND strpos(lower(clone_url), lower(${host})) > 0
            ORDER BY id = ANY (${[...issue.repository_ids]}::uuid[]) DESC, created_at, id LIMIT 1`
        ),
        Option.match({ onNone: () => null, onSome: ({ id }) => id })
      )

    const count = ({ workspace_id, id }: Of) =>
      countRows(sql`SELECT 1 FROM issue_pull_requests WHERE workspace_id = ${workspace_id} AND issue_id = ${id}`)

    const isAttached = ({ workspace_id, id }: Of, url: string) =>
      hasRow(sql`SELECT 1 FROM issue_pull_requests
          WHERE workspace_id = ${workspace_id} AND issue_id = ${id} AND url = ${url}`)

    /** `false` when it is attached already. */
    const insert = (
      issue: Of,
      pullRequest: {
        readonly id: typeof Uuid.Type
        readonly url: string
        readonly repository_id: RepositoryId | null
        readonly actor: AuditActor
        readonly at: string
      }
    ) =>
      hasRow(sql`INSERT INTO issue_pull_requests (id, workspace_id, issue_id, repository_id, url, added_by, added_at)
          VALUES (${pullRequest.id}, ${issue.workspace_id}, ${issue.id}, ${pullRequest.repository_id}, ${pullRequest.url},
            ${jsonb(pullRequest.actor)}, ${pullRequest.at})
          ON CONFLICT ON CONSTRAINT issue_pull_requests_url DO NOTHING RETURNING 1`)

    return { repositoryOf, count, isAttached, insert }
  })
}) {}
