CREATE TABLE api_keys (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  hash bytea NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  requests_per_minute integer,
  dollars_per_hour double precision,
  allowed_cidrs text[],
  agent_label text,
  created_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  last_used_ip text,
  revoked_at timestamp(3) with time zone,
  expiry_warned_at timestamp(3) with time zone,
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_dollars_per_hour_check CHECK ((dollars_per_hour > (0)::double precision)),
  CONSTRAINT api_keys_requests_per_minute_check CHECK ((requests_per_minute >= 1))
);
CREATE INDEX api_keys_by_workspace ON public.api_keys USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX api_keys_to_warn_about ON public.api_keys USING btree (expires_at) WHERE ((expiry_warned_at IS NULL) AND (revoked_at IS NULL) AND (expires_at IS NOT NULL));

CREATE TABLE audit_log (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  actor jsonb NOT NULL,
  actor_names text[] NOT NULL,
  action text NOT NULL,
  object_kind text NOT NULL,
  object_ref text NOT NULL,
  before jsonb,
  after jsonb,
  address text,
  request_id text,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id),
  CONSTRAINT audit_log_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX audit_log_by_action ON public.audit_log USING btree (workspace_id, action, at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON public.audit_log USING gin (actor_names);
CREATE INDEX audit_log_by_age ON public.audit_log USING btree (at);
CREATE INDEX audit_log_by_object ON public.audit_log USING btree (workspace_id, object_ref, at DESC, id DESC);
CREATE INDEX audit_log_by_time ON public.audit_log USING btree (workspace_id, at DESC, id DESC);

CREATE TABLE bulk_operations (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  action text NOT NULL,
  actor jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  undo_until timestamp(3) with time zone NOT NULL,
  undone_at timestamp(3) with time zone,
  undone_by jsonb,
  repository_ids uuid[] NOT NULL,
  changed jsonb,
  CONSTRAINT bulk_operations_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_operations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT bulk_operations_action_check CHECK ((action = ANY (ARRAY['dismiss'::text, 'acknowledge'::text, 'complete'::text, 'reopen'::text])))
);
CREATE INDEX bulk_operations_undoable ON public.bulk_operations USING btree (workspace_id, undo_until) WHERE (changed IS NOT NULL);

CREATE TABLE change_review_branches (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  change_review_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  "position" integer NOT NULL,
  branch text NOT NULL,
  base_sha text,
  head_sha text,
  latest_sha text,
  checked_at timestamp(3) with time zone,
  pr_number integer,
  problem text,
  CONSTRAINT change_review_branches_change_review_id_repository_id_branc_key UNIQUE (change_review_id, repository_id, branch),
  CONSTRAINT change_review_branches_pkey PRIMARY KEY (id),
  CONSTRAINT change_review_branches_change_review_id_fkey FOREIGN KEY (change_review_id) REFERENCES change_reviews(id) ON DELETE CASCADE,
  CONSTRAINT change_review_branches_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT change_review_branches_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX change_review_branches_by_branch ON public.change_review_branches USING btree (repository_id, branch);

CREATE TABLE change_review_criteria (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  change_review_id uuid NOT NULL,
  "position" integer NOT NULL,
  text text NOT NULL,
  builtin jsonb,
  verdict text DEFAULT 'pending'::text NOT NULL,
  reason text DEFAULT ''::text NOT NULL,
  evidence jsonb DEFAULT '[]'::jsonb NOT NULL,
  decided_for text,
  CONSTRAINT change_review_criteria_change_review_id_position_key UNIQUE (change_review_id, "position") DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT change_review_criteria_pkey PRIMARY KEY (id),
  CONSTRAINT change_review_criteria_change_review_id_fkey FOREIGN KEY (change_review_id) REFERENCES change_reviews(id) ON DELETE CASCADE,
  CONSTRAINT change_review_criteria_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT change_review_criteria_verdict_check CHECK ((verdict = ANY (ARRAY['met'::text, 'not_met'::text, 'cannot_tell'::text, 'pending'::text])))
);

CREATE TABLE change_review_scans (
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  base_sha text NOT NULL,
  head_sha text NOT NULL,
  settings_hash text NOT NULL,
  content bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT change_review_scans_pkey PRIMARY KEY (repository_id, base_sha, head_sha, settings_hash),
  CONSTRAINT change_review_scans_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT change_review_scans_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX change_review_scans_by_age ON public.change_review_scans USING btree (workspace_id, created_at);

CREATE TABLE change_reviews (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  title text NOT NULL,
  repository_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  branches_hash text,
  job_id uuid,
  round integer DEFAULT 0 NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT change_reviews_name_unique UNIQUE (workspace_id, name),
  CONSTRAINT change_reviews_pkey PRIMARY KEY (id),
  CONSTRAINT change_reviews_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  CONSTRAINT change_reviews_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX change_reviews_newest ON public.change_reviews USING btree (workspace_id, updated_at DESC, id DESC);
CREATE INDEX change_reviews_of_branches ON public.change_reviews USING btree (workspace_id, branches_hash) WHERE (branches_hash IS NOT NULL);
CREATE INDEX change_reviews_of_job ON public.change_reviews USING btree (job_id) WHERE (job_id IS NOT NULL);

CREATE TABLE context_entries (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  project_id uuid,
  key text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  status text NOT NULL,
  kind text NOT NULL,
  title text NOT NULL,
  summary text NOT NULL,
  body_md text NOT NULL,
  data jsonb NOT NULL,
  scope text NOT NULL,
  tags text[] NOT NULL,
  created_by jsonb NOT NULL,
  updated_by jsonb NOT NULL,
  created_key_id uuid,
  updated_key_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  corroborated_at timestamp(3) with time zone,
  corroborated_by jsonb,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  last_confirmed_at timestamp(3) with time zone,
  last_confirmed_by_user_id uuid,
  search tsvector GENERATED ALWAYS AS (((setweight(to_tsvector('english'::regconfig, title), 'A'::"char") || setweight(to_tsvector('english'::regconfig, summary), 'B'::"char")) || to_tsvector('english'::regconfig, "left"(body_md, 65536)))) STORED,
  labels text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT context_entries_pkey PRIMARY KEY (id),
  CONSTRAINT context_entries_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  CONSTRAINT context_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT context_entries_check CHECK (((project_id IS NOT NULL) OR (scope = 'subtree'::text))),
  CONSTRAINT context_entries_check1 CHECK (((corroborated_at IS NULL) = (corroborated_by IS NULL))),
  CONSTRAINT context_entries_check2 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  CONSTRAINT context_entries_kind_check CHECK ((kind = ANY (ARRAY['decision'::text, 'convention'::text, 'runbook'::text, 'warning'::text, 'note'::text, 'flag'::text]))),
  CONSTRAINT context_entries_scope_check CHECK ((scope = ANY (ARRAY['project'::text, 'subtree'::text]))),
  CONSTRAINT context_entries_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'live'::text])))
);
CREATE UNIQUE INDEX context_entries_enabled ON public.context_entries USING btree (workspace_id, project_id, key) NULLS NOT DISTINCT WHERE (disabled_at IS NULL);
CREATE INDEX context_entries_of_key ON public.context_entries USING btree (workspace_id, project_id, key, disabled_at DESC);
CREATE INDEX context_entries_search ON public.context_entries USING gin (search);

CREATE TABLE context_events (
  id uuid NOT NULL,
  entry_id uuid NOT NULL,
  version integer NOT NULL,
  event text NOT NULL,
  actor jsonb NOT NULL,
  prev jsonb NOT NULL,
  detail jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT context_events_pkey PRIMARY KEY (id),
  CONSTRAINT context_events_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES context_entries(id) ON DELETE CASCADE,
  CONSTRAINT context_events_event_check CHECK ((event = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text, 'restored'::text, 'confirmed'::text, 'corroborated'::text])))
);
CREATE INDEX context_events_of ON public.context_events USING btree (entry_id, id DESC);

