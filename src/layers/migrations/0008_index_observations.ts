import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

// One index for each order of the list, by workspace and by repository, of all rows and by status. Descending parts are
// negated, because a page starts where the one before ended by comparing whole rows, which needs one direction.
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- A small fix without risk for an urgent finding: worth doing at once.
  ALTER TABLE observations ADD COLUMN easy_win integer NOT NULL GENERATED ALWAYS AS (
    CASE WHEN status = 'new' AND kind = 'finding' AND priority IN ('P0', 'P1') AND effort = 'small' AND risk = 'low'
      THEN 1 ELSE 0 END) STORED;

  -- Recency; observations_number_unique and observations_by_repository are the other two.
  CREATE INDEX observations_by_status ON observations (workspace_id, status, number DESC);
  CREATE INDEX observations_of_repository ON observations (repository_id, number DESC);

  DROP INDEX observations_by_rank;
  CREATE INDEX observations_ranked ON observations
    (workspace_id, priority, (-confidence), (-easy_win), (-number));
  CREATE INDEX observations_ranked_by_status ON observations
    (workspace_id, status, priority, (-confidence), (-easy_win), (-number));
  CREATE INDEX observations_of_repository_ranked ON observations
    (repository_id, priority, (-confidence), (-easy_win), (-number));
  CREATE INDEX observations_of_repository_ranked_by_status ON observations
    (repository_id, status, priority, (-confidence), (-easy_win), (-number));

  CREATE INDEX observations_of_repository_by_resolution ON observations (repository_id, closed_at DESC, number DESC)
    WHERE status = 'closed';

  -- Clients that follow changes ask for what is newer than their last answer.
  CREATE INDEX observations_by_change ON observations (workspace_id, updated_at);

  -- Filters that few rows pass.
  CREATE INDEX observations_easy_wins ON observations (workspace_id, number DESC) WHERE easy_win = 1;
  CREATE INDEX observations_needing_review ON observations (workspace_id, number DESC)
    WHERE kind = 'finding' AND fix_attempts >= 3;
  CREATE INDEX observations_with_fix_pr ON observations (workspace_id, number DESC) WHERE has_fix_pr;

  -- Open counts of a repository: an index-only scan over what is open, never over its history.
  CREATE INDEX observations_open ON observations (repository_id, priority) WHERE status = 'new';

  -- Deleting a job would read all observations and events for each of these, and an index would be written by every
  -- audit for every row. A reset of the history clears what readers see of them.
  ALTER TABLE observations DROP CONSTRAINT observations_first_seen_job_id_fkey,
    DROP CONSTRAINT observations_last_seen_job_id_fkey;
  ALTER TABLE observation_events DROP CONSTRAINT observation_events_job_id_fkey;
  CREATE INDEX jobs_by_parent ON jobs (parent_job_id) WHERE parent_job_id IS NOT NULL;
  CREATE INDEX idempotency_keys_by_job ON idempotency_keys (job_id);
`
)
