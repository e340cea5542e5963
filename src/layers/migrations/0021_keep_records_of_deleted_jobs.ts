import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- A reset deletes jobs whose submissions may still be repeated: the key then holds the record that they return.
  ALTER TABLE idempotency_keys ALTER COLUMN job_id DROP NOT NULL,
    ADD COLUMN deleted_job jsonb,
    ADD CHECK ((job_id IS NULL) <> (deleted_job IS NULL));
`
)
