import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

// Money is numeric to a billionth of a dollar, like the ledger's: sums are exact.
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
  -- Numbers of missions are drawn from here and never used again.
  ALTER TABLE workspaces ADD COLUMN next_mission integer NOT NULL DEFAULT 1;

  CREATE TABLE missions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    number integer NOT NULL,
    title text NOT NULL,
    -- As it was sent, and in words.
    goal jsonb NOT NULL,
    goal_md text NOT NULL,
    limits_md text,
    status text NOT NULL DEFAULT 'planning' CHECK (status IN
      ('planning', 'awaiting_approval', 'running', 'paused', 'waiting_on_person', 'completed', 'failed', 'cancelled')),
    budget_usd numeric(18, 9) NOT NULL CHECK (budget_usd > 0),
    spent_usd numeric(18, 9) NOT NULL DEFAULT 0 CHECK (spent_usd >= 0),
    -- What the steps that run may cost.
    reserved_usd numeric(18, 9) NOT NULL DEFAULT 0 CHECK (reserved_usd >= 0),
    -- Both are null until the first commit is pushed.
    branch text,
    base_commit text,
    pr_url text,
    pr_number integer,
    waiting_kind text CHECK (waiting_kind IN ('plan', 'budget', 'step', 'question')),
    waiting_message text,
    waiting_since timestamptz(3),
    -- The plan that counts; each resubmission makes the next one.
    plan_version integer NOT NULL DEFAULT 1,
    -- Why it failed or was cancelled.
    ended_because text,
    -- Rises with every change of the mission or of its steps.
    version integer NOT NULL DEFAULT 1,
    created_by jsonb NOT NULL,
    -- The person who submitted it, or whose key did: whom it waits on.
    requested_by uuid NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    CONSTRAINT missions_number_unique UNIQUE (workspace_id, number),
    CHECK ((waiting_kind IS NULL) = (waiting_message IS NULL) AND (waiting_kind IS NULL) = (waiting_since IS NULL)),
    CHECK (CASE status
      WHEN 'awaiting_approval' THEN waiting_kind IS NOT DISTINCT FROM 'plan'
      WHEN 'waiting_on_person' THEN coalesce(waiting_kind IN ('step', 'question'), false)
      WHEN 'paused' THEN waiting_kind IS NULL OR waiting_kind = 'budget'
      ELSE waiting_kind IS NULL END),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL))
  );
  CREATE INDEX missions_by_repository ON missions (repository_id, number DESC);
  CREATE INDEX missions_waiting ON missions (workspace_id, waiting_since) WHERE waiting_kind IS NOT NULL;
  CREATE INDEX missions_by_branch ON missions (repository_id, branch) WHERE branch IS NOT NULL;
  CREATE INDEX missions_by_pull_request ON missions (workspace_id, pr_url) WHERE pr_url IS NOT NULL;

  -- What was proposed each time, and what people said to it.
  CREATE TABLE mission_plans (
    mission_id uuid NOT NULL REFERENCES missions ON DELETE CASCADE,
    version integer NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    goal jsonb NOT NULL,
    limits_md text,
    -- What the goal names and no step is about, each with the reason.
    left_out jsonb NOT NULL DEFAULT '[]',
    submitted_by jsonb NOT NULL,
    submitted_at timestamptz(3) NOT NULL,
    decision text CHECK (decision IN ('approved', 'sent_back')),
    decided_by jsonb,
    decided_at timestamptz(3),
    reason text,
    PRIMARY KEY (mission_id, version),
    CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decided_by IS NULL)),
    CHECK ((decision IS NOT DISTINCT FROM 'sent_back') = (reason IS NOT NULL))
  );

  -- Steps of a plan; those that are done go on to the mission's next plan.
  CREATE TABLE mission_steps (
    id uuid PRIMARY KEY,
    mission_id uuid NOT NULL REFERENCES missions ON DELETE CASCADE,
    plan_version integer NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    position integer NOT NULL CHECK (position > 0),
    title text NOT NULL,
    brief_md text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'skipped')),
    estimate_usd numeric(18, 9) NOT NULL CHECK (estimate_usd >= 0),
    reserved_usd numeric(18, 9) NOT NULL DEFAULT 0 CHECK (reserved_usd >= 0),
    cost_usd numeric(18, 9) NOT NULL DEFAULT 0 CHECK (cost_usd >= 0),
    -- Of its newest try. A fact, not a reference: the step outlives the job's row.
    job_id uuid,
    commits text[] NOT NULL DEFAULT '{}',
    gates jsonb NOT NULL DEFAULT '[]',
    attempts integer NOT NULL DEFAULT 0,
    failure text,
    -- What a person answered, for the next try.
    answer text,
    skip_reason text,
    started_at timestamptz(3),
    finished_at timestamptz(3),
    CONSTRAINT mission_steps_position UNIQUE (mission_id, plan_version, position),
    CHECK (reserved_usd = 0 OR status = 'running'),
    CHECK ((status IN ('completed', 'skipped')) = (finished_at IS NOT NULL))
  );
  -- One branch, one work at a time.
  CREATE UNIQUE INDEX mission_steps_one_running ON mission_steps (mission_id) WHERE status = 'running';
  CREATE INDEX mission_steps_by_job ON mission_steps (job_id) WHERE job_id IS NOT NULL;

  -- By number: numbers are never used again, and a reset of the repository leaves its missions readable.
  CREATE TABLE mission_step_links (
    step_id uuid NOT NULL REFERENCES mission_steps ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('observation', 'issue')),
    number integer NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    PRIMARY KEY (step_id, kind, number)
  );
  CREATE INDEX mission_step_links_to ON mission_step_links (workspace_id, kind, number);

  CREATE TABLE mission_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    mission_id uuid NOT NULL REFERENCES missions ON DELETE CASCADE,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
    at timestamptz(3) NOT NULL,
    actor jsonb NOT NULL,
    event text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    -- Of a step's event.
    step_id uuid REFERENCES mission_steps ON DELETE SET NULL,
    note text
  );
  CREATE INDEX mission_events_of ON mission_events (mission_id, id DESC);
`,
    ...["missions", "mission_plans", "mission_steps", "mission_step_links", "mission_events"].map((table) =>
      tenantPolicy(sql, table, { repository: "repository_id" })
    )
  ])
)
