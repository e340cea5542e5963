import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

// Facts become events by triggers, in the transaction of the fact: no way of changing a row can miss them.

const tables = `
  CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    url text NOT NULL,
    -- Types of events; '*' for all of them.
    events text[] NOT NULL,
    description text,
    -- Null: everything in the workspace.
    repository_ids uuid[],
    min_priority text CHECK (min_priority IN ('P0', 'P1', 'P2', 'P3')),
    active boolean NOT NULL DEFAULT true,
    -- Why the service made it inactive.
    disabled_reason text,
    -- Time of the first failure since the last success.
    failing_since timestamptz(3),
    sealed_secret text NOT NULL,
    -- Signs beside its successor until then.
    sealed_previous_secret text,
    previous_secret_expires_at timestamptz(3),
    created_by jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CHECK ((sealed_previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
  );
  CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, created_at, id);

  CREATE TABLE webhook_events (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    type text NOT NULL,
    at timestamptz(3) NOT NULL,
    data jsonb NOT NULL
  );
  -- The hourly sweep.
  CREATE INDEX webhook_events_by_age ON webhook_events (at);

  CREATE TABLE webhook_deliveries (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    event_id uuid NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
    -- Drawn while the object of the event is locked: of one object, the order in which things happened to it.
    position bigint GENERATED ALWAYS AS IDENTITY,
    -- The endpoint's filter at the time of the event: every attempt sends the same body.
    min_priority text,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    status_code integer,
    -- Why the last attempt failed.
    error text,
    duration_ms integer,
    created_at timestamptz(3) NOT NULL,
    attempted_at timestamptz(3),
    -- Null: it waits for an earlier delivery about the same object, or it has ended.
    next_attempt_at timestamptz(3),
    -- A sender works on it until then; another one takes over afterwards.
    held_until timestamptz(3),
    CHECK (status = 'pending' OR (next_attempt_at IS NULL AND held_until IS NULL))
  );
  CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, position DESC);
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, position)
    WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_held ON webhook_deliveries (webhook_id) WHERE held_until IS NOT NULL;
  CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id);

  -- What pending deliveries are about: of two about one object the later one waits.
  CREATE TABLE webhook_turns (
    delivery_id uuid NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
    object uuid NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    webhook_id uuid NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (delivery_id, object)
  );
  CREATE INDEX webhook_turns_of_object ON webhook_turns (webhook_id, object, position);

  -- Observations of one repository that one transaction changes become one event when it commits; empty otherwise.
  CREATE TABLE webhook_batches (
    transaction xid8 NOT NULL,
    repository_id uuid NOT NULL,
    type text NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    PRIMARY KEY (transaction, repository_id, type)
  );
  CREATE TABLE webhook_batch_items (
    transaction xid8 NOT NULL,
    repository_id uuid NOT NULL,
    type text NOT NULL,
    observation_id uuid NOT NULL,
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    PRIMARY KEY (transaction, repository_id, type, observation_id)
  );
`

