import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import type { IssueCriterionId, IssueId, WorkspaceId } from "../../schema/Ids.ts"
import { Count } from "../../schema/Text.ts"
import { firstRow, onlyRow, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

interface Of {
  readonly workspace_id: WorkspaceId
  readonly id: IssueId
}

const Criterion = Schema.Struct({ text: Schema.String, met: Schema.Boolean })
const Positions = Schema.Struct({ count: Count, next: Count })

export class IssueCriteriaRepo extends Effect.Service<IssueCriteriaRepo>()("IssueCriteriaRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** How many criteria a locked issue has, and the position after the last. */
    const positions = ({ workspace_id, id }: Of) =>
      onlyRow(
        Positions,
        sql`SELECT count(*)::int AS count, coalesce(max(position) + 1, 0)::int AS next FROM issue_criteria
          WHERE workspace_id = ${workspace_id} AND issue_id = ${id}`
      )

    const insert = (
      issue: Of,
      criterion: { readonly id: IssueCriterionId; readonly position: number; readonly text: string }
    ) =>
      run(
        sql`INSERT INTO issue_criteria ${sql.insert({ ...criterion, workspace_id: issue.workspace_id, issue_id: issue.id })}`
      )

    const find = ({ workspace_id, id }: Of, criterion: IssueCriterionId) =>
      firstRow(
        Criterion,
        sql`SELECT text, met_at IS NOT NULL AS met FROM issue_criteria
          WHERE workspace_id = ${workspace_id} AND issue_id = ${id} AND id = ${criterion}`
      )

    /** Who met it and when; null for a criterion that is not met. */
    const mark = (
      { workspace_id, id }: Of,
      criterion: IssueCriterionId,
      met: { readonly actor: AuditActor; readonly at: string } | null
    ) =>
      run(sql`UPDATE issue_criteria SET met_by = ${jsonb(met?.actor ?? null)}, met_at = ${met?.at ?? null}
          WHERE workspace_id = ${workspace_id} AND issue_id = ${id} AND id = ${criterion}`)

    return { positions, insert, find, mark }
  })
}) {}
