import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- Every e-mail, written in the transaction that has a reason for it and sent afterwards.
  CREATE TABLE outbox_mails (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    "to" text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Why the last attempt failed.
    error text,
    created_at timestamptz(3) NOT NULL,
    -- Not before this; a sender at work moves it ahead, so that another takes over only when that one is lost.
    next_attempt_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3),
    CHECK ((status = 'sent') = (sent_at IS NOT NULL))
  );
  CREATE INDEX outbox_mails_by_workspace ON outbox_mails (workspace_id, created_at DESC, id DESC);
  CREATE INDEX outbox_mails_due ON outbox_mails (next_attempt_at) WHERE status = 'pending';

  ALTER TABLE api_keys ADD COLUMN expiry_warned_at timestamptz(3);
  -- Queried every few minutes; holds only keys whose owner was not warned yet.
  CREATE INDEX api_keys_to_warn_about ON api_keys (expires_at)
    WHERE expiry_warned_at IS NULL AND revoked_at IS NULL AND expires_at IS NOT NULL;
`
)
