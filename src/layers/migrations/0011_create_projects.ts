import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- Areas, spaces and projects: one tree a workspace, at most three levels deep.
  CREATE TABLE projects (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('area', 'space', 'project')),
    slug text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    parent_id uuid REFERENCES projects,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT projects_slug_unique UNIQUE (workspace_id, slug),
    -- Below it only a kind further down the line may hang, so there are no cycles to look for.
    CHECK (kind <> 'area' OR parent_id IS NULL)
  );
  CREATE INDEX projects_newest ON projects (workspace_id, created_at DESC, id DESC);
  CREATE INDEX projects_below ON projects (parent_id);

  CREATE TABLE project_repositories (
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    added_at timestamptz(3) NOT NULL,
    PRIMARY KEY (project_id, repository_id)
  );
  CREATE INDEX project_repositories_of ON project_repositories (repository_id);

  CREATE TABLE project_roles (
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'editor', 'manager')),
    granted_at timestamptz(3) NOT NULL,
    PRIMARY KEY (project_id, user_id),
    -- Who leaves the workspace loses the roles in it.
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
  );
`
)
