import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { TriageAction } from "../../schema/BulkTriage.ts"
import { ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { Actor } from "../../schema/Job.ts"
import { Observation, ObservationNumber } from "../../schema/Observation.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { firstRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { Changed } from "./ObservationStateRepo.ts"

const { ref, status, close_reason, acknowledged_at } = Observation.fields

const LockedObservation = Schema.Struct({
  id: ObservationId,
  number: ObservationNumber,
  repository_id: RepositoryId,
  ref,
  status,
  close_reason,
  acknowledged_at
})

const UndoableOperation = Schema.Struct({
  undo_until: Instant,
  undone_at: Schema.NullOr(Instant),
  repositories: Count,
  visible_repositories: Count,
  changed: Schema.NullOr(Schema.Array(Changed))
})

interface Key {
  readonly workspace_id: WorkspaceId
  readonly id: string
}

export class BulkTriageRepo extends Effect.Service<BulkTriageRepo>()("BulkTriageRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * The observations of live repositories among the numbers, locked. Their repositories are locked first, as recordings
     * do, and both in one order: anyone who changes many of them waits for the others, and never they for each other.
     */
    const lock = (request: {
      readonly workspace_id: WorkspaceId
      readonly numbers: ReadonlyArray<ObservationNumber>
    }) => {
      const target = sql`o.workspace_id = ${request.workspace_id} AND o.number = ANY(${[...request.numbers]}::bigint[])`
      return Effect.zipRight(
        run(sql`SELECT FROM repositories r WHERE r.workspace_id = ${request.workspace_id}
          AND r.id IN (SELECT o.repository_id FROM observations o WHERE ${target}) ORDER BY r.id FOR SHARE`),
        rows(
          LockedObservation,
          sql`SELECT o.id, o.number, o.repository_id, 'OBS-' || o.number AS ref, o.status, o.close_reason,
              o.acknowledged_at
            FROM observations o
            WHERE ${target}
              AND EXISTS (SELECT FROM repositories r WHERE r.id = o.repository_id AND r.deleted_at IS NULL)
            ORDER BY o.number FOR NO KEY UPDATE OF o`
        )
      )
    }

    const insert = (
      operation: Key & {
        readonly action: TriageAction
        readonly actor: Actor
        readonly at: string
        readonly undo_until: string
        readonly repository_ids: ReadonlyArray<RepositoryId>
        readonly changed: ReadonlyArray<Changed>
      }
    ) =>
      run(sql`INSERT INTO bulk_operations (id, workspace_id, action, actor, created_at, undo_until, repository_ids, changed)
        VALUES (${operation.id}, ${operation.workspace_id}, ${operation.action}, ${jsonb(operation.actor)},
          ${operation.at}, ${operation.undo_until}, ${[...operation.repository_ids]}::uuid[],
          ${jsonb(operation.changed)})`)

    /** Forgets the states before operations that can no longer be undone. */
    const forgetExpired = (request: { readonly workspace_id: WorkspaceId; readonly at: string }) =>
      run(sql`UPDATE bulk_operations SET changed = NULL WHERE id IN (SELECT id FROM bulk_operations
        WHERE workspace_id = ${request.workspace_id} AND undo_until < ${request.at} AND changed IS NOT NULL
        FOR UPDATE SKIP LOCKED)`)

    /** An operation, locked; with how many of its repositories the caller sees. */
    const open = ({ workspace_id, id }: Key) =>
      firstRow(
        UndoableOperation,
        sql`SELECT b.undo_until, b.undone_at, cardinality(b.repository_ids) AS repositories, b.changed,
            (SELECT count(*)::int FROM repositories r
              WHERE r.workspace_id = b.workspace_id AND r.id = ANY(b.repository_ids)) AS visible_repositories
          FROM bulk_operations b WHERE b.workspace_id = ${workspace_id} AND b.id = ${id} FOR UPDATE OF b`
      )

    const markUndone = ({ workspace_id, id, at, actor }: Key & { readonly at: string; readonly actor: Actor }) =>
      run(sql`UPDATE bulk_operations SET undone_at = ${at}, undone_by = ${jsonb(actor)}, changed = NULL
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    return { lock, insert, forgetExpired, open, markUndone }
  })
}) {}
