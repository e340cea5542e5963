import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
  ALTER TABLE users
    ADD COLUMN name text,
    ADD COLUMN single_keys boolean NOT NULL DEFAULT true,
    ADD COLUMN disabled_at timestamptz(3);

  ALTER TABLE memberships ADD COLUMN last_seen_at timestamptz(3);
  -- The workspaces of a person, at every sign-in.
  CREATE INDEX memberships_of_user ON memberships (user_id);

  ALTER TABLE sessions
    ADD COLUMN last_seen_at timestamptz(3),
    ADD COLUMN address text;
  CREATE INDEX sessions_of_user ON sessions (user_id);

  CREATE TABLE invitations (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    email text NOT NULL CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    -- SHA-256 of the token in the link, which itself is kept nowhere.
    token_hash bytea NOT NULL UNIQUE,
    -- Null: the operator of the installation.
    invited_by uuid REFERENCES users ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    accepted_at timestamptz(3),
    accepted_by uuid REFERENCES users ON DELETE SET NULL
  );
  CREATE INDEX invitations_newest ON invitations (workspace_id, created_at DESC, id DESC);
  -- A further invitation to an address replaces the open one.
  CREATE UNIQUE INDEX invitations_one_open ON invitations (workspace_id, email) WHERE accepted_at IS NULL;

  -- What stands for the link in the text, sealed; removed once the mail is sent or given up.
  ALTER TABLE outbox_mails ADD COLUMN sealed_link bytea;
`,
    tenantPolicy(sql, "invitations")
  ])
)
