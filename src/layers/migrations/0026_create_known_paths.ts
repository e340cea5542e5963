import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- Digests of the paths in the commit that the last audit or discovery read, eight bytes each: names of files would need
  -- ten times the room, and the only question is whether one is there. A digest's first byte is its bucket, so that one
  -- question reads one row; empty buckets are stored, too, because no row means that nothing was read yet.
  CREATE TABLE known_paths (
    repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    bucket smallint NOT NULL CHECK (bucket BETWEEN 0 AND 255),
    digests bytea NOT NULL,
    PRIMARY KEY (repository_id, bucket)
  );
`
)
