import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { AuditActor } from "../../schema/AuditLog.ts"
import { IssueId, KeyId, ProjectId, RepositoryId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Issue, IssueCloseReason, IssueNumber, IssueStatus } from "../../schema/Issue.ts"
import { Priority } from "../../schema/Observation.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"

/** The claim of an issue as the table has it. */
export const ClaimState = Schema.Struct({
  fence: Count,
  claim_holder: Schema.NullOr(AuditActor),
  claim_key_id: Schema.NullOr(KeyId),
  claim_user_id: Schema.NullOr(UserId),
  claimed_at: Schema.NullOr(Instant),
  lease_expires_at: Schema.NullOr(Instant),
  /** Whether the lease is in force, by the database's clock. */
  is_claimed: Schema.Boolean,
  moved_by_claim: Schema.Boolean
})
export type ClaimState = typeof ClaimState.Type

/** The row of an issue, locked for its change. */
export const LockedIssue = Schema.Struct({
  ...ClaimState.fields,
  id: IssueId,
  number: IssueNumber,
  project_id: ProjectId,
  project: Schema.String,
  repository_ids: Schema.Array(RepositoryId),
  title: Schema.String,
  body_md: Schema.String,
  status: IssueStatus,
  priority: Priority,
  labels: Schema.Array(Schema.String),
  assignee_user_id: Schema.NullOr(UserId),
  assignee_key_id: Schema.NullOr(KeyId),
  closed_at: Schema.NullOr(Instant),
  close_reason: Schema.NullOr(IssueCloseReason),
  version: Count
})
export type LockedIssue = typeof LockedIssue.Type

/** A lease that has run out, and what its end moved. */
const EndedLease = Schema.Struct({
  id: IssueId,
  workspace_id: WorkspaceId,
  fence: Count,
  holder: AuditActor,
  from: IssueStatus,
  to: IssueStatus
})

interface Row {
  readonly workspace_id: WorkspaceId
  readonly id: IssueId
}

/** Who changes an issue, and when. */
export interface By {
  readonly actor: AuditActor
  readonly at: string
}

export interface NewIssue {
  readonly id: IssueId
  readonly workspace_id: WorkspaceId
  readonly number: number
  readonly project_id: ProjectId
  readonly repository_ids: ReadonlyArray<RepositoryId>
  readonly title: string
  readonly body_md: string
  readonly priority: Priority
  readonly labels: ReadonlyArray<string>
  readonly assignee_user_id: UserId | null
  readonly assignee_key_id: KeyId | null
}

/** The fields that people edit. */
export type IssueFields = Omit<NewIssue, "id" | "workspace_id" | "number">

const Identified = Schema.Struct({ id: IssueId })
const NextNumber = Schema.Struct({ number: Count })

