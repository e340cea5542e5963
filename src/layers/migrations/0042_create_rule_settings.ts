import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      CREATE TABLE rule_settings (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        -- NULL: for all of the workspace.
        repository_id uuid REFERENCES repositories ON DELETE CASCADE,
        -- A rule or a tool.
        rule text NOT NULL,
        state text NOT NULL CHECK (state IN ('on', 'off')),
        reason text,
        actor jsonb NOT NULL,
        changed_at timestamptz(3) NOT NULL,
        UNIQUE NULLS NOT DISTINCT (workspace_id, repository_id, rule)
      );
      CREATE INDEX rule_settings_of_repository ON rule_settings (repository_id) WHERE repository_id IS NOT NULL;
    `,
    tenantPolicy(sql, "rule_settings", { repository: "repository_id" })
  ])
)
