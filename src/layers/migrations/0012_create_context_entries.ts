import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE context_entries (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    -- NULL: the workspace itself.
    project_id uuid REFERENCES projects,
    key text COLLATE "C" NOT NULL,
    version integer NOT NULL DEFAULT 1,
    status text NOT NULL CHECK (status IN ('proposed', 'live')),
    kind text NOT NULL CHECK (kind IN ('decision', 'convention', 'runbook', 'warning', 'note', 'flag')),
    title text NOT NULL,
    summary text NOT NULL,
    body_md text NOT NULL,
    data jsonb NOT NULL,
    scope text NOT NULL CHECK (scope IN ('project', 'subtree')),
    tags text[] NOT NULL,
    created_by jsonb NOT NULL,
    updated_by jsonb NOT NULL,
    -- Who must not corroborate it; ids, because actors show names only.
    created_key_id uuid,
    updated_key_id uuid,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    corroborated_at timestamptz(3),
    corroborated_by jsonb,
    disabled_at timestamptz(3),
    disabled_reason text,
    last_confirmed_at timestamptz(3),
    last_confirmed_by_user_id uuid,
    search tsvector GENERATED ALWAYS AS (
      setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', summary), 'B')
        || to_tsvector('english', left(body_md, 65536))
    ) STORED,
    CHECK (project_id IS NOT NULL OR scope = 'subtree'),
    CHECK ((corroborated_at IS NULL) = (corroborated_by IS NULL)),
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
  );
  -- One enabled entry a key and level; a disabled one frees its key.
  CREATE UNIQUE INDEX context_entries_enabled ON context_entries (workspace_id, project_id, key) NULLS NOT DISTINCT
    WHERE disabled_at IS NULL;
  CREATE INDEX context_entries_of_key ON context_entries (workspace_id, project_id, key, disabled_at DESC);
  CREATE INDEX context_entries_search ON context_entries USING gin (search);

  CREATE TABLE context_events (
    id uuid PRIMARY KEY,
    entry_id uuid NOT NULL REFERENCES context_entries ON DELETE CASCADE,
    version integer NOT NULL,
    event text NOT NULL
      CHECK (event IN ('created', 'updated', 'deleted', 'restored', 'confirmed', 'corroborated')),
    actor jsonb NOT NULL,
    prev jsonb NOT NULL,
    detail jsonb,
    created_at timestamptz(3) NOT NULL
  );
  CREATE INDEX context_events_of ON context_events (entry_id, id DESC);
`
)
