import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
  -- What a dismissal was for stays known after the observation is reopened: shares of false positives need the past.
  ALTER TABLE observation_events ADD COLUMN dismissal_category text;
  UPDATE observation_events e SET dismissal_category = o.dismissal_category
  FROM observations o
  WHERE o.id = e.observation_id AND o.close_reason = 'dismissed' AND e.id = (
    SELECT max(last.id) FROM observation_events last WHERE last.observation_id = o.id AND last.event = 'dismissed');

  -- A fact like job_id, not a reference. Null: credit, and jobs that were deleted before this column existed.
  ALTER TABLE spend_entries ADD COLUMN repository_id uuid;
  UPDATE spend_entries s SET repository_id = j.repository_id FROM jobs j WHERE j.id = s.job_id;
  DROP POLICY within_reach ON spend_entries;

  -- Saved filters of the list of observations.
  CREATE TABLE views (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The one repository that the query names: who may not see it must not read its name in a shared view.
    repository_id uuid REFERENCES repositories ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    query text NOT NULL,
    shared boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT views_name_unique UNIQUE (workspace_id, user_id, name)
  );
  CREATE INDEX views_by_name ON views (workspace_id, name, id);

  CREATE TABLE notices (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    user_id uuid NOT NULL,
    repository_id uuid REFERENCES repositories ON DELETE CASCADE,
    -- The level whose context it is about.
    project_id uuid REFERENCES projects ON DELETE CASCADE,
    kind text NOT NULL
      CHECK (kind IN ('new_finding', 'job_ended', 'waiting_on_me', 'key_expiring', 'invitation_accepted')),
    -- What it is about. A job that is run again has the same subject, and no one gets a second notice.
    subject text NOT NULL,
    text text NOT NULL,
    link text NOT NULL,
    at timestamptz(3) NOT NULL,
    read_at timestamptz(3),
    CONSTRAINT notices_once UNIQUE (workspace_id, user_id, kind, subject),
    -- Who leaves the workspace loses the notices of it.
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
  );
  CREATE INDEX notices_newest ON notices (workspace_id, user_id, at DESC, id DESC);
  CREATE INDEX notices_unread ON notices (workspace_id, user_id, at DESC, id DESC) WHERE read_at IS NULL;
  -- The hourly sweep.
  CREATE INDEX notices_by_age ON notices (at);

  -- UUIDs of version 7 for rows that a statement makes out of other rows; PostgreSQL has its own from 18 on only.
  CREATE FUNCTION uuid_v7(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;
`,
    ...["spend_entries", "views", "notices"].map((table) => tenantPolicy(sql, table, { repository: "repository_id" }))
  ])
)
