import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { AuditActor } from "../../schema/AuditLog.ts"
import { IssueId, type KeyId, type UserId, type WorkspaceId } from "../../schema/Ids.ts"
import { IssueRef, IssueStatus } from "../../schema/Issue.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { firstRow, onlyRow } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"
import type { By } from "./IssuesRepo.ts"

/** An issue before and after a claim that was attempted. */
const Attempted = Schema.Struct({
  id: IssueId,
  status: IssueStatus,
  closed: Schema.Boolean,
  /** Open issues that block it. */
  blocked_by: Schema.Array(IssueRef),
  fence: Count,
  claim_holder: Schema.NullOr(AuditActor),
  lease_expires_at: Schema.NullOr(Instant),
  moved_by_claim: Schema.Boolean,
  /** Whether the lease was in force. */
  is_claimed: Schema.Boolean,
  is_mine: Schema.Boolean,
  granted: Schema.NullOr(Schema.Struct({ fence: Count, lease_expires_at: Instant, status: IssueStatus }))
})
export type Attempted = typeof Attempted.Type

const Lease = Schema.Struct({ lease_expires_at: Instant })
const Level = Schema.Struct({ project: Schema.String })

export interface ClaimRequest extends By {
  readonly number: number
  readonly holder: AuditActor
  readonly key_id: KeyId | null
  readonly user_id: UserId | null
  readonly lease_minutes: number
}

export class IssueClaimsRepo extends Effect.Service<IssueClaimsRepo>()("IssueClaimsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { unhidden, utc } = yield* IssueColumnsRepo

    /** Slug of the level that the issue belongs to. */
    const levelOf = (sight: Sight, number: number) =>
      firstRow(
        Level,
        sql`/* prepared */
          SELECT p.slug AS project FROM issues i JOIN projects p ON p.id = i.project_id
          WHERE i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} AND i.number = ${number}::bigint`
      )

    // Leases begin and end by the clock of the database: those of the processes may differ, and move. It is read when the row
    // is reached, not when the transaction began.
    const end = (minutes: number) => sql`clock_timestamp() + make_interval(mins => ${minutes})`

    /**
     * Claims the issue if it is free, or the caller's already; nothing where it is not seen. The row is locked first, so what
     * is decided is decided of its newest version, and of several attempts one is granted.
     *
     * PostgreSQL checks constraints of an updated row once before it notices that the row has a newer version. Columns that a
     * constraint sees together are therefore all set from the locked version, also where they stay the same.
     */
    const claim = (sight: Sight, request: ClaimRequest) =>
      firstRow(
        Attempted,
        sql`/* prepared */
          WITH target AS (
            SELECT i.id, i.status, i.closed_at, i.fence, i.claim_holder, i.claimed_at, i.lease_expires_at,
              i.moved_by_claim, coalesce(i.lease_expires_at > clock_timestamp(), false) AS is_claimed,
              (i.claim_key_id = ${request.key_id}::uuid OR i.claim_user_id = ${request.user_id}::uuid) IS TRUE AS is_mine,
              ARRAY(SELECT 'ISS-' || b.number FROM issue_relations l JOIN issues b ON b.id = l.from_id
                WHERE l.to_id = i.id AND l.kind = 'blocks' AND b.closed_at IS NULL AND ${unhidden("b", sight)}
                ORDER BY b.number) AS blocked_by
            FROM issues i
            WHERE i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} AND i.number = ${request.number}::bigint
            FOR NO KEY UPDATE OF i
          ),
          granted AS (
            UPDATE issues i SET
              fence = CASE WHEN t.is_claimed THEN t.fence ELSE t.fence + 1 END,
              claim_holder = ${jsonb(request.holder)},
              claim_key_id = ${request.key_id}::uuid,
              claim_user_id = ${request.user_id}::uuid,
              claimed_at = CASE WHEN t.is_claimed THEN t.claimed_at ELSE clock_timestamp() END,
              lease_expires_at = ${end(request.lease_minutes)},
              status = CASE WHEN t.status = 'open' THEN 'in_progress' ELSE t.status END,
              moved_by_claim = t.moved_by_claim OR t.status = 'open',
              closed_at = NULL,
              close_reason = NULL,
              version = version + CASE WHEN t.is_claimed THEN 0 ELSE 1 END,
              updated_by = CASE WHEN t.is_claimed THEN i.updated_by ELSE ${jsonb(request.actor)} END,
              updated_at = CASE WHEN t.is_claimed THEN i.updated_at ELSE ${request.at}::timestamptz END
            FROM target t
            WHERE i.id = t.id AND t.closed_at IS NULL AND CASE WHEN t.is_claimed THEN t.is_mine
              ELSE t.status <> 'blocked' AND t.blocked_by = '{}' END
            RETURNING i.fence, i.lease_expires_at, i.status
          )
          SELECT t.id, t.status, t.closed_at IS NOT NULL AS closed, t.blocked_by, t.fence, t.claim_holder,
            t.lease_expires_at, t.moved_by_claim, t.is_claimed, t.is_mine,
            CASE WHEN g.fence IS NOT NULL THEN jsonb_build_object('fence', g.fence, 'status', g.status,
              'lease_expires_at', ${utc("g.lease_expires_at")}) END AS granted
          FROM target t LEFT JOIN granted g ON true`
      )

    /** A new end for the lease of a row that is locked. */
    const renew = (issue: { readonly workspace_id: WorkspaceId; readonly id: IssueId }, minutes: number) =>
      onlyRow(
        Lease,
        sql`/* prepared */
          UPDATE issues SET lease_expires_at = ${end(minutes)}
          WHERE workspace_id = ${issue.workspace_id} AND id = ${issue.id} RETURNING lease_expires_at`
      )

    return { levelOf, claim, renew }
  })
}) {}
