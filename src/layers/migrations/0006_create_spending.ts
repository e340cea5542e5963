import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

// Money is numeric to a billionth of a dollar: sums are exact, so that what went in is what comes out.
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  ALTER TABLE workspaces
    -- What is left; null: not metered.
    ADD COLUMN credit_usd numeric(18, 9),
    ADD COLUMN spend_paused boolean NOT NULL DEFAULT false,
    ADD COLUMN spend_per_hour_usd numeric(18, 9) CHECK (spend_per_hour_usd > 0),
    ADD COLUMN job_cap_usd numeric(18, 9) CHECK (job_cap_usd > 0),
    -- Null: the installation's own.
    ADD COLUMN max_queued integer CHECK (max_queued >= 0),
    ADD COLUMN max_running integer CHECK (max_running >= 0),
    -- Null: all workflows.
    ADD COLUMN entitled_workflows text[];

  ALTER TABLE jobs
    -- As of submit.
    ADD COLUMN forecast jsonb,
    ADD COLUMN reserved_usd numeric(18, 9) NOT NULL DEFAULT 0;
  -- Forecasts read the newest ended jobs of a workflow.
  CREATE INDEX jobs_ended ON jobs (workspace_id, workflow, finished_at DESC) WHERE finished_at IS NOT NULL;

  ALTER TABLE job_stages ADD COLUMN cost_usd double precision NOT NULL DEFAULT 0;

  -- Append only. A job reserves once; when it ends it releases what it reserved and settles what it cost, in the statement
  -- that writes its status. job_id and api_key_id are facts, not references: the ledger outlives both.
  CREATE TABLE spend_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    job_id uuid,
    api_key_id uuid,
    kind text NOT NULL CHECK (kind IN ('credit', 'reserve', 'release', 'settle')),
    -- Of 'credit': what the balance was set to, null for no longer metered.
    amount_usd numeric(18, 9),
    at timestamptz(3) NOT NULL,
    CHECK ((kind = 'credit') = (job_id IS NULL)),
    CHECK (kind = 'credit' OR amount_usd >= 0),
    CONSTRAINT spend_entries_once UNIQUE (job_id, kind)
  );
  -- Hourly ceilings sum up the last hour.
  CREATE INDEX spend_entries_by_time ON spend_entries (workspace_id, at);
`
)
