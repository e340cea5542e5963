import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { onlyRow } from "../support/rows.ts"

const Found = Schema.Struct({ found: Schema.Boolean })

export class ReviewsRepo extends Effect.Service<ReviewsRepo>()("ReviewsRepo", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => {
    /** Whether a pull request of this number came of a fix of ours. */
    const isOwn = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly number: number
    }) =>
      Effect.map(
        onlyRow(
          Found,
          sql`SELECT EXISTS (SELECT FROM fix_attempts
            WHERE workspace_id = ${request.workspace_id} AND repository_id = ${request.repository_id}
              AND pr_number = ${request.number}) AS found`
        ),
        (row) => row.found
      )

    return { isOwn }
  })
}) {}
