import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    -- How much earlier than it was a job counts as queued: a person waits for a review, a fix or the step of a mission. Part of
    -- the index jobs_by_turn, so it must not be changed; a migration that needs another one adds it under another name.
    CREATE FUNCTION job_head_start(workflow text) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN workflow IN ('review', 'fix', 'change_review', 'mission_step', 'mission_pull_request')
        THEN interval '1 hour' ELSE interval '0' END
  `
)
