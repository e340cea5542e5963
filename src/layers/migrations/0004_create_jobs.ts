import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    workflow text NOT NULL CHECK (workflow IN ('standard_audit', 'audit', 'discover', 'revalidate', 'review', 'fix')),
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
    params jsonb NOT NULL DEFAULT '{}',
    commit_sha text,
    -- What makes two submissions the same: workflow, params and commit.
    dedupe_hash text NOT NULL,
    -- The job this one retries, and the first of the chain (itself when not a retry).
    parent_job_id uuid REFERENCES jobs ON DELETE CASCADE,
    original_job_id uuid NOT NULL,
    attempt integer NOT NULL DEFAULT 1,
    -- Engine executions of this row; rises when one ended without ending the job.
    run integer NOT NULL DEFAULT 1,
    agent_runner text,
    progress jsonb,
    cost_usd double precision NOT NULL DEFAULT 0,
    error text,
    failure_kind text,
    pr_url text,
    requested_by jsonb NOT NULL,
    result jsonb,
    -- The number of the newest event; raised in the statement that writes the event, so events commit in order.
    event_seq integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    queued_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    finished_at timestamptz(3)
  );
  CREATE UNIQUE INDEX jobs_one_in_flight ON jobs (repository_id, dedupe_hash)
    WHERE status IN ('pending', 'running') AND parent_job_id IS NULL;
  CREATE UNIQUE INDEX jobs_one_retry_in_flight ON jobs (parent_job_id) WHERE status IN ('pending', 'running');
  -- A submission looks for its recently completed twin.
  CREATE INDEX jobs_completed_twins ON jobs (repository_id, dedupe_hash, finished_at) WHERE status = 'completed';
  -- Counts the retries of a chain.
  CREATE INDEX jobs_by_original ON jobs (original_job_id);
  CREATE INDEX jobs_by_workspace ON jobs (workspace_id, created_at DESC, id DESC);
  CREATE INDEX jobs_by_repository ON jobs (repository_id, created_at DESC, id DESC);
  -- The dispatcher reads only what is queued or running.
  CREATE INDEX jobs_active ON jobs (status, queued_at) WHERE status IN ('pending', 'running');

  CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    route text NOT NULL,
    key text NOT NULL,
    job_id uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    payload_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, route, key)
  );
  -- The hourly sweep.
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

  -- One row per stage of a job: its checkpoint, and the fence that writes of that stage must carry.
  CREATE TABLE job_stages (
    job_id uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    stage text NOT NULL,
    fence integer NOT NULL,
    runner text NOT NULL,
    started_at timestamptz(3) NOT NULL,
    -- The holder of the fence says so every few seconds; an execution that waits behind a silent one takes over.
    seen_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    output jsonb,
    PRIMARY KEY (job_id, stage)
  );

  CREATE TABLE job_events (
    job_id uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    seq integer NOT NULL,
    ts timestamptz(3) NOT NULL,
    stage text NOT NULL,
    type text NOT NULL,
    detail text NOT NULL DEFAULT '',
    data jsonb,
    PRIMARY KEY (job_id, seq)
  );

  -- What one stage hands to the next, compressed; any worker can pick it up.
  CREATE TABLE job_artifacts (
    job_id uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    namespace text NOT NULL,
    content bytea NOT NULL,
    content_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (job_id, namespace)
  );

  -- Tables of the cluster library, made by itself at start: messages, replies, runners, shard leases.
  CREATE SCHEMA IF NOT EXISTS engine;
`
)
