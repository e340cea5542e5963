import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
  -- One row for each change that the service acknowledged, written in the transaction of the change.
  CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    at timestamptz(3) NOT NULL,
    actor jsonb NOT NULL,
    -- What the actor can be found by, in lower case: the person's ID and address, the key's prefix, the job's ID.
    actor_names text[] NOT NULL,
    -- Name of the operation.
    action text NOT NULL,
    object_kind text NOT NULL,
    object_ref text NOT NULL,
    before jsonb,
    after jsonb,
    address text,
    request_id text
  );
  -- The newest first, of all rows and of those that a filter selects.
  CREATE INDEX audit_log_by_time ON audit_log (workspace_id, at DESC, id DESC);
  CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, at DESC, id DESC);
  CREATE INDEX audit_log_by_object ON audit_log (workspace_id, object_ref, at DESC, id DESC);
  CREATE INDEX audit_log_by_actor ON audit_log USING gin (actor_names);

  -- No one changes or deletes what was logged; rows end only with their workspace.
  CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- A cascade runs inside the trigger of the foreign key, once the workspace is gone.
    IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1
      AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
  CREATE TRIGGER keep_table BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
`,
    tenantPolicy(sql, "audit_log")
  ])
)
