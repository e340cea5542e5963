import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

const counted = "workspace_id, repository_id, status, open_fix_pr, kind, priority, category, domain, tool, rule_id"

const of = (row: string) =>
  counted
    .split(", ")
    .map((column) => `${row}.${column}`)
    .join(", ")

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      -- How many observations there are of each combination: counting 1,000,000 rows for the facets of a list took seconds.
      -- A change appends what it adds and takes away, so that no transaction waits for another one's count; the sum of all
      -- rows of a combination is its number. Each audit adds the rows of its repository up.
      CREATE TABLE observation_counts (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
        status text NOT NULL,
        open_fix_pr boolean NOT NULL,
        kind text NOT NULL,
        priority text NOT NULL,
        category text NOT NULL,
        domain text NOT NULL,
        tool text NOT NULL,
        rule_id text NOT NULL,
        count integer NOT NULL
      );
      INSERT INTO observation_counts (${sql.literal(counted)}, count)
        SELECT ${sql.literal(counted)}, count(*) FROM observations GROUP BY ${sql.literal(counted)};
      CREATE INDEX observation_counts_of_workspace ON observation_counts (workspace_id, status);
      CREATE INDEX observation_counts_of_repository ON observation_counts (repository_id, status);

      CREATE FUNCTION count_observations() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO observation_counts (${sql.literal(counted)}, count)
          SELECT ${sql.literal(counted)}, count(*) FROM added GROUP BY ${sql.literal(counted)};
        RETURN NULL;
      END $$;
      CREATE TRIGGER count_added AFTER INSERT ON observations REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION count_observations();

      -- Observations that are deleted with their repository or workspace have no counts that could be corrected.
      CREATE FUNCTION uncount_observations() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO observation_counts (${sql.literal(counted)}, count)
          SELECT ${sql.literal(of("d"))}, -count(*) FROM deleted d JOIN repositories r ON r.id = d.repository_id
          JOIN workspaces w ON w.id = d.workspace_id GROUP BY ${sql.literal(of("d"))};
        RETURN NULL;
      END $$;
      CREATE TRIGGER count_deleted AFTER DELETE ON observations REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION uncount_observations();

      -- For each row, because an audit updates every observation that it finds again and few of them change their place.
      CREATE FUNCTION recount_observation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO observation_counts (${sql.literal(counted)}, count)
          VALUES (${sql.literal(of("OLD"))}, -1), (${sql.literal(of("NEW"))}, 1);
        RETURN NULL;
      END $$;
      CREATE TRIGGER count_changed AFTER UPDATE ON observations FOR EACH ROW
        WHEN ((${sql.literal(of("OLD"))}) IS DISTINCT FROM (${sql.literal(of("NEW"))}))
        EXECUTE FUNCTION recount_observation();
    `,
    tenantPolicy(sql, "observation_counts", { repository: "repository_id" })
  ])
)
