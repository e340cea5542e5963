import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    -- SHA-256 of the full key, which itself is kept nowhere.
    hash bytea NOT NULL UNIQUE,
    name text NOT NULL,
    prefix text NOT NULL,
    scopes text[] NOT NULL,
    requests_per_minute integer CHECK (requests_per_minute >= 1),
    dollars_per_hour double precision CHECK (dollars_per_hour > 0),
    allowed_cidrs text[],
    agent_label text,
    created_by uuid NOT NULL REFERENCES users,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    last_used_ip text,
    revoked_at timestamptz(3)
  );
  CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id, created_at DESC, id DESC);

  -- Counters of calls (GCRA: the theoretical arrival time of the next one). Losing them in a crash only forgives.
  CREATE UNLOGGED TABLE rate_buckets (
    key text PRIMARY KEY,
    tat double precision NOT NULL
  );
`
)
