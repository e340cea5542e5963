import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE observations (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    number integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('finding', 'suggestion', 'advisory')),
    status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'closed')),
    priority text NOT NULL CHECK (priority IN ('P0', 'P1', 'P2', 'P3')),
    category text NOT NULL
      CHECK (category IN ('security', 'correctness', 'maintainability', 'performance', 'architecture', 'operations')),
    domain text NOT NULL
      CHECK (domain IN ('security', 'code_quality', 'reliability', 'data_apis', 'testing', 'devops', 'ux')),
    tool text NOT NULL,
    rule_id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    cwe integer[] NOT NULL DEFAULT '{}',
    confidence double precision NOT NULL,
    effort text NOT NULL CHECK (effort IN ('small', 'medium', 'large')),
    risk text NOT NULL CHECK (risk IN ('low', 'medium', 'high')),
    evidence jsonb NOT NULL,
    locations jsonb NOT NULL,
    file_path text NOT NULL,
    symbol text,
    snippet text,
    suggested_change text,
    tool_version integer NOT NULL,
    -- What later audits know it by: digests of rule, place and code, without line numbers. located is the one that is
    -- unique within a scan; deferred, because two rows may exchange theirs in one recording.
    signatures jsonb NOT NULL,
    located text NOT NULL GENERATED ALWAYS AS (signatures ->> 'located') STORED,
    -- Tokens of the flagged code, without white space or comments, for matching code that changed a little.
    anchor text NOT NULL,
    close_reason text CHECK (close_reason IN ('fixed', 'dismissed', 'completed', 'expired')),
    dismissal_category text,
    dismissal_note text,
    closed_at timestamptz(3),
    closed_by jsonb,
    completion_url text,
    completion_note text,
    acknowledged_at timestamptz(3),
    first_seen_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL,
    first_seen_job_id uuid REFERENCES jobs ON DELETE SET NULL,
    last_seen_job_id uuid REFERENCES jobs ON DELETE SET NULL,
    times_seen integer NOT NULL DEFAULT 1,
    fix_attempts integer NOT NULL DEFAULT 0,
    has_fix_pr boolean NOT NULL DEFAULT false,
    -- While a fix pull request is open the row leaves the list of status 'new'.
    open_fix_pr boolean NOT NULL DEFAULT false,
    ticket_url text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT observations_number_unique UNIQUE (workspace_id, number),
    CONSTRAINT observations_located_unique UNIQUE (repository_id, located) DEFERRABLE INITIALLY DEFERRED,
    CHECK ((status = 'closed') = (close_reason IS NOT NULL)),
    CHECK ((close_reason = 'dismissed') = (dismissal_category IS NOT NULL))
  );
  -- Recency is the number's order: observations_number_unique serves it for a workspace, this one for a repository.
  CREATE INDEX observations_by_repository ON observations (repository_id, status, number DESC);
  CREATE INDEX observations_by_rank ON observations
    (workspace_id, status, priority, confidence DESC, number DESC);
  CREATE INDEX observations_by_resolution ON observations (workspace_id, closed_at DESC, number DESC)
    WHERE status = 'closed';

  CREATE TABLE observation_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    observation_id uuid NOT NULL REFERENCES observations ON DELETE CASCADE,
    at timestamptz(3) NOT NULL,
    actor jsonb NOT NULL,
    event text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    reason text,
    job_id uuid REFERENCES jobs ON DELETE SET NULL
  );
  CREATE INDEX observation_events_of ON observation_events (observation_id, id);
`
)
