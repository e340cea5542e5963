import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      ALTER TABLE workspaces ADD COLUMN fix_runner text NOT NULL DEFAULT 'rules'
        CHECK (fix_runner IN ('rules', 'agent', 'rules_then_agent'));

      -- Command lines that fixes are checked with; NULL where a repository has none of a kind.
      CREATE TABLE repository_commands (
        repository_id uuid PRIMARY KEY REFERENCES repositories ON DELETE CASCADE,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        format text,
        build text,
        lint text,
        test text,
        updated_at timestamptz(3) NOT NULL
      );
      CREATE INDEX repository_commands_of_workspace ON repository_commands (workspace_id);
    `,
    tenantPolicy(sql, "repository_commands", { repository: "repository_id" })
  ])
)
