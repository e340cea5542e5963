import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

const columns = `workspace_id, repository_id, observation_id, at, opens, decides, false_positive, since, until, priority,
  domain, rule_id`

/** What an event `e` of the observation `o` is, apart from its neighbours. */
const facts = `e.to_status = 'new', e.event IN ('fixed', 'completed', 'dismissed'),
  coalesce(e.dismissal_category = 'false_positive', false)`

const kept = (row: string) => `(${row}.repository_id, ${row}.priority, ${row}.domain, ${row}.rule_id)`

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      -- Changes of status, with what the trends ask of them: of a quarter of 1,000,000 observations these took longer than a
      -- request may, as each event was looked up with its observation, and its neighbours sorted.
      CREATE TABLE observation_changes (
        workspace_id uuid NOT NULL,
        repository_id uuid NOT NULL,
        observation_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        opens boolean NOT NULL,
        -- A person or an audit decided what becomes of it; false_positive, that it was none.
        decides boolean NOT NULL,
        false_positive boolean NOT NULL,
        -- Times of the changes before and after; before the first one, when the observation was first seen.
        since timestamptz(3) NOT NULL,
        until timestamptz(3),
        -- Of the observation.
        priority text NOT NULL,
        domain text NOT NULL,
        rule_id text NOT NULL
      );
      INSERT INTO observation_changes (${sql.literal(columns)})
        SELECT o.workspace_id, o.repository_id, o.id, e.at, ${sql.literal(facts)},
          coalesce(lag(e.at) OVER history, o.first_seen_at), lead(e.at) OVER history, o.priority, o.domain, o.rule_id
        FROM observation_events e JOIN observations o ON o.id = e.observation_id
        WHERE e.from_status IS DISTINCT FROM e.to_status
        WINDOW history AS (PARTITION BY e.observation_id ORDER BY e.id)
        ORDER BY e.at;
      -- Checked at once, which takes a fraction of a check for each row.
      ALTER TABLE observation_changes
        ADD FOREIGN KEY (workspace_id) REFERENCES workspaces ON DELETE CASCADE,
        ADD FOREIGN KEY (repository_id) REFERENCES repositories ON DELETE CASCADE,
        ADD FOREIGN KEY (observation_id) REFERENCES observations ON DELETE CASCADE;
      CREATE INDEX observation_changes_by_time ON observation_changes (workspace_id, at);
      CREATE INDEX observation_changes_of ON observation_changes (observation_id);
      CREATE INDEX observation_changes_of_repository ON observation_changes (repository_id, at);

      -- The queue of one rule, and the facets of what was first seen lately: by the order of the whole queue a page took
      -- 300 ms, and without an index the facets of a week 750 ms.
      CREATE INDEX observations_open_of_rule ON observations
        (workspace_id, rule_id, priority, (-confidence), (-easy_win), (-number)) WHERE status = 'new';
      CREATE INDEX observations_by_first_seen ON observations (workspace_id, first_seen_at);

      CREATE FUNCTION follow_observation_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH changes AS (
          SELECT * FROM added e WHERE e.from_status IS DISTINCT FROM e.to_status
        ), previous AS (
          UPDATE observation_changes c SET until = first.at
          FROM (SELECT DISTINCT ON (observation_id) observation_id, at FROM changes ORDER BY observation_id, id) first
          WHERE c.observation_id = first.observation_id AND c.until IS NULL
          RETURNING c.observation_id, c.at
        )
        INSERT INTO observation_changes (${sql.literal(columns)})
          SELECT o.workspace_id, o.repository_id, o.id, e.at, ${sql.literal(facts)},
            coalesce(lag(e.at) OVER history, p.at, o.first_seen_at), lead(e.at) OVER history, o.priority, o.domain,
            o.rule_id
          FROM changes e JOIN observations o ON o.id = e.observation_id
            LEFT JOIN previous p ON p.observation_id = e.observation_id
          WINDOW history AS (PARTITION BY e.observation_id ORDER BY e.id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER follow_changes AFTER INSERT ON observation_events REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION follow_observation_events();

      CREATE FUNCTION follow_observation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE observation_changes SET repository_id = NEW.repository_id, priority = NEW.priority, domain = NEW.domain,
          rule_id = NEW.rule_id WHERE observation_id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER follow_observation AFTER UPDATE ON observations FOR EACH ROW
        WHEN (${sql.literal(kept("OLD"))} IS DISTINCT FROM ${sql.literal(kept("NEW"))})
        EXECUTE FUNCTION follow_observation();
    `,
    tenantPolicy(sql, "observation_changes", { repository: "repository_id" })
  ])
)
