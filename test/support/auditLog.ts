import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import type { AuditActor } from "../../src/schema/AuditLog.ts"
import type { WorkspaceId } from "../../src/schema/Ids.ts"
import { AuditLog } from "../../src/services/audit_log/AuditLog.ts"
import { AuditLogRepo } from "../../src/services/audit_log/AuditLogRepo.ts"

/** The audit log over the database of the test. */
export const AuditLogLive = AuditLog.Default.pipe(Layer.provide(AuditLogRepo.Default))

export interface LoggedChange {
  readonly actor: AuditActor
  readonly action: string
  readonly object_kind: string
  readonly object_ref: string
  readonly before: unknown
  readonly after: unknown
  readonly address: string | null
  readonly request_id: string | null
}

/** How many records a workspace's audit log holds. */
export const numberLoggedIn = (workspaceId: WorkspaceId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ n: number }>`SELECT count(*)::int AS n FROM audit_log WHERE workspace_id = ${workspaceId}`
  ).pipe(
    Effect.map((rows) => rows[0]?.n ?? 0),
    Effect.orDie
  )

/** What a workspace's audit log holds after its first records, oldest first. */
export const loggedIn = (workspaceId: WorkspaceId, skipped = 0) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<LoggedChange>`SELECT actor, action, object_kind, object_ref, before, after, address, request_id
        FROM audit_log WHERE workspace_id = ${workspaceId} ORDER BY at, id OFFSET ${skipped}`
  ).pipe(Effect.orDie)
