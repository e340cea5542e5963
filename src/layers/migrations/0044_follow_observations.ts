import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      -- Whether issues in review are done once their pull requests are merged.
      ALTER TABLE projects ADD COLUMN close_on_merge boolean NOT NULL DEFAULT false;

      -- Observations of issues whose status the transaction has changed. Rows are deleted in the transaction that writes
      -- them, so that each one sees its own and no others.
      CREATE TABLE issue_follow_ups (
        observation_id uuid PRIMARY KEY REFERENCES observations ON DELETE CASCADE,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE
      );

      -- Whatever closes or reopens an observation passes here. Issues are locked at the end of the transaction, when it
      -- holds every lock on observations that it needs, and all of them in one order: an audit, which changes
      -- observations one after another, and triage of the same issue's observations would wait for each other.
      CREATE FUNCTION note_observation_of_issue() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM issue_observations l WHERE l.observation_id = NEW.id) THEN
          INSERT INTO issue_follow_ups (observation_id, workspace_id, repository_id)
          VALUES (NEW.id, NEW.workspace_id, NEW.repository_id) ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_observation_of_issue AFTER UPDATE OF status ON observations FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION note_observation_of_issue();

      -- Who changed an observation, as the events of issues name them.
      CREATE FUNCTION actor_of_event(event observation_events) RETURNS jsonb LANGUAGE sql STABLE AS $$
        SELECT jsonb_build_object('kind', CASE WHEN event.job_id IS NULL THEN event.actor->>'kind' ELSE 'job' END,
          'user_id', event.actor->'user_id',
          'api_key', (SELECT jsonb_build_object('name', k.name, 'prefix', k.prefix) FROM api_keys k
            WHERE k.id = (event.actor->>'api_key_id')::uuid),
          'label', coalesce(to_jsonb(event.job_id::text), event.actor->'label'))
      $$;

      CREATE FUNCTION follow_observations() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed uuid[];
        workspace text := coalesce(current_setting('assay.workspace', true), '');
        hidden text := coalesce(current_setting('assay.hidden', true), '');
      BEGIN
        -- Who closes an observation need not see its issues.
        PERFORM set_config('assay.workspace', '*', true), set_config('assay.hidden', '', true);
        WITH noted AS (DELETE FROM issue_follow_ups RETURNING observation_id)
        SELECT array_agg(observation_id) INTO changed FROM noted;
        -- The first row's turn was that of all.
        IF changed IS NULL THEN
          PERFORM set_config('assay.workspace', workspace, true), set_config('assay.hidden', hidden, true);
          RETURN NULL;
        END IF;

        PERFORM FROM issues i
        WHERE i.id IN (SELECT l.issue_id FROM issue_observations l WHERE l.observation_id = ANY (changed))
        ORDER BY i.workspace_id, i.number FOR NO KEY UPDATE;

        WITH link AS MATERIALIZED (
          SELECT l.issue_id, l.workspace_id, l.repository_id, l.criterion_id, o.number, o.updated_at AS at,
            i.closed_at IS NULL AS is_open, o.status, o.close_reason, o.dismissal_category, e.reason,
            -- No longer found counts like fixed: people fix code without a word to the service.
            o.status = 'closed' AND o.close_reason IN ('fixed', 'completed', 'expired') AS is_fixed,
            coalesce(e.by, jsonb_build_object('kind', 'system', 'user_id', NULL, 'api_key', NULL, 'label', 'assay')) AS by
          FROM issue_observations l JOIN issues i ON i.id = l.issue_id JOIN observations o ON o.id = l.observation_id
            LEFT JOIN LATERAL (
              SELECT actor_of_event(e) AS by, e.reason FROM observation_events e
              WHERE e.observation_id = o.id AND e.to_status = o.status AND e.from_status <> o.status
              ORDER BY e.id DESC LIMIT 1
            ) e ON true
          WHERE l.observation_id = ANY (changed)
        ), ticked AS (
          UPDATE issue_criteria c SET met_by = CASE WHEN k.is_fixed THEN k.by END, met_at = CASE WHEN k.is_fixed THEN k.at END
          FROM link k
          -- What a closed issue was closed with, stays.
          WHERE c.id = k.criterion_id AND k.is_open AND (c.met_at IS NULL) = k.is_fixed
            AND (k.is_fixed OR k.status = 'new')
          RETURNING c.id, c.issue_id
        ), noted AS (
          INSERT INTO issue_events (id, workspace_id, issue_id, event, actor, at, detail, repository_id)
          SELECT uuid_v7(k.at), k.workspace_id, k.issue_id,
            CASE WHEN t.id IS NOT NULL THEN CASE WHEN k.is_fixed THEN 'criterion_met' ELSE 'criterion_unmet' END
              WHEN k.status = 'closed' THEN 'observation_closed' ELSE 'observation_reopened' END,
            k.by, k.at,
            jsonb_strip_nulls(jsonb_build_object('observation', 'OBS-' || k.number, 'criterion', t.id,
              'close_reason', k.close_reason, 'dismissal_category', k.dismissal_category, 'note', k.reason)),
            k.repository_id
          FROM link k LEFT JOIN ticked t ON t.id = k.criterion_id ORDER BY k.issue_id, k.number
        )
        UPDATE issues i SET version = i.version + 1, updated_by = k.by, updated_at = k.at
        FROM (SELECT DISTINCT ON (t.issue_id) t.issue_id, k.by, k.at FROM ticked t
          JOIN link k ON k.criterion_id = t.id ORDER BY t.issue_id, k.number DESC) k
        WHERE i.id = k.issue_id;

        -- Where the last criterion is met, a person looks at the whole.
        WITH complete AS (
          SELECT i.id, i.updated_at,
            -- A claim that has ended without a word leaves the issue open.
            CASE WHEN i.moved_by_claim AND i.lease_expires_at <= i.updated_at THEN 'open' ELSE i.status END AS status
          FROM issues i
          WHERE i.id IN (SELECT l.issue_id FROM issue_observations l JOIN observations o ON o.id = l.observation_id
              WHERE l.observation_id = ANY (changed) AND l.criterion_id IS NOT NULL AND o.status = 'closed'
                AND o.close_reason IN ('fixed', 'completed', 'expired'))
            AND i.status IN ('open', 'in_progress')
            AND NOT EXISTS (SELECT FROM issue_criteria c WHERE c.issue_id = i.id AND c.met_at IS NULL)
        ), moved AS (
          UPDATE issues i SET status = 'in_review', moved_by_claim = false, updated_by = jsonb_build_object(
            'kind', 'system', 'user_id', NULL, 'api_key', NULL, 'label', 'assay')
          FROM complete c WHERE i.id = c.id RETURNING i.id, i.workspace_id, c.status, i.updated_at, i.updated_by
        )
        INSERT INTO issue_events (id, workspace_id, issue_id, event, actor, at, detail)
        SELECT uuid_v7(m.updated_at), m.workspace_id, m.id, 'status_changed', m.updated_by, m.updated_at,
          jsonb_build_object('from', m.status, 'to', 'in_review', 'note', 'All acceptance criteria are met.')
        FROM moved m ORDER BY m.id;
        PERFORM set_config('assay.workspace', workspace, true), set_config('assay.hidden', hidden, true);
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER follow_observations AFTER INSERT ON issue_follow_ups
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION follow_observations();
    `,
    tenantPolicy(sql, "issue_follow_ups", { repository: "repository_id" })
  ])
)
