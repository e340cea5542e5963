import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { AuditActor, type AuditRecord } from "../../schema/AuditLog.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Instant, JsonObject, Uuid } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

export interface NewAuditRecord extends AuditRecord {
  readonly workspace_id: WorkspaceId
  readonly actor_names: ReadonlyArray<string>
}

/** Null selects all. */
export interface AuditSelection {
  readonly actor: string | null
  readonly action: string | null
  readonly object_kind: string | null
  readonly object_ref: string | null
  readonly since: string | null
  readonly until: string | null
}

const AuditRow = Schema.Struct({
  id: Uuid,
  at: Instant,
  actor: AuditActor,
  action: Schema.String,
  object_kind: Schema.String,
  object_ref: Schema.String,
  before: Schema.NullOr(JsonObject),
  after: Schema.NullOr(JsonObject),
  address: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String)
})

const newestFirst = keyset("DESC", { at: "timestamptz", id: "uuid" })

export class AuditLogRepo extends Effect.Service<AuditLogRepo>()("AuditLogRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Outside a transaction a record could remain without its change, or a change without its record. */
    const requireTransaction = Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (transaction) =>
      Option.isSome(transaction) ? Effect.void : Effect.dieMessage("An audit record needs the change's transaction.")
    )

    const insert = (record: NewAuditRecord) =>
      Effect.zipRight(
        requireTransaction,
        run(sql`/* prepared */
            INSERT INTO audit_log (id, workspace_id, at, actor, actor_names, action, object_kind, object_ref, before,
              after, address, request_id)
            VALUES (${record.id}, ${record.workspace_id}, ${record.at}, ${jsonb(record.actor)},
              ${[...record.actor_names]}::text[], ${record.action}, ${record.object.kind}, ${record.object.ref},
              ${jsonb(record.before)}, ${jsonb(record.after)}, ${record.address}, ${record.request_id})`)
      )

    /** Newest first; one more than `limit` shows that there are more. */
    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly selection: AuditSelection
      readonly after: Position | null
      readonly limit: number
    }) => {
      const { actor, action, object_kind, object_ref, since, until } = request.selection
      return Effect.map(
        rows(
          AuditRow,
          sql`SELECT id, at, actor, action, object_kind, object_ref, before, after, address, request_id
            FROM audit_log
            WHERE workspace_id = ${request.workspace_id}
              AND (${actor}::text IS NULL OR actor_names @> ARRAY[lower(${actor}::text)])
              AND (${action}::text IS NULL OR action = ${action})
              AND (${object_kind}::text IS NULL OR object_kind = ${object_kind})
              AND (${object_ref}::text IS NULL OR object_ref = ${object_ref})
              AND (${since}::timestamptz IS NULL OR at >= ${since})
              AND (${until}::timestamptz IS NULL OR at < ${until})
              AND ${newestFirst.after(request.after)}
            ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
        ),
        (found) =>
          found.map(
            ({ object_kind: kind, object_ref: ref, ...row }): AuditRecord => ({ ...row, object: { kind, ref } })
          )
      )
    }

    return { insert, list }
  })
}) {}
