import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      -- A job that ends, ends its attempt by the service's table of transitions, in the same transaction.
      DROP TRIGGER jobs_end_fix_attempt ON jobs;
      DROP FUNCTION end_fix_attempt();

      ALTER TABLE fix_attempts
        -- From 1 for each observation: part of the name of the branch.
        ADD COLUMN number integer NOT NULL DEFAULT 1,
        ADD COLUMN branch text,
        ADD COLUMN runner text,
        -- The commit that the fix starts from, and the one that has it: of an open pull request, what was pushed last.
        ADD COLUMN base_commit text,
        ADD COLUMN head_commit text,
        ADD COLUMN diff text,
        ADD COLUMN diff_truncated boolean NOT NULL DEFAULT false,
        -- The branch that the pull request is to be merged into, and the commit that did so.
        ADD COLUMN pr_base text,
        ADD COLUMN merge_commit text,
        -- Why it needs attention: the base branch has moved, so that the change does not apply.
        ADD COLUMN conflicted boolean NOT NULL DEFAULT false,
        -- Who asked to withdraw it, while the code host is asked to close it.
        ADD COLUMN withdrawn_by jsonb,
        ADD COLUMN pr_state_checked_at timestamptz(3),
        -- Since when the code host does not know the pull request any more.
        ADD COLUMN pr_missing_since timestamptz(3),
        ADD CHECK (octet_length(diff) <= 256000),
        ADD CHECK (NOT conflicted OR pr_status IS NOT DISTINCT FROM 'needs_attention'),
        -- Of attempts that change from now on.
        ADD CHECK (CASE outcome
          WHEN 'started' THEN pr_status IS NULL OR pr_status IN ('in_review', 'revising', 'needs_attention')
          WHEN 'pr_merged' THEN pr_status IS NOT DISTINCT FROM 'merged'
          WHEN 'failed' THEN pr_status IS NULL OR pr_status = 'abandoned'
          WHEN 'declined' THEN pr_status IS NULL
          WHEN 'cancelled' THEN pr_status IS NULL
          ELSE pr_status IS NOT DISTINCT FROM 'closed' END) NOT VALID;
      UPDATE fix_attempts a SET number = numbered.n FROM (
        SELECT id, row_number() OVER (PARTITION BY observation_id ORDER BY id) AS n FROM fix_attempts) numbered
      WHERE numbered.id = a.id AND numbered.n > 1;
      CREATE UNIQUE INDEX fix_attempts_numbers ON fix_attempts (observation_id, number);
      -- The watch of pull requests reads the open ones every minute, the ones that it has not looked at for longest first.
      CREATE INDEX fix_attempts_open ON fix_attempts (pr_state_checked_at NULLS FIRST)
        WHERE outcome = 'started' AND pr_status IS NOT NULL;

      -- The jobs that work, or worked, on an attempt: its own, those that ran again and those that revise.
      CREATE TABLE fix_attempt_jobs (
        job_id uuid PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
        attempt_id uuid NOT NULL REFERENCES fix_attempts ON DELETE CASCADE,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('fix', 'revise', 'retry')),
        at timestamptz(3) NOT NULL
      );
      CREATE INDEX fix_attempt_jobs_of ON fix_attempt_jobs (attempt_id, at, job_id);
      INSERT INTO fix_attempt_jobs (job_id, attempt_id, workspace_id, repository_id, kind, at)
        SELECT job_id, id, workspace_id, repository_id, 'fix', started_at FROM fix_attempts WHERE job_id IS NOT NULL;
      DROP INDEX fix_attempts_by_job;
      ALTER TABLE fix_attempts DROP COLUMN job_id;

      -- Only what the observation's columns depend on: other changes of an attempt do not lock its observation.
      DROP TRIGGER fix_attempts_count ON fix_attempts;
      CREATE TRIGGER fix_attempts_count AFTER INSERT OR DELETE OR UPDATE OF outcome, pr_status, pr_url, updated_at
        ON fix_attempts FOR EACH ROW EXECUTE FUNCTION count_fix_attempts();

      -- What the gates found of each round of a job; the job may be deleted since.
      CREATE TABLE fix_gates (
        attempt_id uuid NOT NULL REFERENCES fix_attempts ON DELETE CASCADE,
        job_id uuid NOT NULL,
        round integer NOT NULL,
        name text NOT NULL,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
        result text NOT NULL CHECK (result IN ('passed', 'failed', 'warned', 'skipped')),
        reason text,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (attempt_id, job_id, round, name)
      );

      -- Artifacts with a name are for people; the others are what one stage hands to the next.
      ALTER TABLE job_artifacts
        ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN name text,
        ADD COLUMN content_type text,
        ADD COLUMN size integer,
        ADD CHECK ((name IS NULL) = (content_type IS NULL) AND (name IS NULL) = (size IS NULL));
      CREATE UNIQUE INDEX job_artifacts_published ON job_artifacts (job_id, id) WHERE name IS NOT NULL;
    `,
    tenantPolicy(sql, "fix_attempt_jobs", { repository: "repository_id" }),
    tenantPolicy(sql, "fix_gates", { repository: "repository_id" })
  ])
)
