import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    -- The list of all fix pull requests, by status: other indexes begin with a repository or an observation.
    CREATE INDEX fix_attempts_prs_of_workspace ON fix_attempts (workspace_id, pr_status, id DESC) WHERE pr_url IS NOT NULL
  `
)
