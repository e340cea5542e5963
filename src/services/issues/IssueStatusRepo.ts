import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { IssueId, WorkspaceId } from "../../schema/Ids.ts"
import { IssueRef } from "../../schema/Issue.ts"
import { rows, run } from "../support/rows.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"

const Referenced = Schema.Struct({ ref: IssueRef })

export class IssueStatusRepo extends Effect.Service<IssueStatusRepo>()("IssueStatusRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { unhidden } = yield* IssueColumnsRepo

    /**
     * Of two issues that block a third and are closed at once, the later one sees that the other is closed: both hold what
     * blocks the third. Locks are taken in one order.
     */
    const holdBlocked = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: IssueId }) =>
      run(sql`SELECT 1 FROM issue_relations l
          WHERE l.workspace_id = ${workspace_id} AND l.kind = 'blocks' AND l.to_id IN (
            SELECT b.to_id FROM issue_relations b WHERE b.from_id = ${id} AND b.kind = 'blocks')
          ORDER BY l.to_id, l.from_id FOR UPDATE OF l`)

    /** Open issues that an issue, closed now, was the last one to block. */
    const unblockedBy = (sight: Sight, number: number) =>
      Effect.map(
        rows(
          Referenced,
          sql`SELECT 'ISS-' || i.number AS ref FROM issues c JOIN issue_relations l ON l.from_id = c.id JOIN issues i ON i.id = l.to_id
            WHERE c.workspace_id = ${sight.workspace_id} AND c.number = ${number}::bigint
              AND i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} AND l.kind = 'blocks' AND i.closed_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM issue_relations o JOIN issues b ON b.id = o.from_id
                WHERE o.to_id = i.id AND o.kind = 'blocks' AND b.closed_at IS NULL
                  AND b.workspace_id = ${sight.workspace_id} AND ${unhidden("b", sight)})
            ORDER BY i.number`
        ),
        (found) => found.map(({ ref }) => ref)
      )

    return { holdBlocked, unblockedBy }
  })
}) {}
