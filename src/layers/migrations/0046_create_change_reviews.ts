import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, partPolicy, tenantPolicy, wholePolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      ALTER TABLE jobs DROP CONSTRAINT jobs_workflow_check;
      -- The last one is the service's own: no one submits it by its name.
      ALTER TABLE jobs ADD CONSTRAINT jobs_workflow_check CHECK
        (workflow IN ('standard_audit', 'audit', 'discover', 'revalidate', 'review', 'fix', 'change_review'));

      -- Numbers of change reviews are drawn from here and never used again.
      ALTER TABLE workspaces ADD COLUMN next_change_review integer NOT NULL DEFAULT 1;

      CREATE TABLE change_reviews (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        -- A ticket key, or hx-<n>.
        name text COLLATE "C" NOT NULL,
        title text NOT NULL,
        -- Of its branches: who may not see one of them sees nothing of the review.
        repository_ids uuid[] NOT NULL DEFAULT '{}',
        -- Digest of the branches: starting from the same ones again asks the same review again.
        branches_hash text,
        -- Its newest job. Jobs of a repository that is reset are deleted.
        job_id uuid REFERENCES jobs ON DELETE SET NULL,
        -- How many jobs it has had.
        round integer NOT NULL DEFAULT 0,
        created_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT change_reviews_name_unique UNIQUE (workspace_id, name)
      );
      CREATE INDEX change_reviews_newest ON change_reviews (workspace_id, updated_at DESC, id DESC);
      CREATE INDEX change_reviews_of_branches ON change_reviews (workspace_id, branches_hash)
        WHERE branches_hash IS NOT NULL;
      CREATE INDEX change_reviews_of_job ON change_reviews (job_id) WHERE job_id IS NOT NULL;

      CREATE TABLE change_review_branches (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        change_review_id uuid NOT NULL REFERENCES change_reviews ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
        position integer NOT NULL,
        branch text NOT NULL,
        -- What was reviewed; null until a job has read the branch.
        base_sha text,
        head_sha text,
        -- The newest commit that is known, and when the remote was asked for it last.
        latest_sha text,
        checked_at timestamptz(3),
        pr_number integer,
        problem text,
        UNIQUE (change_review_id, repository_id, branch)
      );
      CREATE INDEX change_review_branches_by_branch ON change_review_branches (repository_id, branch);

      CREATE TABLE change_review_criteria (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        change_review_id uuid NOT NULL REFERENCES change_reviews ON DELETE CASCADE,
        position integer NOT NULL,
        text text NOT NULL,
        -- Null for free text.
        builtin jsonb,
        verdict text NOT NULL DEFAULT 'pending' CHECK (verdict IN ('met', 'not_met', 'cannot_tell', 'pending')),
        reason text NOT NULL DEFAULT '',
        evidence jsonb NOT NULL DEFAULT '[]',
        -- Digest of the commits that the verdict is about: while they stay, so does the verdict.
        decided_for text,
        UNIQUE (change_review_id, position) DEFERRABLE INITIALLY DEFERRED
      );

      -- What the engine found between two commits, compressed: a further review of them scans nothing.
      CREATE TABLE change_review_scans (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
        base_sha text NOT NULL,
        head_sha text NOT NULL,
        -- Digest of the settings that decide what is found.
        settings_hash text NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (repository_id, base_sha, head_sha, settings_hash)
      );
      CREATE INDEX change_review_scans_by_age ON change_review_scans (workspace_id, created_at);
    `,
    wholePolicy(sql, "change_reviews", { repositories: "repository_ids" }),
    ...["change_review_branches", "change_review_scans"].map((table) =>
      tenantPolicy(sql, table, { repository: "repository_id" })
    ),
    partPolicy(sql, { table: "change_review_criteria", parent: "change_reviews", column: "change_review_id" })
  ])
)
