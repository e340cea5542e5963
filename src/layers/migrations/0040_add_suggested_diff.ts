import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- Unified diff of what the rule's fixer would change; null for rows of earlier audits until the next one.
  ALTER TABLE observations ADD COLUMN suggested_diff text;
`
)
