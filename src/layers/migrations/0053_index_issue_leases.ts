import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    -- The sweep looks for leases that have run out every ten seconds; few issues are claimed at a time.
    CREATE INDEX issues_by_end_of_lease ON issues (lease_expires_at) WHERE lease_expires_at IS NOT NULL
  `
)
