import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- What the last run of retention did with each kind of rows.
  CREATE TABLE retention_runs (
    kind text PRIMARY KEY,
    ended_at timestamptz(3) NOT NULL,
    took_ms integer NOT NULL CHECK (took_ms >= 0),
    deleted bigint NOT NULL CHECK (deleted >= 0),
    deleted_in_all bigint NOT NULL CHECK (deleted_in_all >= deleted),
    -- Rows of jobs that ended before this are gone: the next run goes on from here.
    reached timestamptz(3),
    -- Why the run failed, in the words for the operator; what it had deleted until then counts.
    error text
  );

  -- Size of the database once a day, to show how it grows.
  CREATE TABLE storage_samples (
    day date PRIMARY KEY,
    bytes bigint NOT NULL,
    tables jsonb NOT NULL
  );

  -- As before, but for records older than the retention that the operator has set: its transaction says so, and no transaction
  -- deletes records of the last 30 days.
  CREATE OR REPLACE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- A cascade runs inside the trigger of the foreign key, once the workspace is gone.
    IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1
      AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) THEN
      RETURN OLD;
    END IF;
    IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' AND OLD.at < clock_timestamp() - interval '30 days'
      AND OLD.at < nullif(current_setting('assay.audit_log_before', true), '')::timestamptz THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
  END $$;
`
)
