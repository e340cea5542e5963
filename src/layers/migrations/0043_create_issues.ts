import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, sharedPolicy, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      -- The next ISS-N. Filing locks this row, so numbers are never given twice.
      ALTER TABLE workspaces ADD COLUMN next_issue integer NOT NULL DEFAULT 1;

      CREATE TABLE issues (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        number integer NOT NULL,
        project_id uuid NOT NULL REFERENCES projects,
        -- In the row, because who may see the issue depends on all of them.
        repository_ids uuid[] NOT NULL DEFAULT '{}',
        title text NOT NULL,
        body_md text NOT NULL,
        status text NOT NULL DEFAULT 'open'
          CHECK (status IN ('open', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled')),
        priority text NOT NULL CHECK (priority IN ('P0', 'P1', 'P2', 'P3')),
        labels text[] NOT NULL DEFAULT '{}',
        assignee_user_id uuid REFERENCES users ON DELETE SET NULL,
        assignee_key_id uuid REFERENCES api_keys ON DELETE SET NULL,
        -- Of the last claim; it only rises.
        fence bigint NOT NULL DEFAULT 0 CHECK (fence >= 0),
        claim_holder jsonb,
        -- Who the holder is: a key, or a person who is signed in. No references, as a lease outlives neither by much.
        claim_key_id uuid,
        claim_user_id uuid,
        claimed_at timestamptz(3),
        lease_expires_at timestamptz(3),
        -- The claim moved it from open to in_progress, and no one has moved it since: the end of the claim moves it back.
        moved_by_claim boolean NOT NULL DEFAULT false,
        created_by jsonb NOT NULL,
        updated_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        closed_at timestamptz(3),
        close_reason text CHECK (close_reason IN ('completed', 'cancelled', 'duplicate')),
        version integer NOT NULL DEFAULT 1,
        search tsvector GENERATED ALWAYS AS (
          setweight(to_tsvector('english', title), 'A') || to_tsvector('english', left(body_md, 65536))
        ) STORED,
        CONSTRAINT issues_number_unique UNIQUE (workspace_id, number),
        CHECK (assignee_user_id IS NULL OR assignee_key_id IS NULL),
        CHECK ((claim_holder IS NULL) = (lease_expires_at IS NULL) AND (claim_holder IS NULL) = (claimed_at IS NULL)),
        CHECK (num_nonnulls(claim_key_id, claim_user_id) = CASE WHEN claim_holder IS NULL THEN 0 ELSE 1 END),
        CHECK (NOT moved_by_claim OR (claim_holder IS NOT NULL AND status = 'in_progress')),
        CHECK ((status IN ('done', 'cancelled')) = (closed_at IS NOT NULL)),
        CHECK ((closed_at IS NULL) = (close_reason IS NULL)),
        CHECK (closed_at IS NULL OR claim_holder IS NULL)
      );
      -- Lists run from the greatest number down: issues_number_unique serves them, and these where a filter is narrow.
      CREATE INDEX issues_by_status ON issues (workspace_id, status, number DESC);
      CREATE INDEX issues_of_project ON issues (project_id, number DESC);
      CREATE INDEX issues_of_user ON issues (assignee_user_id, number DESC) WHERE assignee_user_id IS NOT NULL;
      CREATE INDEX issues_of_key ON issues (assignee_key_id, number DESC) WHERE assignee_key_id IS NOT NULL;
      -- What can be worked on: the most urgent first, the oldest of them first.
      CREATE INDEX issues_ready ON issues (workspace_id, priority, number) WHERE status IN ('open', 'in_progress');
      CREATE INDEX issues_by_label ON issues USING gin (labels);
      CREATE INDEX issues_by_repository ON issues USING gin (repository_ids);
      CREATE INDEX issues_search ON issues USING gin (search);

      CREATE TABLE issue_criteria (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        issue_id uuid NOT NULL REFERENCES issues ON DELETE CASCADE,
        -- The repository that its text is about, where it is about one: who may not see that, does not see this.
        repository_id uuid REFERENCES repositories ON DELETE CASCADE,
        position integer NOT NULL,
        text text NOT NULL,
        met_by jsonb,
        met_at timestamptz(3),
        CONSTRAINT issue_criteria_positions UNIQUE (issue_id, position),
        CHECK ((met_by IS NULL) = (met_at IS NULL))
      );

      CREATE TABLE issue_relations (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        from_id uuid NOT NULL REFERENCES issues ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('blocks', 'relates_to', 'duplicates', 'parent_of', 'discovered_from')),
        to_id uuid NOT NULL REFERENCES issues ON DELETE CASCADE,
        created_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (from_id, kind, to_id),
        CHECK (from_id <> to_id)
      );
      CREATE INDEX issue_relations_to ON issue_relations (to_id, kind, from_id);

      CREATE TABLE issue_observations (
        issue_id uuid NOT NULL REFERENCES issues ON DELETE CASCADE,
        observation_id uuid NOT NULL REFERENCES observations ON DELETE CASCADE,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
        -- The criterion that is met once the observation is fixed.
        criterion_id uuid REFERENCES issue_criteria ON DELETE SET NULL,
        added_at timestamptz(3) NOT NULL,
        PRIMARY KEY (issue_id, observation_id)
      );
      CREATE INDEX issue_observations_of ON issue_observations (observation_id);

      CREATE TABLE issue_pull_requests (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        issue_id uuid NOT NULL REFERENCES issues ON DELETE CASCADE,
        -- The registered repository that its URL names, if any: who may not see that, does not see this.
        repository_id uuid REFERENCES repositories ON DELETE CASCADE,
        url text NOT NULL,
        state text NOT NULL DEFAULT 'unknown' CHECK (state IN ('open', 'merged', 'closed', 'unknown')),
        state_checked_at timestamptz(3),
        added_by jsonb NOT NULL,
        added_at timestamptz(3) NOT NULL,
        CONSTRAINT issue_pull_requests_url UNIQUE (issue_id, url)
      );
      CREATE INDEX issue_pull_requests_by_url ON issue_pull_requests (workspace_id, url);
      -- The ones to follow, the ones that were not looked at for longest first.
      CREATE INDEX issue_pull_requests_followed ON issue_pull_requests (state_checked_at NULLS FIRST)
        WHERE state IN ('open', 'unknown');

      -- One row for each change, written in its transaction.
      CREATE TABLE issue_events (
        -- The order of the changes of an issue, whatever the clocks of the processes say.
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        issue_id uuid NOT NULL REFERENCES issues ON DELETE CASCADE,
        event text NOT NULL,
        actor jsonb NOT NULL,
        at timestamptz(3) NOT NULL,
        detail jsonb,
        fence bigint,
        -- The repository, and the other issue, that it names: who may not see them, does not see this.
        repository_id uuid REFERENCES repositories ON DELETE CASCADE,
        other_id uuid REFERENCES issues ON DELETE CASCADE
      );
      CREATE INDEX issue_events_of ON issue_events (issue_id, seq DESC);

      CREATE FUNCTION keep_issue_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the events of issues are append-only' USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER keep_rows BEFORE UPDATE ON issue_events FOR EACH ROW EXECUTE FUNCTION keep_issue_events();
    `,
    sharedPolicy(sql, "issues", { repositories: "repository_ids" }),
    tenantPolicy(sql, "issue_relations"),
    ...["issue_criteria", "issue_observations", "issue_pull_requests", "issue_events"].map((table) =>
      tenantPolicy(sql, table, { repository: "repository_id" })
    ),
    // As in 0027: indexes serve filters of labels and repositories only where the comparison leaks nothing.
    sql`
      DO $$ BEGIN
        IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
          ALTER FUNCTION arraycontains(anyarray, anyarray) LEAKPROOF;
        END IF;
      END $$;
    `
  ])
)
