import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE repositories (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    github_org text NOT NULL,
    github_repo text NOT NULL,
    github_base_branch text NOT NULL,
    repo_name text NOT NULL GENERATED ALWAYS AS (github_repo || '@' || github_base_branch) STORED,
    access_mode text NOT NULL CHECK (access_mode IN ('installed', 'anonymous')),
    clone_url text NOT NULL,
    default_branch text,
    head_sha text,
    last_audit_at timestamptz(3),
    last_audit_sha text,
    last_discovery_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    -- One row for ever: registering a deleted repository again brings its history back.
    CONSTRAINT repositories_unique UNIQUE (workspace_id, github_org, github_repo, github_base_branch)
  );
  CREATE INDEX repositories_by_workspace ON repositories (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX repositories_by_slug ON repositories (workspace_id, repo_name) WHERE deleted_at IS NULL;
`
)
