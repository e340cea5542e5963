import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE FUNCTION announce_mission() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE event_type text := CASE WHEN NEW.status IN ('completed', 'failed') THEN 'mission.' || NEW.status
    ELSE 'mission.waiting' END;
  BEGIN
    IF NOT has_webhook(NEW.workspace_id, event_type) THEN RETURN NULL; END IF;
    PERFORM announce(NEW.workspace_id, event_type, NEW.updated_at, ARRAY[NEW.repository_id], ARRAY[NEW.id], NULL,
      jsonb_build_object('repository', repository_slug(NEW.repository_id), 'mission', jsonb_build_object(
        'ref', 'MSN-' || NEW.number, 'status', NEW.status, 'waiting', NEW.waiting_kind, 'plan_version', NEW.plan_version,
        'branch', NEW.branch, 'pr_url', NEW.pr_url, 'url', '/api/missions/MSN-' || NEW.number)));
    RETURN NULL;
  END $$;
  -- Waiting for something else is news, too.
  CREATE TRIGGER announce_mission AFTER UPDATE ON missions FOR EACH ROW
    WHEN (CASE WHEN NEW.status IN ('completed', 'failed') THEN OLD.status <> NEW.status
      ELSE NEW.waiting_kind IS NOT NULL
        AND (OLD.waiting_kind, OLD.waiting_since) IS DISTINCT FROM (NEW.waiting_kind, NEW.waiting_since) END)
    EXECUTE FUNCTION announce_mission();
`
)