CREATE TABLE context_sums (
  workspace_id uuid NOT NULL,
  project_id uuid,
  scope text NOT NULL,
  part integer NOT NULL,
  hash bigint NOT NULL,
  proposed integer NOT NULL,
  CONSTRAINT context_sums_workspace_id_project_id_scope_part_key UNIQUE NULLS NOT DISTINCT (workspace_id, project_id, scope, part),
  CONSTRAINT context_sums_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  CONSTRAINT context_sums_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE credentials (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid,
  kind text NOT NULL,
  host text NOT NULL,
  username text,
  sealed text NOT NULL,
  known_hosts text,
  fingerprint text,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  CONSTRAINT credentials_pkey PRIMARY KEY (id),
  CONSTRAINT credentials_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT credentials_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT credentials_check CHECK ((((kind = 'ssh'::text) = (known_hosts IS NOT NULL)) AND ((kind = 'ssh'::text) = (fingerprint IS NOT NULL)))),
  CONSTRAINT credentials_kind_check CHECK ((kind = ANY (ARRAY['https'::text, 'ssh'::text])))
);
CREATE INDEX credentials_by_host ON public.credentials USING btree (workspace_id, host, kind);
CREATE INDEX credentials_newest ON public.credentials USING btree (workspace_id, created_at DESC, id DESC);

CREATE TABLE discoveries (
  repository_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  job_id uuid,
  commit_sha text NOT NULL,
  output jsonb NOT NULL,
  discovered_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT discoveries_pkey PRIMARY KEY (repository_id),
  CONSTRAINT discoveries_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  CONSTRAINT discoveries_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT discoveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE effect_sql_migrations (
  migration_id integer NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  name text NOT NULL,
  CONSTRAINT effect_sql_migrations_pkey PRIMARY KEY (migration_id)
);

CREATE TABLE fix_attempt_jobs (
  job_id uuid NOT NULL,
  attempt_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  kind text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT fix_attempt_jobs_pkey PRIMARY KEY (job_id, attempt_id),
  CONSTRAINT fix_attempt_jobs_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES fix_attempts(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempt_jobs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempt_jobs_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempt_jobs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempt_jobs_kind_check CHECK ((kind = ANY (ARRAY['fix'::text, 'revise'::text, 'retry'::text])))
);
CREATE INDEX fix_attempt_jobs_of ON public.fix_attempt_jobs USING btree (attempt_id, at, job_id);

CREATE TABLE fix_attempts (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  observation_id uuid NOT NULL,
  outcome text DEFAULT 'started'::text NOT NULL,
  pr_status text,
  pr_url text,
  pr_number integer,
  last_failure_reason text,
  started_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  revisions integer DEFAULT 0 NOT NULL,
  number integer DEFAULT 1 NOT NULL,
  branch text,
  runner text,
  base_commit text,
  head_commit text,
  diff text,
  diff_truncated boolean DEFAULT false NOT NULL,
  pr_base text,
  merge_commit text,
  conflicted boolean DEFAULT false NOT NULL,
  withdrawn_by jsonb,
  pr_state_checked_at timestamp(3) with time zone,
  pr_missing_since timestamp(3) with time zone,
  mission_id uuid,
  CONSTRAINT fix_attempts_pkey PRIMARY KEY (id),
  CONSTRAINT fix_attempts_mission_id_fkey FOREIGN KEY (mission_id) REFERENCES missions(id) ON DELETE SET NULL,
  CONSTRAINT fix_attempts_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES observations(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempts_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT fix_attempts_check CHECK (((pr_status IS NULL) = (pr_url IS NULL))),
  CONSTRAINT fix_attempts_check1 CHECK (((outcome = 'started'::text) = (finished_at IS NULL))),
  CONSTRAINT fix_attempts_check2 CHECK (((outcome = 'pr_merged'::text) = (NOT (pr_status IS DISTINCT FROM 'merged'::text)))),
  CONSTRAINT fix_attempts_check3 CHECK (((NOT conflicted) OR (NOT (pr_status IS DISTINCT FROM 'needs_attention'::text)))),
  CONSTRAINT fix_attempts_check4 CHECK (
CASE outcome
    WHEN 'started'::text THEN ((pr_status IS NULL) OR (pr_status = ANY (ARRAY['in_review'::text, 'revising'::text, 'needs_attention'::text])))
    WHEN 'pr_merged'::text THEN (NOT (pr_status IS DISTINCT FROM 'merged'::text))
    WHEN 'failed'::text THEN ((pr_status IS NULL) OR (pr_status = 'abandoned'::text))
    WHEN 'declined'::text THEN (pr_status IS NULL)
    WHEN 'cancelled'::text THEN (pr_status IS NULL)
    ELSE (NOT (pr_status IS DISTINCT FROM 'closed'::text))
END) NOT VALID,
  CONSTRAINT fix_attempts_diff_check CHECK ((octet_length(diff) <= 256000)),
  CONSTRAINT fix_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['started'::text, 'pr_merged'::text, 'pr_rejected'::text, 'cancelled'::text, 'failed'::text, 'declined'::text, 'withdrawn'::text]))),
  CONSTRAINT fix_attempts_pr_status_check CHECK ((pr_status = ANY (ARRAY['in_review'::text, 'revising'::text, 'merged'::text, 'closed'::text, 'needs_attention'::text, 'abandoned'::text])))
);
CREATE UNIQUE INDEX fix_attempts_numbers ON public.fix_attempts USING btree (observation_id, number);
CREATE INDEX fix_attempts_of ON public.fix_attempts USING btree (observation_id, id);
CREATE INDEX fix_attempts_of_mission ON public.fix_attempts USING btree (mission_id) WHERE (mission_id IS NOT NULL);
CREATE UNIQUE INDEX fix_attempts_one_in_flight ON public.fix_attempts USING btree (observation_id) WHERE (outcome = 'started'::text);
CREATE INDEX fix_attempts_open ON public.fix_attempts USING btree (pr_state_checked_at NULLS FIRST) WHERE ((outcome = 'started'::text) AND (pr_status IS NOT NULL));
CREATE INDEX fix_attempts_prs_of_workspace ON public.fix_attempts USING btree (workspace_id, pr_status, id DESC) WHERE (pr_url IS NOT NULL);
CREATE INDEX fix_attempts_rejected ON public.fix_attempts USING btree (finished_at) WHERE (outcome = 'pr_rejected'::text);
CREATE INDEX fix_attempts_with_pr ON public.fix_attempts USING btree (repository_id, id DESC) WHERE (pr_url IS NOT NULL);

CREATE TABLE fix_gates (
  attempt_id uuid NOT NULL,
  job_id uuid NOT NULL,
  round integer NOT NULL,
  name text NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  result text NOT NULL,
  reason text,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT fix_gates_pkey PRIMARY KEY (attempt_id, job_id, round, name),
  CONSTRAINT fix_gates_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES fix_attempts(id) ON DELETE CASCADE,
  CONSTRAINT fix_gates_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT fix_gates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT fix_gates_result_check CHECK ((result = ANY (ARRAY['passed'::text, 'failed'::text, 'warned'::text, 'skipped'::text])))
);

CREATE TABLE github_deliveries (
  delivery_id text NOT NULL,
  event text NOT NULL,
  facts jsonb NOT NULL,
  received_at timestamp(3) with time zone NOT NULL,
  processed_at timestamp(3) with time zone,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  error text,
  CONSTRAINT github_deliveries_pkey PRIMARY KEY (delivery_id),
  CONSTRAINT github_deliveries_delivery_id_check CHECK (((length(delivery_id) >= 1) AND (length(delivery_id) <= 100)))
);
CREATE INDEX github_deliveries_by_age ON public.github_deliveries USING btree (received_at);
CREATE INDEX github_deliveries_waiting ON public.github_deliveries USING btree (next_attempt_at) WHERE (processed_at IS NULL);

CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  job_id uuid,
  payload_hash text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  deleted_job jsonb,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, route, key),
  CONSTRAINT idempotency_keys_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  CONSTRAINT idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT idempotency_keys_check CHECK (((job_id IS NULL) <> (deleted_job IS NULL)))
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_by_job ON public.idempotency_keys USING btree (job_id);

