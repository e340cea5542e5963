import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
  -- What one call did to many observations, for its undo: changed is a list of the observations with their state before,
  -- and null once it cannot be undone any more.
  CREATE TABLE bulk_operations (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    action text NOT NULL CHECK (action IN ('dismiss', 'acknowledge', 'complete', 'reopen')),
    actor jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    undo_until timestamptz(3) NOT NULL,
    undone_at timestamptz(3),
    undone_by jsonb,
    repository_ids uuid[] NOT NULL,
    changed jsonb
  );
  -- Each call forgets the states of those that have expired.
  CREATE INDEX bulk_operations_undoable ON bulk_operations (workspace_id, undo_until) WHERE changed IS NOT NULL;
  -- Lists of a rule's observations; also says at once that a rule has none.
  CREATE INDEX observations_by_rule ON observations (workspace_id, rule_id, number DESC);
`,
    tenantPolicy(sql, "bulk_operations")
  ])
)
