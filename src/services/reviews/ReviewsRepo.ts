import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export class ReviewsRepo extends Effect.Service<ReviewsRepo>()("ReviewsRepo", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => {
    /** Whether a pull request of this number came of a fix of ours. */
    const isOwn = (request: { readonly repository_id: string; readonly number: number }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly found: boolean }>`SELECT EXISTS (SELECT FROM fix_attempts
            WHERE repository_id = ${request.repository_id} AND pr_number = ${request.number}) AS found`
        ),
        (rows) => rows[0]?.found === true
      )

    return { isOwn }
  })
}) {}