CREATE TABLE invitations (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  invited_by uuid,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  accepted_at timestamp(3) with time zone,
  accepted_by uuid,
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
);
CREATE INDEX invitations_newest ON public.invitations USING btree (workspace_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX invitations_one_open ON public.invitations USING btree (workspace_id, email) WHERE (accepted_at IS NULL);

CREATE TABLE issue_criteria (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  repository_id uuid,
  "position" integer NOT NULL,
  text text NOT NULL,
  met_by jsonb,
  met_at timestamp(3) with time zone,
  CONSTRAINT issue_criteria_positions UNIQUE (issue_id, "position"),
  CONSTRAINT issue_criteria_pkey PRIMARY KEY (id),
  CONSTRAINT issue_criteria_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_criteria_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT issue_criteria_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT issue_criteria_check CHECK (((met_by IS NULL) = (met_at IS NULL)))
);

CREATE TABLE issue_events (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  event text NOT NULL,
  actor jsonb NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  detail jsonb,
  fence bigint,
  repository_id uuid,
  other_id uuid,
  CONSTRAINT issue_events_pkey PRIMARY KEY (seq),
  CONSTRAINT issue_events_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_events_other_id_fkey FOREIGN KEY (other_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_events_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT issue_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX issue_events_of ON public.issue_events USING btree (issue_id, seq DESC);

CREATE TABLE issue_follow_ups (
  observation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  CONSTRAINT follow_observations TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT issue_follow_ups_pkey PRIMARY KEY (observation_id),
  CONSTRAINT issue_follow_ups_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES observations(id) ON DELETE CASCADE,
  CONSTRAINT issue_follow_ups_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT issue_follow_ups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE issue_observations (
  issue_id uuid NOT NULL,
  observation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  criterion_id uuid,
  added_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT issue_observations_pkey PRIMARY KEY (issue_id, observation_id),
  CONSTRAINT issue_observations_criterion_id_fkey FOREIGN KEY (criterion_id) REFERENCES issue_criteria(id) ON DELETE SET NULL,
  CONSTRAINT issue_observations_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_observations_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES observations(id) ON DELETE CASCADE,
  CONSTRAINT issue_observations_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT issue_observations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX issue_observations_of ON public.issue_observations USING btree (observation_id);

CREATE TABLE issue_pull_requests (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  repository_id uuid,
  url text NOT NULL,
  state text DEFAULT 'unknown'::text NOT NULL,
  state_checked_at timestamp(3) with time zone,
  added_by jsonb NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT issue_pull_requests_url UNIQUE (issue_id, url),
  CONSTRAINT issue_pull_requests_pkey PRIMARY KEY (id),
  CONSTRAINT issue_pull_requests_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_pull_requests_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT issue_pull_requests_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT issue_pull_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'merged'::text, 'closed'::text, 'unknown'::text])))
);
CREATE INDEX issue_pull_requests_by_url ON public.issue_pull_requests USING btree (workspace_id, url);
CREATE INDEX issue_pull_requests_followed ON public.issue_pull_requests USING btree (state_checked_at NULLS FIRST) WHERE (state = ANY (ARRAY['open'::text, 'unknown'::text]));

CREATE TABLE issue_relations (
  workspace_id uuid NOT NULL,
  from_id uuid NOT NULL,
  kind text NOT NULL,
  to_id uuid NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT issue_relations_pkey PRIMARY KEY (from_id, kind, to_id),
  CONSTRAINT issue_relations_from_id_fkey FOREIGN KEY (from_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_relations_to_id_fkey FOREIGN KEY (to_id) REFERENCES issues(id) ON DELETE CASCADE,
  CONSTRAINT issue_relations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT issue_relations_check CHECK ((from_id <> to_id)),
  CONSTRAINT issue_relations_kind_check CHECK ((kind = ANY (ARRAY['blocks'::text, 'relates_to'::text, 'duplicates'::text, 'parent_of'::text, 'discovered_from'::text])))
);
CREATE INDEX issue_relations_to ON public.issue_relations USING btree (to_id, kind, from_id);

CREATE TABLE issues (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  number integer NOT NULL,
  project_id uuid NOT NULL,
  repository_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  title text NOT NULL,
  body_md text NOT NULL,
  status text DEFAULT 'open'::text NOT NULL,
  priority text NOT NULL,
  labels text[] DEFAULT '{}'::text[] NOT NULL,
  assignee_user_id uuid,
  assignee_key_id uuid,
  fence bigint DEFAULT 0 NOT NULL,
  claim_holder jsonb,
  claim_key_id uuid,
  claim_user_id uuid,
  claimed_at timestamp(3) with time zone,
  lease_expires_at timestamp(3) with time zone,
  moved_by_claim boolean DEFAULT false NOT NULL,
  created_by jsonb NOT NULL,
  updated_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  closed_at timestamp(3) with time zone,
  close_reason text,
  version integer DEFAULT 1 NOT NULL,
  search tsvector GENERATED ALWAYS AS ((setweight(to_tsvector('english'::regconfig, title), 'A'::"char") || to_tsvector('english'::regconfig, "left"(body_md, 65536)))) STORED,
  CONSTRAINT issues_number_unique UNIQUE (workspace_id, number),
  CONSTRAINT issues_pkey PRIMARY KEY (id),
  CONSTRAINT issues_assignee_key_id_fkey FOREIGN KEY (assignee_key_id) REFERENCES api_keys(id) ON DELETE SET NULL,
  CONSTRAINT issues_assignee_user_id_fkey FOREIGN KEY (assignee_user_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT issues_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  CONSTRAINT issues_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT issues_check CHECK (((assignee_user_id IS NULL) OR (assignee_key_id IS NULL))),
  CONSTRAINT issues_check1 CHECK ((((claim_holder IS NULL) = (lease_expires_at IS NULL)) AND ((claim_holder IS NULL) = (claimed_at IS NULL)))),
  CONSTRAINT issues_check2 CHECK ((num_nonnulls(claim_key_id, claim_user_id) =
CASE
    WHEN (claim_holder IS NULL) THEN 0
    ELSE 1
END)),
  CONSTRAINT issues_check3 CHECK (((NOT moved_by_claim) OR ((claim_holder IS NOT NULL) AND (status = 'in_progress'::text)))),
  CONSTRAINT issues_check4 CHECK (((status = ANY (ARRAY['done'::text, 'cancelled'::text])) = (closed_at IS NOT NULL))),
  CONSTRAINT issues_check5 CHECK (((closed_at IS NULL) = (close_reason IS NULL))),
  CONSTRAINT issues_check6 CHECK (((closed_at IS NULL) OR (claim_holder IS NULL))),
  CONSTRAINT issues_close_reason_check CHECK ((close_reason = ANY (ARRAY['completed'::text, 'cancelled'::text, 'duplicate'::text]))),
  CONSTRAINT issues_fence_check CHECK ((fence >= 0)),
  CONSTRAINT issues_priority_check CHECK ((priority = ANY (ARRAY['P0'::text, 'P1'::text, 'P2'::text, 'P3'::text]))),
  CONSTRAINT issues_status_check CHECK ((status = ANY (ARRAY['open'::text, 'in_progress'::text, 'in_review'::text, 'blocked'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX issues_by_end_of_lease ON public.issues USING btree (lease_expires_at) WHERE (lease_expires_at IS NOT NULL);
CREATE INDEX issues_by_label ON public.issues USING gin (labels);
CREATE INDEX issues_by_repository ON public.issues USING gin (repository_ids);
CREATE INDEX issues_by_status ON public.issues USING btree (workspace_id, status, number DESC);
CREATE INDEX issues_of_key ON public.issues USING btree (assignee_key_id, number DESC) WHERE (assignee_key_id IS NOT NULL);
CREATE INDEX issues_of_project ON public.issues USING btree (project_id, number DESC);
CREATE INDEX issues_of_user ON public.issues USING btree (assignee_user_id, number DESC) WHERE (assignee_user_id IS NOT NULL);
CREATE INDEX issues_ready ON public.issues USING btree (workspace_id, priority, number) WHERE (status = ANY (ARRAY['open'::text, 'in_progress'::text]));
CREATE INDEX issues_search ON public.issues USING gin (search);

CREATE TABLE job_artifacts (
  job_id uuid NOT NULL,
  namespace text NOT NULL,
  content bytea NOT NULL,
  content_hash text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  name text,
  content_type text,
  size integer,
  CONSTRAINT job_artifacts_pkey PRIMARY KEY (job_id, namespace),
  CONSTRAINT job_artifacts_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  CONSTRAINT job_artifacts_check CHECK ((((name IS NULL) = (content_type IS NULL)) AND ((name IS NULL) = (size IS NULL))))
);
CREATE UNIQUE INDEX job_artifacts_published ON public.job_artifacts USING btree (job_id, id) WHERE (name IS NOT NULL);

CREATE TABLE job_events (
  job_id uuid NOT NULL,
  seq integer NOT NULL,
  ts timestamp(3) with time zone NOT NULL,
  stage text NOT NULL,
  type text NOT NULL,
  detail text DEFAULT ''::text NOT NULL,
  data jsonb,
  CONSTRAINT job_events_pkey PRIMARY KEY (job_id, seq),
  CONSTRAINT job_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
);

CREATE TABLE job_stages (
  job_id uuid NOT NULL,
  stage text NOT NULL,
  fence integer NOT NULL,
  runner text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  output jsonb,
  cost_usd double precision DEFAULT 0 NOT NULL,
  CONSTRAINT job_stages_pkey PRIMARY KEY (job_id, stage),
  CONSTRAINT job_stages_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
);

CREATE TABLE jobs (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  workflow text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  params jsonb DEFAULT '{}'::jsonb NOT NULL,
  commit_sha text,
  dedupe_hash text NOT NULL,
  parent_job_id uuid,
  original_job_id uuid NOT NULL,
  attempt integer DEFAULT 1 NOT NULL,
  run integer DEFAULT 1 NOT NULL,
  agent_runner text,
  progress jsonb,
  cost_usd double precision DEFAULT 0 NOT NULL,
  error text,
  failure_kind text,
  pr_url text,
  requested_by jsonb NOT NULL,
  result jsonb,
  event_seq integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  queued_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  forecast jsonb,
  reserved_usd numeric(18,9) DEFAULT 0 NOT NULL,
  traceparent text,
  CONSTRAINT jobs_pkey PRIMARY KEY (id),
  CONSTRAINT jobs_parent_job_id_fkey FOREIGN KEY (parent_job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  CONSTRAINT jobs_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT jobs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT jobs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT jobs_workflow_check CHECK ((workflow = ANY (ARRAY['standard_audit'::text, 'audit'::text, 'discover'::text, 'revalidate'::text, 'review'::text, 'fix'::text, 'change_review'::text, 'mission_step'::text, 'mission_pull_request'::text])))
);
CREATE INDEX jobs_active ON public.jobs USING btree (status, queued_at) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
CREATE INDEX jobs_by_end ON public.jobs USING btree (finished_at, id) WHERE (finished_at IS NOT NULL);
CREATE INDEX jobs_by_original ON public.jobs USING btree (original_job_id);
CREATE INDEX jobs_by_parent ON public.jobs USING btree (parent_job_id) WHERE (parent_job_id IS NOT NULL);
CREATE INDEX jobs_by_repository ON public.jobs USING btree (repository_id, created_at DESC, id DESC);
CREATE INDEX jobs_by_turn ON public.jobs USING btree (workspace_id, (((queued_at AT TIME ZONE 'UTC'::text) - job_head_start(workflow))), id) INCLUDE (repository_id, workflow) WHERE (status = 'pending'::text);
CREATE INDEX jobs_by_workspace ON public.jobs USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX jobs_completed_twins ON public.jobs USING btree (repository_id, dedupe_hash, finished_at) WHERE (status = 'completed'::text);
CREATE INDEX jobs_ended ON public.jobs USING btree (workspace_id, workflow, finished_at DESC) WHERE (finished_at IS NOT NULL);
CREATE INDEX jobs_failed_discoveries ON public.jobs USING btree (repository_id, finished_at DESC) WHERE ((workflow = 'discover'::text) AND (status = 'failed'::text));
CREATE UNIQUE INDEX jobs_one_in_flight ON public.jobs USING btree (repository_id, dedupe_hash) WHERE ((status = ANY (ARRAY['pending'::text, 'running'::text])) AND (parent_job_id IS NULL));
CREATE UNIQUE INDEX jobs_one_retry_in_flight ON public.jobs USING btree (parent_job_id) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));

CREATE TABLE known_paths (
  repository_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  bucket smallint NOT NULL,
  digests bytea NOT NULL,
  CONSTRAINT known_paths_pkey PRIMARY KEY (repository_id, bucket),
  CONSTRAINT known_paths_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT known_paths_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT known_paths_bucket_check CHECK (((bucket >= 0) AND (bucket <= 255)))
);

CREATE TABLE memberships (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone,
  CONSTRAINT memberships_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
);
CREATE INDEX memberships_of_user ON public.memberships USING btree (user_id);

CREATE TABLE mission_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  mission_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  actor jsonb NOT NULL,
  event text NOT NULL,
  from_status text,
  to_status text NOT NULL,
  step_id uuid,
  note text,
  CONSTRAINT mission_events_pkey PRIMARY KEY (id),
  CONSTRAINT mission_events_mission_id_fkey FOREIGN KEY (mission_id) REFERENCES missions(id) ON DELETE CASCADE,
  CONSTRAINT mission_events_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT mission_events_step_id_fkey FOREIGN KEY (step_id) REFERENCES mission_steps(id) ON DELETE SET NULL,
  CONSTRAINT mission_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX mission_events_of ON public.mission_events USING btree (mission_id, id DESC);

CREATE TABLE mission_plans (
  mission_id uuid NOT NULL,
  version integer NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  goal jsonb NOT NULL,
  limits_md text,
  left_out jsonb DEFAULT '[]'::jsonb NOT NULL,
  submitted_by jsonb NOT NULL,
  submitted_at timestamp(3) with time zone NOT NULL,
  decision text,
  decided_by jsonb,
  decided_at timestamp(3) with time zone,
  reason text,
  CONSTRAINT mission_plans_pkey PRIMARY KEY (mission_id, version),
  CONSTRAINT mission_plans_mission_id_fkey FOREIGN KEY (mission_id) REFERENCES missions(id) ON DELETE CASCADE,
  CONSTRAINT mission_plans_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT mission_plans_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT mission_plans_check CHECK ((((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (decided_by IS NULL)))),
  CONSTRAINT mission_plans_check1 CHECK (((NOT (decision IS DISTINCT FROM 'sent_back'::text)) = (reason IS NOT NULL))),
  CONSTRAINT mission_plans_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'sent_back'::text])))
);

CREATE TABLE mission_step_links (
  step_id uuid NOT NULL,
  kind text NOT NULL,
  number integer NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  CONSTRAINT mission_step_links_pkey PRIMARY KEY (step_id, kind, number),
  CONSTRAINT mission_step_links_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT mission_step_links_step_id_fkey FOREIGN KEY (step_id) REFERENCES mission_steps(id) ON DELETE CASCADE,
  CONSTRAINT mission_step_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT mission_step_links_kind_check CHECK ((kind = ANY (ARRAY['observation'::text, 'issue'::text])))
);
CREATE INDEX mission_step_links_to ON public.mission_step_links USING btree (workspace_id, kind, number);

CREATE TABLE mission_steps (
  id uuid NOT NULL,
  mission_id uuid NOT NULL,
  plan_version integer NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  "position" integer NOT NULL,
  title text NOT NULL,
  brief_md text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  estimate_usd numeric(18,9) NOT NULL,
  reserved_usd numeric(18,9) DEFAULT 0 NOT NULL,
  cost_usd numeric(18,9) DEFAULT 0 NOT NULL,
  job_id uuid,
  commits text[] DEFAULT '{}'::text[] NOT NULL,
  gates jsonb DEFAULT '[]'::jsonb NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  failure text,
  answer text,
  skip_reason text,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  announced_commits text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT mission_steps_position UNIQUE (mission_id, plan_version, "position"),
  CONSTRAINT mission_steps_pkey PRIMARY KEY (id),
  CONSTRAINT mission_steps_mission_id_fkey FOREIGN KEY (mission_id) REFERENCES missions(id) ON DELETE CASCADE,
  CONSTRAINT mission_steps_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT mission_steps_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT mission_steps_check CHECK (((reserved_usd = (0)::numeric) OR (status = 'running'::text))),
  CONSTRAINT mission_steps_check1 CHECK (((status = ANY (ARRAY['completed'::text, 'skipped'::text])) = (finished_at IS NOT NULL))),
  CONSTRAINT mission_steps_cost_usd_check CHECK ((cost_usd >= (0)::numeric)),
  CONSTRAINT mission_steps_estimate_usd_check CHECK ((estimate_usd >= (0)::numeric)),
  CONSTRAINT mission_steps_position_check CHECK (("position" > 0)),
  CONSTRAINT mission_steps_reserved_usd_check CHECK ((reserved_usd >= (0)::numeric)),
  CONSTRAINT mission_steps_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'skipped'::text])))
);
CREATE INDEX mission_steps_by_job ON public.mission_steps USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE UNIQUE INDEX mission_steps_one_running ON public.mission_steps USING btree (mission_id) WHERE (status = 'running'::text);

