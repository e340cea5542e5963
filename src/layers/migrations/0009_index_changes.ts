import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

// Measured on 1,000,000 rows: a page of what changed lately in a repository took 39 ms, among the open ones 150 ms (two
// bitmaps of a hundred thousand rows and more); a page of a close reason that hardly occurs read the whole table, 900 ms.
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE INDEX observations_of_repository_by_change ON observations (repository_id, updated_at);
  CREATE INDEX observations_open_by_change ON observations (workspace_id, updated_at) WHERE status = 'new';
  CREATE INDEX observations_by_close_reason ON observations (workspace_id, close_reason, number DESC)
    WHERE close_reason IS NOT NULL;
`
)
