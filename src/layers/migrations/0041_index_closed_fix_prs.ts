import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- The watch of pull requests looks for a day at those that were closed, in case people reopen them.
  CREATE INDEX fix_attempts_rejected ON fix_attempts (finished_at) WHERE outcome = 'pr_rejected';
`
)
