import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- From the source to the sink: file_path, line, note. Rows of earlier audits have them in their description.
  ALTER TABLE observations ADD COLUMN steps jsonb NOT NULL DEFAULT '[]';
`
)
