import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
  CREATE TABLE trackers (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    -- Null: of every repository of the workspace that has none of its own.
    repository_id uuid REFERENCES repositories ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('github', 'jira', 'linear')),
    base_url text NOT NULL,
    project text NOT NULL,
    email text,
    sealed_token text,
    token_set_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CHECK ((sealed_token IS NULL) = (token_set_at IS NULL))
  );
  -- One tracker a level.
  CREATE UNIQUE INDEX trackers_of_level ON trackers (workspace_id, coalesce(repository_id, workspace_id));

  CREATE TABLE tickets (
    -- One ticket an observation.
    observation_id uuid PRIMARY KEY REFERENCES observations ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    -- The ticket carries it: what was created by a process that died is recognised by it.
    id uuid NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('github', 'jira', 'linear')),
    base_url text NOT NULL,
    project text NOT NULL,
    claimed_at timestamptz(3) NOT NULL,
    -- Who publishes it has until then; another one takes over afterwards. It counts the takers.
    held_until timestamptz(3) NOT NULL,
    attempt integer NOT NULL,
    -- What the tracker calls it.
    key text,
    url text,
    published_at timestamptz(3),
    CHECK ((key IS NULL) = (url IS NULL) AND (url IS NULL) = (published_at IS NULL))
  );

  CREATE TABLE ticket_comments (
    -- The comment carries it, too.
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    observation_id uuid NOT NULL REFERENCES tickets ON DELETE CASCADE,
    -- The observation as the change left it.
    status text NOT NULL CHECK (status IN ('new', 'closed')),
    close_reason text,
    dismissal_category text,
    note text,
    url text,
    at timestamptz(3) NOT NULL,
    delivery text NOT NULL DEFAULT 'pending' CHECK (delivery IN ('pending', 'sent', 'failed')),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Why the last attempt failed.
    error text,
    next_attempt_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3)
  );
  CREATE INDEX ticket_comments_of ON ticket_comments (observation_id, id);
  CREATE INDEX ticket_comments_due ON ticket_comments (next_attempt_at) WHERE delivery = 'pending';

  -- Whatever closes or reopens an observation that has a ticket leaves a comment to be sent, in the same transaction.
  CREATE FUNCTION comment_on_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ticket_comments (id, workspace_id, repository_id, observation_id, status, close_reason,
      dismissal_category, note, url, at, next_attempt_at)
    SELECT uuid_v7(NEW.updated_at), NEW.workspace_id, NEW.repository_id, NEW.id, NEW.status, NEW.close_reason,
      NEW.dismissal_category, coalesce(NEW.dismissal_note, NEW.completion_note), NEW.completion_url, NEW.updated_at,
      NEW.updated_at
    FROM tickets t WHERE t.observation_id = NEW.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER comment_on_ticket AFTER UPDATE OF status ON observations FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.ticket_url IS NOT NULL)
    EXECUTE FUNCTION comment_on_ticket();
`,
    ...["trackers", "tickets", "ticket_comments"].map((table) =>
      tenantPolicy(sql, table, { repository: "repository_id" })
    )
  ])
)