const announcing = `
  -- Cheap, and asked first: most workspaces have no endpoint.
  CREATE FUNCTION has_webhook(workspace uuid, event_type text) RETURNS boolean LANGUAGE sql STABLE
    RETURN EXISTS (SELECT FROM webhooks w
      WHERE w.workspace_id = workspace AND w.active AND w.events && ARRAY[event_type, '*']);

  -- The endpoints that an event is for. \`priority\` is that of the most severe thing it is about, null where it has none.
  CREATE FUNCTION webhooks_for(workspace uuid, event_type text, repositories uuid[], priority text)
  RETURNS TABLE (id uuid, min_priority text) LANGUAGE sql STABLE AS $$
    SELECT w.id, w.min_priority FROM webhooks w JOIN workspaces s ON s.id = w.workspace_id
    WHERE w.workspace_id = workspace AND w.active AND w.events && ARRAY[event_type, '*']
      AND 'webhooks' = ANY (s.features)
      AND (w.repository_ids IS NULL OR w.repository_ids && repositories)
      AND (priority IS NULL OR w.min_priority IS NULL OR priority <= w.min_priority)
  $$;

  -- Writes an event, and a delivery for each endpoint that it is for.
  CREATE FUNCTION announce(workspace uuid, event_type text, at timestamptz, repositories uuid[], objects uuid[],
    priority text, data jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH endpoint AS MATERIALIZED (
      SELECT * FROM webhooks_for(workspace, event_type, repositories, priority)
    ), event AS (
      INSERT INTO webhook_events (id, workspace_id, type, at, data)
      SELECT uuid_v7(announce.at), workspace, event_type, announce.at,
        jsonb_build_object('workspace_id', workspace) || announce.data
      WHERE EXISTS (SELECT FROM endpoint) RETURNING id
    ), delivery AS (
      INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, min_priority, created_at, next_attempt_at)
      SELECT uuid_v7(announce.at), workspace, endpoint.id, event.id, endpoint.min_priority, announce.at, announce.at
      FROM endpoint, event RETURNING id, webhook_id, position
    )
    INSERT INTO webhook_turns (delivery_id, object, workspace_id, webhook_id, position)
    SELECT d.id, o.object, workspace, d.webhook_id, d.position
    FROM delivery d, (SELECT DISTINCT unnest(objects) AS object) o;
    IF FOUND THEN PERFORM pg_notify('webhook_deliveries', ''); END IF;
  END $$;

  CREATE FUNCTION repository_slug(repository uuid) RETURNS text LANGUAGE sql STABLE
    RETURN (SELECT r.github_org || '/' || r.repo_name FROM repositories r WHERE r.id = repository);
`

const ofJobs = `
  CREATE FUNCTION announce_job() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE event_type text := 'job.' || NEW.status;
  BEGIN
    IF NOT has_webhook(NEW.workspace_id, event_type) THEN RETURN NULL; END IF;
    PERFORM announce(NEW.workspace_id, event_type, NEW.finished_at, ARRAY[NEW.repository_id], ARRAY[NEW.id], NULL,
      jsonb_build_object('repository', repository_slug(NEW.repository_id), 'job', jsonb_build_object(
        'id', NEW.id, 'workflow', NEW.workflow, 'status', NEW.status, 'failure_kind', NEW.failure_kind,
        'parent_job_id', NEW.parent_job_id, 'commit_sha', NEW.commit_sha, 'url', '/api/jobs/' || NEW.id)));
    RETURN NULL;
  END $$;
  CREATE TRIGGER announce_job AFTER UPDATE OF status ON jobs FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('completed', 'failed', 'cancelled'))
    EXECUTE FUNCTION announce_job();
`

/** How many observations an event names, of those that it is about. */
const namedObservations = 100
/** How many repositories an event of an issue names. */
const namedRepositories = 20

