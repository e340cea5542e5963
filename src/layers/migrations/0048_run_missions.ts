import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  ALTER TABLE jobs DROP CONSTRAINT jobs_workflow_check;
  -- The last three are the service's own: no one submits them by their name.
  ALTER TABLE jobs ADD CONSTRAINT jobs_workflow_check CHECK (workflow IN ('standard_audit', 'audit', 'discover',
    'revalidate', 'review', 'fix', 'change_review', 'mission_step', 'mission_pull_request'));

  ALTER TABLE missions
    -- The newest commit of the branch that a completed step made: the next step goes on from there.
    ADD COLUMN head_commit text,
    -- The change of the whole branch, for hosts that keep no record of their own; null where it is too large to keep.
    ADD COLUMN diff text CHECK (octet_length(diff) <= 256000),
    -- The job that opens the pull request, while it is under way. A fact, not a reference: jobs may be deleted.
    ADD COLUMN pull_request_job_id uuid;
  -- Missions that may have something to do are looked at every 30 seconds.
  CREATE INDEX missions_under_way ON missions (workspace_id) WHERE status = 'running';
  -- Commits that jobs of the step were about to push: what a lost try left on the branch is known by them.
  ALTER TABLE mission_steps ADD COLUMN announced_commits text[] NOT NULL DEFAULT '{}';

  -- A step of a mission fixes several observations with one job, each with an attempt of its own.
  ALTER TABLE fix_attempt_jobs DROP CONSTRAINT fix_attempt_jobs_pkey;
  ALTER TABLE fix_attempt_jobs ADD PRIMARY KEY (job_id, attempt_id);
  -- The mission whose pull request has the fix.
  ALTER TABLE fix_attempts ADD COLUMN mission_id uuid REFERENCES missions ON DELETE SET NULL;
  CREATE INDEX fix_attempts_of_mission ON fix_attempts (mission_id) WHERE mission_id IS NOT NULL;
`
)
