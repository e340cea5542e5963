import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    -- W3C trace context of the request that submitted the job, so that its stages belong to the same trace on any worker.
    ALTER TABLE jobs ADD COLUMN traceparent text
  `
)