const ofObservations = `
  CREATE FUNCTION batch_observation() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE event_type text := CASE WHEN TG_OP = 'INSERT' THEN 'observation.created'
    WHEN NEW.status = 'closed' THEN 'observation.closed' ELSE 'observation.reopened' END;
  BEGIN
    IF NOT has_webhook(NEW.workspace_id, event_type) THEN RETURN NULL; END IF;
    INSERT INTO webhook_batches (transaction, repository_id, type, workspace_id)
      VALUES (pg_current_xact_id(), NEW.repository_id, event_type, NEW.workspace_id) ON CONFLICT DO NOTHING;
    INSERT INTO webhook_batch_items (transaction, repository_id, type, observation_id, workspace_id)
      VALUES (pg_current_xact_id(), NEW.repository_id, event_type, NEW.id, NEW.workspace_id) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER batch_new_observation AFTER INSERT ON observations FOR EACH ROW EXECUTE FUNCTION batch_observation();
  CREATE TRIGGER batch_observation AFTER UPDATE OF status ON observations FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION batch_observation();

  -- The most severe ones are named, all are counted, and all keep their order with later events.
  CREATE FUNCTION announce_observations() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    -- At COMMIT the reach is that of whatever statement came last.
    workspace_reach text := current_setting('assay.workspace', true);
    hidden_reach text := current_setting('assay.hidden', true);
    batch record;
    job uuid;
  BEGIN
    PERFORM set_config('assay.workspace', '*', true), set_config('assay.hidden', '{}', true);
    WITH item AS (
      DELETE FROM webhook_batch_items i
      WHERE i.transaction = NEW.transaction AND i.repository_id = NEW.repository_id AND i.type = NEW.type
      RETURNING i.observation_id
    ), changed AS (
      SELECT o.id, o.number, o.kind, o.priority, o.close_reason, o.updated_at
      FROM item JOIN observations o ON o.id = item.observation_id
    ), named AS (
      SELECT * FROM changed ORDER BY priority, number LIMIT ${namedObservations}
    )
    SELECT array_agg(id) AS ids, max(updated_at) AS at, min(priority) AS priority,
      jsonb_build_object('P0', count(*) FILTER (WHERE priority = 'P0'), 'P1', count(*) FILTER (WHERE priority = 'P1'),
        'P2', count(*) FILTER (WHERE priority = 'P2'), 'P3', count(*) FILTER (WHERE priority = 'P3')) AS by_priority,
      (SELECT jsonb_agg(jsonb_build_object('ref', 'OBS-' || number, 'kind', kind, 'priority', priority,
        'close_reason', close_reason, 'url', '/api/observations/OBS-' || number) ORDER BY priority, number)
        FROM named) AS named
    INTO batch FROM changed;
    IF batch.ids IS NOT NULL THEN
      SELECT e.job_id INTO job FROM observation_events e WHERE e.observation_id = batch.ids[1] ORDER BY e.id DESC LIMIT 1;
      PERFORM announce(NEW.workspace_id, NEW.type, batch.at, ARRAY[NEW.repository_id], batch.ids, batch.priority,
        jsonb_build_object('repository', repository_slug(NEW.repository_id), 'job_id', job,
          'by_priority', batch.by_priority, 'observations', batch.named));
    END IF;
    DELETE FROM webhook_batches b
      WHERE b.transaction = NEW.transaction AND b.repository_id = NEW.repository_id AND b.type = NEW.type;
    PERFORM set_config('assay.workspace', coalesce(workspace_reach, ''), true),
      set_config('assay.hidden', coalesce(hidden_reach, ''), true);
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER announce_observations AFTER INSERT ON webhook_batches DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION announce_observations();
`

const ofFixes = `
  CREATE FUNCTION announce_fix_pr() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    was_open boolean := coalesce(OLD.pr_status IN ('in_review', 'revising', 'needs_attention'), false);
    event_type text := CASE
      WHEN NEW.pr_status = 'merged' THEN 'fix_pr.merged'
      WHEN NEW.pr_status IN ('closed', 'abandoned') THEN 'fix_pr.closed'
      WHEN was_open THEN 'fix_pr.updated'
      ELSE 'fix_pr.opened' END;
    target record;
  BEGIN
    IF NOT has_webhook(NEW.workspace_id, event_type) THEN RETURN NULL; END IF;
    SELECT 'OBS-' || o.number AS ref, o.priority INTO target FROM observations o WHERE o.id = NEW.observation_id;
    PERFORM announce(NEW.workspace_id, event_type, NEW.updated_at, ARRAY[NEW.repository_id], ARRAY[NEW.id],
      target.priority, jsonb_build_object('repository', repository_slug(NEW.repository_id), 'fix_pr', jsonb_build_object(
        'ref', target.ref, 'priority', target.priority, 'attempt_id', NEW.id, 'number', NEW.number,
        'status', NEW.pr_status, 'outcome', NEW.outcome, 'conflicted', NEW.conflicted, 'branch', NEW.branch,
        'pr_number', NEW.pr_number, 'pr_url', NEW.pr_url, 'url', '/api/observations/' || target.ref)));
    RETURN NULL;
  END $$;
  CREATE TRIGGER announce_fix_pr AFTER UPDATE OF pr_status, conflicted ON fix_attempts FOR EACH ROW
    WHEN (NEW.pr_status IS NOT NULL AND (OLD.pr_status, OLD.conflicted) IS DISTINCT FROM (NEW.pr_status, NEW.conflicted))
    EXECUTE FUNCTION announce_fix_pr();
`

