import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Count } from "../../schema/Text.ts"
import { rows } from "../support/rows.ts"

const Outcomes = Schema.Struct({ rule: Schema.String, decided: Count, false_positive: Count })

interface Request {
  readonly workspace_id: WorkspaceId
  /** Null: of all repositories. */
  readonly repository_id: RepositoryId | null
  /** Null: of all rules. */
  readonly rule: string | null
}

/** What became of the observations of rules. What expired was decided by no one. */
export class RuleOutcomesRepo extends Effect.Service<RuleOutcomesRepo>()("RuleOutcomesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const byRule = ({ workspace_id, repository_id, rule }: Request) =>
      rows(
        Outcomes,
        sql`SELECT rule_id AS rule, count(*)::integer AS decided,
              (count(*) FILTER (WHERE dismissal_category = 'false_positive'))::integer AS false_positive
            FROM observations
            WHERE workspace_id = ${workspace_id}
              AND (${repository_id}::uuid IS NULL OR repository_id = ${repository_id}::uuid)
              AND (${rule}::text IS NULL OR rule_id = ${rule}::text)
              AND (close_reason IN ('fixed', 'completed')
                OR dismissal_category IN ('false_positive', 'wont_fix', 'out_of_scope', 'other'))
            GROUP BY rule_id`
      )

    return { byRule }
  })
}) {}
