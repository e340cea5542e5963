import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      CREATE TABLE credentials (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        -- Null: for every repository of the workspace on this host.
        repository_id uuid REFERENCES repositories ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('https', 'ssh')),
        host text COLLATE "C" NOT NULL,
        username text,
        -- The password, token or private key, under a key that is not in this database.
        sealed text NOT NULL,
        known_hosts text,
        fingerprint text,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3),
        CHECK ((kind = 'ssh') = (known_hosts IS NOT NULL) AND (kind = 'ssh') = (fingerprint IS NOT NULL))
      );
      CREATE INDEX credentials_newest ON credentials (workspace_id, created_at DESC, id DESC);
      -- Every call of git to a remote asks for the one of its host.
      CREATE INDEX credentials_by_host ON credentials (workspace_id, host, kind);
    `,
    tenantPolicy(sql, "credentials", { repository: "repository_id" })
  ])
)