CREATE TABLE missions (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  title text NOT NULL,
  goal jsonb NOT NULL,
  goal_md text NOT NULL,
  limits_md text,
  status text DEFAULT 'planning'::text NOT NULL,
  budget_usd numeric(18,9) NOT NULL,
  spent_usd numeric(18,9) DEFAULT 0 NOT NULL,
  reserved_usd numeric(18,9) DEFAULT 0 NOT NULL,
  branch text,
  base_commit text,
  pr_url text,
  pr_number integer,
  waiting_kind text,
  waiting_message text,
  waiting_since timestamp(3) with time zone,
  plan_version integer DEFAULT 1 NOT NULL,
  ended_because text,
  version integer DEFAULT 1 NOT NULL,
  created_by jsonb NOT NULL,
  requested_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  head_commit text,
  diff text,
  pull_request_job_id uuid,
  CONSTRAINT missions_number_unique UNIQUE (workspace_id, number),
  CONSTRAINT missions_pkey PRIMARY KEY (id),
  CONSTRAINT missions_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT missions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT missions_budget_usd_check CHECK ((budget_usd > (0)::numeric)),
  CONSTRAINT missions_check CHECK ((((waiting_kind IS NULL) = (waiting_message IS NULL)) AND ((waiting_kind IS NULL) = (waiting_since IS NULL)))),
  CONSTRAINT missions_check1 CHECK (
CASE status
    WHEN 'awaiting_approval'::text THEN (NOT (waiting_kind IS DISTINCT FROM 'plan'::text))
    WHEN 'waiting_on_person'::text THEN COALESCE((waiting_kind = ANY (ARRAY['step'::text, 'question'::text])), false)
    WHEN 'paused'::text THEN ((waiting_kind IS NULL) OR (waiting_kind = 'budget'::text))
    ELSE (waiting_kind IS NULL)
END),
  CONSTRAINT missions_check2 CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL))),
  CONSTRAINT missions_diff_check CHECK ((octet_length(diff) <= 256000)),
  CONSTRAINT missions_reserved_usd_check CHECK ((reserved_usd >= (0)::numeric)),
  CONSTRAINT missions_spent_usd_check CHECK ((spent_usd >= (0)::numeric)),
  CONSTRAINT missions_status_check CHECK ((status = ANY (ARRAY['planning'::text, 'awaiting_approval'::text, 'running'::text, 'paused'::text, 'waiting_on_person'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT missions_waiting_kind_check CHECK ((waiting_kind = ANY (ARRAY['plan'::text, 'budget'::text, 'step'::text, 'question'::text])))
);
CREATE INDEX missions_by_branch ON public.missions USING btree (repository_id, branch) WHERE (branch IS NOT NULL);
CREATE INDEX missions_by_pull_request ON public.missions USING btree (workspace_id, pr_url) WHERE (pr_url IS NOT NULL);
CREATE INDEX missions_by_repository ON public.missions USING btree (repository_id, number DESC);
CREATE INDEX missions_under_way ON public.missions USING btree (workspace_id) WHERE (status = 'running'::text);
CREATE INDEX missions_waiting ON public.missions USING btree (workspace_id, waiting_since) WHERE (waiting_kind IS NOT NULL);

CREATE TABLE notices (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  repository_id uuid,
  project_id uuid,
  kind text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  link text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  read_at timestamp(3) with time zone,
  CONSTRAINT notices_once UNIQUE (workspace_id, user_id, kind, subject),
  CONSTRAINT notices_pkey PRIMARY KEY (id),
  CONSTRAINT notices_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT notices_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT notices_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT notices_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES memberships(workspace_id, user_id) ON DELETE CASCADE,
  CONSTRAINT notices_kind_check CHECK ((kind = ANY (ARRAY['new_finding'::text, 'job_ended'::text, 'waiting_on_me'::text, 'key_expiring'::text, 'invitation_accepted'::text])))
);
CREATE INDEX notices_by_age ON public.notices USING btree (at);
CREATE INDEX notices_newest ON public.notices USING btree (workspace_id, user_id, at DESC, id DESC);
CREATE INDEX notices_unread ON public.notices USING btree (workspace_id, user_id, at DESC, id DESC) WHERE (read_at IS NULL);

CREATE TABLE observation_changes (
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  observation_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  opens boolean NOT NULL,
  decides boolean NOT NULL,
  false_positive boolean NOT NULL,
  since timestamp(3) with time zone NOT NULL,
  until timestamp(3) with time zone,
  priority text NOT NULL,
  domain text NOT NULL,
  rule_id text NOT NULL,
  CONSTRAINT observation_changes_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES observations(id) ON DELETE CASCADE,
  CONSTRAINT observation_changes_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT observation_changes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX observation_changes_closing ON public.observation_changes USING btree (workspace_id, at) INCLUDE (repository_id, priority, domain, rule_id, decides, false_positive, since, until) WHERE (NOT opens);
CREATE INDEX observation_changes_of ON public.observation_changes USING btree (observation_id);
CREATE INDEX observation_changes_of_repository ON public.observation_changes USING btree (repository_id, at);
CREATE INDEX observation_changes_opening ON public.observation_changes USING btree (workspace_id, at) INCLUDE (repository_id, priority, domain, rule_id) WHERE opens;

CREATE TABLE observation_counts (
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  status text NOT NULL,
  open_fix_pr boolean NOT NULL,
  kind text NOT NULL,
  priority text NOT NULL,
  category text NOT NULL,
  domain text NOT NULL,
  tool text NOT NULL,
  rule_id text NOT NULL,
  count integer NOT NULL,
  CONSTRAINT observation_counts_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT observation_counts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX observation_counts_of_repository ON public.observation_counts USING btree (repository_id, status);
CREATE INDEX observation_counts_of_workspace ON public.observation_counts USING btree (workspace_id, status);

CREATE TABLE observation_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  observation_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  actor jsonb NOT NULL,
  event text NOT NULL,
  from_status text,
  to_status text NOT NULL,
  reason text,
  job_id uuid,
  dismissal_category text,
  CONSTRAINT observation_events_pkey PRIMARY KEY (id),
  CONSTRAINT observation_events_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES observations(id) ON DELETE CASCADE
);
CREATE INDEX observation_events_of ON public.observation_events USING btree (observation_id, id);

CREATE TABLE observations (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  kind text NOT NULL,
  status text DEFAULT 'new'::text NOT NULL,
  priority text NOT NULL,
  category text NOT NULL,
  domain text NOT NULL,
  tool text NOT NULL,
  rule_id text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  cwe integer[] DEFAULT '{}'::integer[] NOT NULL,
  confidence double precision NOT NULL,
  effort text NOT NULL,
  risk text NOT NULL,
  evidence jsonb NOT NULL,
  locations jsonb NOT NULL,
  file_path text NOT NULL,
  symbol text,
  snippet text,
  suggested_change text,
  tool_version integer NOT NULL,
  signatures jsonb NOT NULL,
  located text GENERATED ALWAYS AS ((signatures ->> 'located'::text)) STORED NOT NULL,
  anchor text NOT NULL,
  close_reason text,
  dismissal_category text,
  dismissal_note text,
  closed_at timestamp(3) with time zone,
  closed_by jsonb,
  completion_url text,
  completion_note text,
  acknowledged_at timestamp(3) with time zone,
  first_seen_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  first_seen_job_id uuid,
  last_seen_job_id uuid,
  times_seen integer DEFAULT 1 NOT NULL,
  fix_attempts integer DEFAULT 0 NOT NULL,
  has_fix_pr boolean DEFAULT false NOT NULL,
  open_fix_pr boolean DEFAULT false NOT NULL,
  ticket_url text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  easy_win integer GENERATED ALWAYS AS (
CASE
    WHEN ((status = 'new'::text) AND (kind = 'finding'::text) AND (priority = ANY (ARRAY['P0'::text, 'P1'::text])) AND (effort = 'small'::text) AND (risk = 'low'::text)) THEN 1
    ELSE 0
END) STORED NOT NULL,
  steps jsonb DEFAULT '[]'::jsonb NOT NULL,
  suggested_diff text,
  CONSTRAINT observations_located_unique UNIQUE (repository_id, located) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT observations_number_unique UNIQUE (workspace_id, number),
  CONSTRAINT observations_pkey PRIMARY KEY (id),
  CONSTRAINT observations_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT observations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT observations_category_check CHECK ((category = ANY (ARRAY['security'::text, 'correctness'::text, 'maintainability'::text, 'performance'::text, 'architecture'::text, 'operations'::text]))),
  CONSTRAINT observations_check CHECK (((status = 'closed'::text) = (close_reason IS NOT NULL))),
  CONSTRAINT observations_check1 CHECK (((close_reason = 'dismissed'::text) = (dismissal_category IS NOT NULL))),
  CONSTRAINT observations_close_reason_check CHECK ((close_reason = ANY (ARRAY['fixed'::text, 'dismissed'::text, 'completed'::text, 'expired'::text]))),
  CONSTRAINT observations_domain_check CHECK ((domain = ANY (ARRAY['security'::text, 'code_quality'::text, 'reliability'::text, 'data_apis'::text, 'testing'::text, 'devops'::text, 'ux'::text]))),
  CONSTRAINT observations_effort_check CHECK ((effort = ANY (ARRAY['small'::text, 'medium'::text, 'large'::text]))),
  CONSTRAINT observations_kind_check CHECK ((kind = ANY (ARRAY['finding'::text, 'suggestion'::text, 'advisory'::text]))),
  CONSTRAINT observations_priority_check CHECK ((priority = ANY (ARRAY['P0'::text, 'P1'::text, 'P2'::text, 'P3'::text]))),
  CONSTRAINT observations_risk_check CHECK ((risk = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  CONSTRAINT observations_status_check CHECK ((status = ANY (ARRAY['new'::text, 'closed'::text])))
);
CREATE INDEX observations_by_change ON public.observations USING btree (workspace_id, updated_at);
CREATE INDEX observations_by_close_reason ON public.observations USING btree (workspace_id, close_reason, number DESC) WHERE (close_reason IS NOT NULL);
CREATE INDEX observations_by_first_seen ON public.observations USING btree (workspace_id, first_seen_at);
CREATE INDEX observations_by_repository ON public.observations USING btree (repository_id, status, number DESC);
CREATE INDEX observations_by_resolution ON public.observations USING btree (workspace_id, COALESCE(closed_at, '-infinity'::timestamp with time zone) DESC, number DESC);
CREATE INDEX observations_by_rule ON public.observations USING btree (workspace_id, rule_id, number DESC);
CREATE INDEX observations_by_status ON public.observations USING btree (workspace_id, status, number DESC);
CREATE INDEX observations_by_words ON public.observations USING gin (observation_words(title, description, rule_id, file_path));
CREATE INDEX observations_easy_wins ON public.observations USING btree (workspace_id, number DESC) WHERE (easy_win = 1);
CREATE INDEX observations_needing_review ON public.observations USING btree (workspace_id, number DESC) WHERE ((kind = 'finding'::text) AND (fix_attempts >= 3));
CREATE INDEX observations_of_repository ON public.observations USING btree (repository_id, number DESC);
CREATE INDEX observations_of_repository_by_change ON public.observations USING btree (repository_id, updated_at);
CREATE INDEX observations_of_repository_by_resolution ON public.observations USING btree (repository_id, COALESCE(closed_at, '-infinity'::timestamp with time zone) DESC, number DESC);
CREATE INDEX observations_of_repository_by_rule ON public.observations USING btree (repository_id, rule_id);
CREATE INDEX observations_of_repository_ranked ON public.observations USING btree (repository_id, priority, ((- confidence)), ((- easy_win)), ((- number)));
CREATE INDEX observations_of_repository_ranked_by_status ON public.observations USING btree (repository_id, status, priority, ((- confidence)), ((- easy_win)), ((- number)));
CREATE INDEX observations_open ON public.observations USING btree (repository_id, priority) WHERE (status = 'new'::text);
CREATE INDEX observations_open_by_change ON public.observations USING btree (workspace_id, updated_at) WHERE (status = 'new'::text);
CREATE INDEX observations_open_by_file ON public.observations USING gin (jsonb_path_query_array(locations, '$[*]."file_path"'::jsonpath)) WHERE (status = 'new'::text);
CREATE INDEX observations_open_of_rule ON public.observations USING btree (workspace_id, rule_id, priority, ((- confidence)), ((- easy_win)), ((- number))) WHERE (status = 'new'::text);
CREATE INDEX observations_ranked ON public.observations USING btree (workspace_id, priority, ((- confidence)), ((- easy_win)), ((- number)));
CREATE INDEX observations_ranked_by_status ON public.observations USING btree (workspace_id, status, priority, ((- confidence)), ((- easy_win)), ((- number)));
CREATE INDEX observations_with_fix_pr ON public.observations USING btree (workspace_id, number DESC) WHERE has_fix_pr;

CREATE TABLE outbox_mails (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  "to" text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  error text,
  created_at timestamp(3) with time zone NOT NULL,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  sent_at timestamp(3) with time zone,
  sealed_link bytea,
  CONSTRAINT outbox_mails_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_mails_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT outbox_mails_attempts_check CHECK ((attempts >= 0)),
  CONSTRAINT outbox_mails_check CHECK (((status = 'sent'::text) = (sent_at IS NOT NULL))),
  CONSTRAINT outbox_mails_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX outbox_mails_by_age ON public.outbox_mails USING btree (created_at) WHERE (status <> 'pending'::text);
CREATE INDEX outbox_mails_by_workspace ON public.outbox_mails USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX outbox_mails_due ON public.outbox_mails USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE TABLE project_repositories (
  project_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT project_repositories_pkey PRIMARY KEY (project_id, repository_id),
  CONSTRAINT project_repositories_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT project_repositories_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE
);
CREATE INDEX project_repositories_of ON public.project_repositories USING btree (repository_id);

CREATE TABLE project_roles (
  project_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  granted_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT project_roles_pkey PRIMARY KEY (project_id, user_id),
  CONSTRAINT project_roles_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT project_roles_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES memberships(workspace_id, user_id) ON DELETE CASCADE,
  CONSTRAINT project_roles_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'manager'::text])))
);
CREATE INDEX project_roles_of ON public.project_roles USING btree (user_id);

CREATE TABLE projects (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  parent_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  close_on_merge boolean DEFAULT false NOT NULL,
  CONSTRAINT projects_slug_unique UNIQUE (workspace_id, slug),
  CONSTRAINT projects_pkey PRIMARY KEY (id),
  CONSTRAINT projects_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES projects(id),
  CONSTRAINT projects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT projects_check CHECK (((kind <> 'area'::text) OR (parent_id IS NULL))),
  CONSTRAINT projects_kind_check CHECK ((kind = ANY (ARRAY['area'::text, 'space'::text, 'project'::text])))
);
CREATE INDEX projects_below ON public.projects USING btree (parent_id);
CREATE INDEX projects_newest ON public.projects USING btree (workspace_id, created_at DESC, id DESC);

CREATE UNLOGGED TABLE rate_buckets (
  key text NOT NULL,
  tat double precision NOT NULL,
  CONSTRAINT rate_buckets_pkey PRIMARY KEY (key)
);

CREATE TABLE repositories (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  github_org text NOT NULL,
  github_repo text NOT NULL,
  github_base_branch text NOT NULL,
  repo_name text GENERATED ALWAYS AS (((github_repo || '@'::text) || github_base_branch)) STORED NOT NULL,
  access_mode text NOT NULL,
  clone_url text NOT NULL,
  default_branch text,
  head_sha text,
  last_audit_at timestamp(3) with time zone,
  last_audit_sha text,
  last_discovery_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  display_name text,
  description text,
  guidance text DEFAULT ''::text NOT NULL,
  review_instructions text DEFAULT ''::text NOT NULL,
  visibility text DEFAULT 'workspace'::text NOT NULL,
  installation_status text DEFAULT 'none'::text NOT NULL,
  auto_review text DEFAULT 'off'::text NOT NULL,
  lines bigint,
  CONSTRAINT repositories_unique UNIQUE (workspace_id, github_org, github_repo, github_base_branch),
  CONSTRAINT repositories_pkey PRIMARY KEY (id),
  CONSTRAINT repositories_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT repositories_access_mode_check CHECK ((access_mode = ANY (ARRAY['installed'::text, 'anonymous'::text]))),
  CONSTRAINT repositories_auto_review_check CHECK ((auto_review = ANY (ARRAY['off'::text, 'on'::text]))),
  CONSTRAINT repositories_installation_status_check CHECK ((installation_status = ANY (ARRAY['none'::text, 'active'::text, 'removed'::text]))),
  CONSTRAINT repositories_visibility_check CHECK ((visibility = ANY (ARRAY['workspace'::text, 'restricted'::text])))
);
CREATE INDEX repositories_by_slug ON public.repositories USING btree (workspace_id, repo_name) WHERE (deleted_at IS NULL);
CREATE INDEX repositories_by_workspace ON public.repositories USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX repositories_restricted ON public.repositories USING btree (workspace_id) WHERE (visibility = 'restricted'::text);

CREATE TABLE repository_commands (
  repository_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  format text,
  build text,
  lint text,
  test text,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT repository_commands_pkey PRIMARY KEY (repository_id),
  CONSTRAINT repository_commands_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT repository_commands_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX repository_commands_of_workspace ON public.repository_commands USING btree (workspace_id);

CREATE TABLE retention_runs (
  kind text NOT NULL,
  ended_at timestamp(3) with time zone NOT NULL,
  took_ms integer NOT NULL,
  deleted bigint NOT NULL,
  deleted_in_all bigint NOT NULL,
  reached timestamp(3) with time zone,
  error text,
  CONSTRAINT retention_runs_pkey PRIMARY KEY (kind),
  CONSTRAINT retention_runs_check CHECK ((deleted_in_all >= deleted)),
  CONSTRAINT retention_runs_deleted_check CHECK ((deleted >= 0)),
  CONSTRAINT retention_runs_took_ms_check CHECK ((took_ms >= 0))
);

CREATE TABLE rule_settings (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid,
  rule text NOT NULL,
  state text NOT NULL,
  reason text,
  actor jsonb NOT NULL,
  changed_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT rule_settings_workspace_id_repository_id_rule_key UNIQUE NULLS NOT DISTINCT (workspace_id, repository_id, rule),
  CONSTRAINT rule_settings_pkey PRIMARY KEY (id),
  CONSTRAINT rule_settings_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT rule_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT rule_settings_state_check CHECK ((state = ANY (ARRAY['on'::text, 'off'::text])))
);
CREATE INDEX rule_settings_of_repository ON public.rule_settings USING btree (repository_id) WHERE (repository_id IS NOT NULL);

CREATE TABLE server_secrets (
  name text NOT NULL,
  value bytea NOT NULL,
  CONSTRAINT server_secrets_pkey PRIMARY KEY (name)
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  csrf_token text NOT NULL,
  user_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone,
  address text,
  CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id);

CREATE TABLE setting_changes (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid,
  name text NOT NULL,
  actor jsonb NOT NULL,
  prev jsonb NOT NULL,
  value jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT setting_changes_pkey PRIMARY KEY (id),
  CONSTRAINT setting_changes_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT setting_changes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX setting_changes_of ON public.setting_changes USING btree (workspace_id, repository_id, name, id DESC);

CREATE TABLE sign_in_links (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT sign_in_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT sign_in_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE spend_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  job_id uuid,
  api_key_id uuid,
  kind text NOT NULL,
  amount_usd numeric(18,9),
  at timestamp(3) with time zone NOT NULL,
  repository_id uuid,
  CONSTRAINT spend_entries_once UNIQUE (job_id, kind),
  CONSTRAINT spend_entries_pkey PRIMARY KEY (id),
  CONSTRAINT spend_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT spend_entries_check CHECK (((kind = 'credit'::text) = (job_id IS NULL))),
  CONSTRAINT spend_entries_check1 CHECK (((kind = 'credit'::text) OR (amount_usd >= (0)::numeric))),
  CONSTRAINT spend_entries_kind_check CHECK ((kind = ANY (ARRAY['credit'::text, 'reserve'::text, 'release'::text, 'settle'::text])))
);
CREATE INDEX spend_entries_by_time ON public.spend_entries USING btree (workspace_id, at);

CREATE TABLE storage_samples (
  day date NOT NULL,
  bytes bigint NOT NULL,
  tables jsonb NOT NULL,
  CONSTRAINT storage_samples_pkey PRIMARY KEY (day)
);

CREATE TABLE ticket_comments (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  observation_id uuid NOT NULL,
  status text NOT NULL,
  close_reason text,
  dismissal_category text,
  note text,
  url text,
  at timestamp(3) with time zone NOT NULL,
  delivery text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  error text,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  sent_at timestamp(3) with time zone,
  CONSTRAINT ticket_comments_pkey PRIMARY KEY (id),
  CONSTRAINT ticket_comments_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES tickets(observation_id) ON DELETE CASCADE,
  CONSTRAINT ticket_comments_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT ticket_comments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT ticket_comments_attempts_check CHECK ((attempts >= 0)),
  CONSTRAINT ticket_comments_delivery_check CHECK ((delivery = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text]))),
  CONSTRAINT ticket_comments_status_check CHECK ((status = ANY (ARRAY['new'::text, 'closed'::text])))
);
CREATE INDEX ticket_comments_due ON public.ticket_comments USING btree (next_attempt_at) WHERE (delivery = 'pending'::text);
CREATE INDEX ticket_comments_of ON public.ticket_comments USING btree (observation_id, id);

CREATE TABLE tickets (
  observation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  base_url text NOT NULL,
  project text NOT NULL,
  claimed_at timestamp(3) with time zone NOT NULL,
  held_until timestamp(3) with time zone NOT NULL,
  attempt integer NOT NULL,
  key text,
  url text,
  published_at timestamp(3) with time zone,
  CONSTRAINT tickets_id_key UNIQUE (id),
  CONSTRAINT tickets_pkey PRIMARY KEY (observation_id),
  CONSTRAINT tickets_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES observations(id) ON DELETE CASCADE,
  CONSTRAINT tickets_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT tickets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT tickets_check CHECK ((((key IS NULL) = (url IS NULL)) AND ((url IS NULL) = (published_at IS NULL)))),
  CONSTRAINT tickets_kind_check CHECK ((kind = ANY (ARRAY['github'::text, 'jira'::text, 'linear'::text])))
);

CREATE TABLE trackers (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  repository_id uuid,
  kind text NOT NULL,
  base_url text NOT NULL,
  project text NOT NULL,
  email text,
  sealed_token text,
  token_set_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT trackers_pkey PRIMARY KEY (id),
  CONSTRAINT trackers_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT trackers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT trackers_check CHECK (((sealed_token IS NULL) = (token_set_at IS NULL))),
  CONSTRAINT trackers_kind_check CHECK ((kind = ANY (ARRAY['github'::text, 'jira'::text, 'linear'::text])))
);
CREATE UNIQUE INDEX trackers_of_level ON public.trackers USING btree (workspace_id, COALESCE(repository_id, workspace_id));

CREATE TABLE used_sign_in_states (
  hash bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT used_sign_in_states_pkey PRIMARY KEY (hash)
);
CREATE INDEX used_sign_in_states_by_expiry ON public.used_sign_in_states USING btree (expires_at);

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT user_identities_one_of_an_issuer UNIQUE (user_id, issuer),
  CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE users (
  id uuid NOT NULL,
  email text NOT NULL,
  password_hash text,
  created_at timestamp(3) with time zone NOT NULL,
  name text,
  single_keys boolean DEFAULT true NOT NULL,
  disabled_at timestamp(3) with time zone,
  CONSTRAINT users_email_unique UNIQUE (email),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_check CHECK ((email = lower(email)))
);

CREATE TABLE views (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  repository_id uuid,
  name text NOT NULL,
  query text NOT NULL,
  shared boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT views_name_unique UNIQUE (workspace_id, user_id, name),
  CONSTRAINT views_pkey PRIMARY KEY (id),
  CONSTRAINT views_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repositories(id) ON DELETE CASCADE,
  CONSTRAINT views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT views_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX views_by_name ON public.views USING btree (workspace_id, name, id);

CREATE TABLE webhook_batch_items (
  transaction xid8 NOT NULL,
  repository_id uuid NOT NULL,
  type text NOT NULL,
  observation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  CONSTRAINT webhook_batch_items_pkey PRIMARY KEY (transaction, repository_id, type, observation_id),
  CONSTRAINT webhook_batch_items_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE webhook_batches (
  transaction xid8 NOT NULL,
  repository_id uuid NOT NULL,
  type text NOT NULL,
  workspace_id uuid NOT NULL,
  CONSTRAINT announce_observations TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT webhook_batches_pkey PRIMARY KEY (transaction, repository_id, type),
  CONSTRAINT webhook_batches_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  "position" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  min_priority text,
  status text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  status_code integer,
  error text,
  duration_ms integer,
  created_at timestamp(3) with time zone NOT NULL,
  attempted_at timestamp(3) with time zone,
  next_attempt_at timestamp(3) with time zone,
  held_until timestamp(3) with time zone,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
  CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) OR ((next_attempt_at IS NULL) AND (held_until IS NULL)))),
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at, "position") WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_held ON public.webhook_deliveries USING btree (webhook_id) WHERE (held_until IS NOT NULL);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (webhook_id, "position" DESC);
CREATE INDEX webhook_deliveries_of_event ON public.webhook_deliveries USING btree (event_id);

CREATE TABLE webhook_events (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  type text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  data jsonb NOT NULL,
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX webhook_events_by_age ON public.webhook_events USING btree (at);

CREATE TABLE webhook_turns (
  delivery_id uuid NOT NULL,
  object uuid NOT NULL,
  workspace_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT webhook_turns_pkey PRIMARY KEY (delivery_id, object),
  CONSTRAINT webhook_turns_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE,
  CONSTRAINT webhook_turns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX webhook_turns_of_object ON public.webhook_turns USING btree (webhook_id, object, "position");

CREATE TABLE webhooks (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  repository_ids uuid[],
  min_priority text,
  active boolean DEFAULT true NOT NULL,
  disabled_reason text,
  failing_since timestamp(3) with time zone,
  sealed_secret text NOT NULL,
  sealed_previous_secret text,
  previous_secret_expires_at timestamp(3) with time zone,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT webhooks_check CHECK (((sealed_previous_secret IS NULL) = (previous_secret_expires_at IS NULL))),
  CONSTRAINT webhooks_min_priority_check CHECK ((min_priority = ANY (ARRAY['P0'::text, 'P1'::text, 'P2'::text, 'P3'::text])))
);
CREATE INDEX webhooks_by_workspace ON public.webhooks USING btree (workspace_id, created_at, id);

CREATE TABLE workspaces (
  id uuid NOT NULL,
  name text NOT NULL,
  plan text DEFAULT 'paid'::text NOT NULL,
  features text[] DEFAULT '{}'::text[] NOT NULL,
  suspended_at timestamp(3) with time zone,
  next_observation integer DEFAULT 1 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  credit_usd numeric(18,9),
  spend_paused boolean DEFAULT false NOT NULL,
  spend_per_hour_usd numeric(18,9),
  job_cap_usd numeric(18,9),
  max_queued integer,
  max_running integer,
  entitled_workflows text[],
  discovery_paused boolean DEFAULT false NOT NULL,
  review_instructions text DEFAULT ''::text NOT NULL,
  fix_runner text DEFAULT 'rules'::text NOT NULL,
  next_issue integer DEFAULT 1 NOT NULL,
  next_change_review integer DEFAULT 1 NOT NULL,
  next_mission integer DEFAULT 1 NOT NULL,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_features_known CHECK ((features <@ ARRAY['missions'::text, 'change_reviews'::text, 'webhooks'::text, 'audit_suggestions'::text])),
  CONSTRAINT workspaces_fix_runner_check CHECK ((fix_runner = ANY (ARRAY['rules'::text, 'agent'::text, 'rules_then_agent'::text]))),
  CONSTRAINT workspaces_job_cap_usd_check CHECK ((job_cap_usd > (0)::numeric)),
  CONSTRAINT workspaces_max_queued_check CHECK ((max_queued >= 0)),
  CONSTRAINT workspaces_max_running_check CHECK ((max_running >= 0)),
  CONSTRAINT workspaces_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'paid'::text]))),
  CONSTRAINT workspaces_spend_per_hour_usd_check CHECK ((spend_per_hour_usd > (0)::numeric))
);