const ofContext = `
  CREATE FUNCTION announce_context_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    event_type text := CASE NEW.status WHEN 'proposed' THEN 'context_entry.proposed' ELSE 'context_entry.confirmed' END;
    level text;
    repositories uuid[];
  BEGIN
    IF NOT has_webhook(NEW.workspace_id, event_type) THEN RETURN NULL; END IF;
    SELECT p.slug INTO level FROM projects p WHERE p.id = NEW.project_id;
    -- The repositories of its level, and below.
    WITH RECURSIVE below AS (
      SELECT NEW.project_id AS id UNION SELECT p.id FROM projects p JOIN below b ON p.parent_id = b.id
    )
    SELECT array_agg(DISTINCT m.repository_id) INTO repositories
    FROM project_repositories m JOIN below b ON b.id = m.project_id;
    PERFORM announce(NEW.workspace_id, event_type, NEW.updated_at, coalesce(repositories, '{}'), ARRAY[NEW.id], NULL,
      jsonb_build_object('project', level, 'context_entry', jsonb_build_object('id', NEW.id, 'key', NEW.key,
        'kind', NEW.kind, 'status', NEW.status, 'version', NEW.version,
        'url', '/api/' || coalesce('projects/' || level || '/', '') || 'context/entries/' || replace(NEW.key, '/', '%2F'))));
    RETURN NULL;
  END $$;
  CREATE TRIGGER announce_new_context_entry AFTER INSERT ON context_entries FOR EACH ROW
    WHEN (NEW.status = 'proposed') EXECUTE FUNCTION announce_context_entry();
  -- A proposal that is changed is another one.
  CREATE TRIGGER announce_context_entry AFTER UPDATE ON context_entries FOR EACH ROW
    WHEN (NEW.disabled_at IS NULL AND CASE NEW.status WHEN 'proposed' THEN OLD.version <> NEW.version
      ELSE OLD.status = 'proposed' OR OLD.last_confirmed_at IS DISTINCT FROM NEW.last_confirmed_at END)
    EXECUTE FUNCTION announce_context_entry();
`

const ofIssues = `
  CREATE FUNCTION announce_issue() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    event_type text := CASE NEW.event WHEN 'created' THEN 'issue.created' WHEN 'closed' THEN 'issue.closed'
      ELSE 'issue.updated' END;
    -- The event names repositories that its author may not see.
    workspace_reach text := current_setting('assay.workspace', true);
    hidden_reach text := current_setting('assay.hidden', true);
    subject record;
  BEGIN
    IF NOT has_webhook(NEW.workspace_id, event_type) THEN RETURN NULL; END IF;
    PERFORM set_config('assay.workspace', '*', true), set_config('assay.hidden', '{}', true);
    SELECT i.id, 'ISS-' || i.number AS ref, i.status, i.priority, i.close_reason, i.repository_ids, p.slug AS project,
      ARRAY(SELECT repository_slug(named.id) FROM unnest(i.repository_ids[:${namedRepositories}]) AS named (id)) AS named
    INTO subject FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = NEW.issue_id;
    PERFORM announce(NEW.workspace_id, event_type, NEW.at, array_append(subject.repository_ids, NEW.repository_id),
      ARRAY[subject.id], subject.priority,
      jsonb_build_object('project', subject.project, 'repositories', subject.named, 'issue', jsonb_build_object(
        'ref', subject.ref, 'change', NEW.event, 'status', subject.status, 'priority', subject.priority,
        'close_reason', subject.close_reason, 'url', '/api/issues/' || subject.ref)));
    PERFORM set_config('assay.workspace', coalesce(workspace_reach, ''), true),
      set_config('assay.hidden', coalesce(hidden_reach, ''), true);
    RETURN NULL;
  END $$;
  -- A renewed claim is no news.
  CREATE TRIGGER announce_issue AFTER INSERT ON issue_events FOR EACH ROW
    WHEN (NEW.event <> 'claim_renewed') EXECUTE FUNCTION announce_issue();
`

const tenantTables = [
  "webhooks",
  "webhook_events",
  "webhook_deliveries",
  "webhook_turns",
  "webhook_batches",
  "webhook_batch_items"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    ...[tables, announcing, ofJobs, ofObservations, ofFixes, ofContext, ofIssues].map(
      (text) => sql`${sql.literal(text)}`
    ),
    // An endpoint is set up by admins, who see every repository.
    ...tenantTables.map((table) => tenantPolicy(sql, table))
  ])
)
