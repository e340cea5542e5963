import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- Registering a repository submits its first discovery unless this is set.
  ALTER TABLE workspaces ADD COLUMN discovery_paused boolean NOT NULL DEFAULT false;

  -- The newest output of a repository's discovery.
  CREATE TABLE discoveries (
    repository_id uuid PRIMARY KEY REFERENCES repositories ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    job_id uuid REFERENCES jobs ON DELETE SET NULL,
    commit_sha text NOT NULL,
    output jsonb NOT NULL,
    discovered_at timestamptz(3) NOT NULL
  );
  -- The newest failed discovery of a repository.
  CREATE INDEX jobs_failed_discoveries ON jobs (repository_id, finished_at DESC)
    WHERE workflow = 'discover' AND status = 'failed';

  -- One try to fix an observation, with the pull request that came of it.
  CREATE TABLE fix_attempts (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    observation_id uuid NOT NULL REFERENCES observations ON DELETE CASCADE,
    job_id uuid REFERENCES jobs ON DELETE SET NULL,
    -- 'started' until it has ended one way or another; an open pull request has not.
    outcome text NOT NULL DEFAULT 'started'
      CHECK (outcome IN ('started', 'pr_merged', 'pr_rejected', 'cancelled', 'failed', 'declined', 'withdrawn')),
    pr_status text CHECK (pr_status IN ('in_review', 'revising', 'merged', 'closed', 'needs_attention', 'abandoned')),
    pr_url text,
    pr_number integer,
    last_failure_reason text,
    started_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    CHECK ((pr_status IS NULL) = (pr_url IS NULL)),
    CHECK ((outcome = 'started') = (finished_at IS NULL)),
    CHECK ((outcome = 'pr_merged') = (pr_status IS NOT DISTINCT FROM 'merged'))
  );
  CREATE UNIQUE INDEX fix_attempts_one_in_flight ON fix_attempts (observation_id) WHERE outcome = 'started';
  CREATE UNIQUE INDEX fix_attempts_by_job ON fix_attempts (job_id);
  CREATE INDEX fix_attempts_of ON fix_attempts (observation_id, id);
  -- The lane of fix pull requests.
  CREATE INDEX fix_attempts_with_pr ON fix_attempts (repository_id, id DESC) WHERE pr_url IS NOT NULL;

  -- However a job ends (failure, cancel, lost worker, deleted repository), an attempt that has no pull request yet ends
  -- in the same statement.
  CREATE FUNCTION end_fix_attempt() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    -- The observation before its attempt, as everything does that locks both.
    PERFORM 1 FROM observations WHERE id IN (
      SELECT observation_id FROM fix_attempts WHERE job_id = NEW.id AND outcome = 'started') FOR UPDATE;
    UPDATE fix_attempts SET finished_at = NEW.finished_at, updated_at = NEW.finished_at,
      last_failure_reason = NEW.error, outcome = CASE NEW.status WHEN 'cancelled' THEN 'cancelled' ELSE 'failed' END
    WHERE job_id = NEW.id AND outcome = 'started' AND pr_url IS NULL;
    RETURN NEW;
  END
  $body$;
  -- Before, because the rest of the statement locks the workspace, which a recording locks after its observations.
  CREATE TRIGGER jobs_end_fix_attempt BEFORE UPDATE OF status ON jobs FOR EACH ROW
    WHEN (NEW.workflow = 'fix' AND NEW.status IN ('completed', 'failed', 'cancelled'))
    EXECUTE FUNCTION end_fix_attempt();

  -- What the lists of observations ask about attempts. Attempts that a person called off do not count as tries.
  CREATE FUNCTION count_fix_attempts() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    UPDATE observations o SET (fix_attempts, has_fix_pr, open_fix_pr, updated_at) = (
      SELECT count(*) FILTER (WHERE outcome NOT IN ('cancelled', 'withdrawn')), coalesce(bool_or(pr_url IS NOT NULL), false),
        coalesce(bool_or(pr_status IN ('in_review', 'revising', 'needs_attention')), false),
        greatest(o.updated_at, max(a.updated_at))
      FROM fix_attempts a WHERE a.observation_id = o.id)
    WHERE o.id = coalesce(NEW.observation_id, OLD.observation_id);
    RETURN NULL;
  END
  $body$;
  CREATE TRIGGER fix_attempts_count AFTER INSERT OR UPDATE OR DELETE ON fix_attempts FOR EACH ROW
    EXECUTE FUNCTION count_fix_attempts();
`
)