export class IssuesRepo extends Effect.Service<IssuesRepo>()("IssuesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const { summaryColumns, unhidden } = yield* IssueColumnsRepo

    /** The whole record. */
    const find = (sight: Sight, number: number) =>
      firstRow(
        Issue,
        sql`/* prepared */
          SELECT ${summaryColumns(sight)}, i.body_md FROM issues i JOIN projects p ON p.id = i.project_id
          WHERE i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} AND i.number = ${number}::bigint`
      )

    const idOf = (sight: Sight, number: number) =>
      Effect.map(
        firstRow(
          Identified,
          sql`/* prepared */
            SELECT i.id FROM issues i
            WHERE i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} AND i.number = ${number}::bigint`
        ),
        Option.map(({ id }) => id)
      )

    /** The row of an issue, held until the transaction ends. */
    const lock = (sight: Sight, number: number) =>
      firstRow(
        LockedIssue,
        sql`/* prepared */
          SELECT i.id, i.number, i.project_id, p.slug AS project, i.repository_ids, i.title, i.body_md, i.status,
            i.priority, i.labels, i.assignee_user_id, i.assignee_key_id, i.fence::int8 AS fence, i.claim_holder,
            i.claim_key_id, i.claim_user_id, i.claimed_at, i.lease_expires_at, i.moved_by_claim, i.closed_at,
            i.close_reason, i.version, coalesce(i.lease_expires_at > clock_timestamp(), false) AS is_claimed
          FROM issues i JOIN projects p ON p.id = i.project_id
          WHERE i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} AND i.number = ${number}::bigint FOR NO KEY UPDATE OF i`
      )

    /** The next number of the workspace; other filings wait until the transaction ends, so it is drawn late. */
    const nextNumber = (workspace_id: WorkspaceId) =>
      Effect.map(
        onlyRow(
          NextNumber,
          sql`UPDATE workspaces SET next_issue = next_issue + 1 WHERE id = ${workspace_id}
            RETURNING next_issue - 1 AS number`
        ),
        ({ number }) => number
      )

    const insert = (issue: NewIssue, { actor, at }: By) =>
      run(sql`INSERT INTO issues (id, workspace_id, number, project_id, repository_ids, title, body_md, priority, labels,
            assignee_user_id, assignee_key_id, created_by, updated_by, created_at, updated_at)
          VALUES (${issue.id}, ${issue.workspace_id}, ${issue.number}, ${issue.project_id},
            ${[...issue.repository_ids]}::uuid[], ${issue.title}, ${issue.body_md}, ${issue.priority},
            ${[...issue.labels]}::text[], ${issue.assignee_user_id}, ${issue.assignee_key_id}, ${jsonb(actor)},
            ${jsonb(actor)}, ${at}, ${at})`)

    /** Adds one to the version of a changed issue. */
    const touch = ({ workspace_id, id }: Row, { actor, at }: By) =>
      run(sql`/* prepared */
          UPDATE issues SET version = version + 1, updated_by = ${jsonb(actor)}, updated_at = ${at}
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    const edit = ({ workspace_id, id }: Row, fields: IssueFields) =>
      run(sql`UPDATE issues SET project_id = ${fields.project_id}, repository_ids = ${[...fields.repository_ids]}::uuid[],
            title = ${fields.title}, body_md = ${fields.body_md}, priority = ${fields.priority},
            labels = ${[...fields.labels]}::text[], assignee_user_id = ${fields.assignee_user_id},
            assignee_key_id = ${fields.assignee_key_id}
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** Moves an open issue to another open status: from now on a claim's end leaves it there. */
    const move = ({ workspace_id, id }: Row, status: IssueStatus) =>
      run(sql`/* prepared */
          UPDATE issues SET status = ${status}, moved_by_claim = false, closed_at = NULL, close_reason = NULL
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** Ends its claim, too. */
    const close = (
      { workspace_id, id }: Row,
      { status, reason, at }: { readonly status: IssueStatus; readonly reason: IssueCloseReason; readonly at: string }
    ) =>
      run(sql`UPDATE issues SET status = ${status}, closed_at = ${at}, close_reason = ${reason}, ${noClaim}
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    const noClaim = sql.literal(`moved_by_claim = false, claim_holder = NULL, claim_key_id = NULL,
      claim_user_id = NULL, claimed_at = NULL, lease_expires_at = NULL`)

    /** Ends the claim, given back or run out, and moves an issue back to open that no one but the claim has moved. */
    const endClaim = ({ workspace_id, id }: Row) =>
      hasRow(sql`/* prepared */
          UPDATE issues SET status = CASE WHEN moved_by_claim THEN 'open' ELSE status END, ${noClaim}
          WHERE workspace_id = ${workspace_id} AND id = ${id} AND claim_holder IS NOT NULL RETURNING 1`)

    /**
     * The same for claims of any workspace whose leases have run out, the oldest first; rows that others hold wait for the
     * next time. What constraints see together is set from the locked version.
     */
    const endRunOut = (limit: number, { actor, at }: By) =>
      rows(
        EndedLease,
        sql`WITH due AS (
            SELECT id, status, fence, claim_holder, moved_by_claim FROM issues
            WHERE lease_expires_at <= clock_timestamp() ORDER BY lease_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          UPDATE issues i SET status = CASE WHEN d.moved_by_claim THEN 'open' ELSE d.status END, ${noClaim},
            closed_at = NULL, close_reason = NULL, version = version + 1, updated_by = ${jsonb(actor)}, updated_at = ${at}
          FROM due d WHERE i.id = d.id
          RETURNING i.id, i.workspace_id, d.fence::int8 AS fence, d.claim_holder AS holder, d.status AS from, i.status AS to`
      )

    return { find, idOf, lock, nextNumber, insert, touch, edit, move, close, endClaim, endRunOut }
  })
}) {}
