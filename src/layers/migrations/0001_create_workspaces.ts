import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL DEFAULT 'paid' CHECK (plan IN ('free', 'paid')),
    features text[] NOT NULL DEFAULT '{}',
    suspended_at timestamptz(3),
    -- The next OBS-N. Recording locks this row, so numbers have no gaps and no duplicates.
    next_observation integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL
  );

  CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL CHECK (email = lower(email)),
    password_hash text,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT users_email_unique UNIQUE (email)
  );

  CREATE TABLE memberships (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
  );

  CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    csrf_token text NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL
  );

  CREATE TABLE sign_in_links (
    token_hash bytea PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3)
  );

  -- Random values every API process must share, such as the key that seals cursors.
  CREATE TABLE server_secrets (
    name text PRIMARY KEY,
    value bytea NOT NULL
  );
`
)
