import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, partPolicy, tenantPolicy } from "./support/policies.ts"

const ofWorkspace = ["memberships", "sessions", "sign_in_links", "api_keys", "outbox_mails", "idempotency_keys"]
const ofWorkspaceToo = ["spend_entries", "projects", "project_roles", "context_entries"]
const ofRepository = ["jobs", "observations", "discoveries", "fix_attempts", "setting_changes", "known_paths"]
const parts = [
  { table: "job_stages", parent: "jobs", column: "job_id" },
  { table: "job_events", parent: "jobs", column: "job_id", writtenTogether: true },
  { table: "job_artifacts", parent: "jobs", column: "job_id" },
  { table: "observation_events", parent: "observations", column: "observation_id", writtenTogether: true },
  { table: "context_events", parent: "context_entries", column: "entry_id", writtenTogether: true },
  // Hidden repositories are among a level's: one that holds nothing else is hidden, an empty one is not.
  { table: "project_repositories", parent: "projects", column: "project_id" }
] as const

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      ALTER TABLE repositories ADD COLUMN visibility text NOT NULL DEFAULT 'workspace'
        CHECK (visibility IN ('workspace', 'restricted'));
      -- Read with every call: most workspaces have none.
      CREATE INDEX repositories_restricted ON repositories (workspace_id) WHERE visibility = 'restricted';
      CREATE INDEX project_roles_of ON project_roles (user_id);

      -- A function, because its plan is kept by the connection: planning it with each lookup of a key took 0.8 ms.
      CREATE FUNCTION hidden_repositories(person uuid, workspace uuid) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN ARRAY(
          SELECT restricted.id FROM repositories restricted
          WHERE restricted.workspace_id = workspace AND restricted.visibility = 'restricted' AND NOT EXISTS (
            SELECT 1 FROM project_repositories held
            JOIN projects level ON level.id = held.project_id
            LEFT JOIN projects above ON above.id = level.parent_id
            LEFT JOIN projects top ON top.id = above.parent_id
            JOIN project_roles granted ON granted.project_id IN (level.id, above.id, top.id)
            WHERE held.repository_id = restricted.id AND granted.user_id = person
              AND granted.workspace_id = workspace)
          ORDER BY restricted.id);
      END $$;
    `,
    tenantPolicy(sql, "workspaces", { workspace: "id" }),
    tenantPolicy(sql, "repositories", { repository: "id" }),
    ...[...ofWorkspace, ...ofWorkspaceToo].map((table) => tenantPolicy(sql, table)),
    ...ofRepository.map((table) => tenantPolicy(sql, table, { repository: "repository_id" })),
    ...parts.map((part) => partPolicy(sql, part)),
    // An index may answer a condition before the policy has looked at the row only if its functions leak nothing of what
    // they read. These do not, and searches need them; only a superuser can say so, others search without the index.
    sql`
      DO $$ BEGIN
        IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
          ALTER FUNCTION ts_match_vq(tsvector, tsquery) LEAKPROOF;
          ALTER FUNCTION to_tsvector(regconfig, text) LEAKPROOF;
          ALTER FUNCTION translate(text, text, text) LEAKPROOF;
          ALTER FUNCTION textcat(text, text) LEAKPROOF;
          ALTER FUNCTION "left"(text, integer) LEAKPROOF;
          ALTER FUNCTION observation_words(text, text, text, text) LEAKPROOF;
          ALTER FUNCTION jsonb_contains(jsonb, jsonb) LEAKPROOF;
          ALTER FUNCTION jsonb_path_query_array(jsonb, jsonpath, jsonb, boolean) LEAKPROOF;
        END IF;
      END $$;
    `
  ])
)
