import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- The order of resolution has open observations, too, as the last: a partial index serves no such page, and a null in a
  -- sort key makes the comparison with a cursor unknown.
  DROP INDEX observations_by_resolution;
  DROP INDEX observations_of_repository_by_resolution;
  CREATE INDEX observations_by_resolution ON observations
    (workspace_id, coalesce(closed_at, '-infinity'::timestamptz) DESC, number DESC);
  CREATE INDEX observations_of_repository_by_resolution ON observations
    (repository_id, coalesce(closed_at, '-infinity'::timestamptz) DESC, number DESC);
`
)
