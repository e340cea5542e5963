import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    -- Lines of the files that the newest audit read or, before the first, the newest discovery: by them what a job took
    -- in one repository says what it takes in another. NULL: neither has counted since this column is there.
    ALTER TABLE repositories ADD COLUMN lines bigint
  `
)
