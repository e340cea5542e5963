import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  ALTER TABLE workspaces ADD COLUMN review_instructions text NOT NULL DEFAULT '';

  ALTER TABLE repositories
    ADD COLUMN display_name text,
    ADD COLUMN description text,
    ADD COLUMN guidance text NOT NULL DEFAULT '',
    ADD COLUMN review_instructions text NOT NULL DEFAULT '';

  -- Append only: who changed which setting, from what to what.
  CREATE TABLE setting_changes (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    -- NULL: of the workspace itself.
    repository_id uuid REFERENCES repositories ON DELETE CASCADE,
    name text NOT NULL,
    actor jsonb NOT NULL,
    prev jsonb NOT NULL,
    value jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL
  );
  -- The newest change of a setting.
  CREATE INDEX setting_changes_of ON setting_changes (workspace_id, repository_id, name, id DESC);

  -- How often the pull request of an attempt was sent back with instructions.
  ALTER TABLE fix_attempts ADD COLUMN revisions integer NOT NULL DEFAULT 0;

  -- What a search looks in. Separators of paths and rules are spaces: each part is a word.
  CREATE FUNCTION observation_words(title text, description text, rule_id text, file_path text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_tsvector('english', translate(title || ' ' || left(description, 8192) || ' ' || rule_id || ' ' || file_path,
      './_:', '    '));
  CREATE INDEX observations_by_words ON observations
    USING gin (observation_words(title, description, rule_id, file_path));
  -- Open findings that touch a file, wherever among their locations it is.
  CREATE INDEX observations_open_by_file ON observations
    USING gin (jsonb_path_query_array(locations, '$[*].file_path')) WHERE status = 'new';
  -- Others of the same rule.
  CREATE INDEX observations_of_repository_by_rule ON observations (repository_id, rule_id);
`
)
