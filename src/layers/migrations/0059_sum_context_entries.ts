import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { inOrder, tenantPolicy } from "./support/policies.ts"

const level = "workspace_id, project_id, scope"

/** How many rows share the sums of a level, so that writers of its entries rarely wait for each other. */
const parts = 16

// Adding and taking away are the same for the hash.
const addUp = (changes: string, part: string) => `
  INSERT INTO context_sums AS s (${level}, part, hash, proposed)
    SELECT ${level}, ${part},
      bit_xor(hashtextextended(concat_ws(':', id, version, extract(epoch FROM corroborated_at)), 0)),
      sum(CASE status WHEN 'proposed' THEN sign ELSE 0 END)
    FROM (${changes}) changes WHERE disabled_at IS NULL GROUP BY ${level} ORDER BY ${level}
    ON CONFLICT (${level}, part) DO UPDATE SET hash = s.hash # excluded.hash, proposed = s.proposed + excluded.proposed`

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  inOrder([
    sql`
      -- What identifies the enabled entries of a level, by what they pass down, and how many of them are proposed: reading
      -- 5,000 entries for the ETag of a page took longer than the page. Each entry is in the hash by its ID, version and
      -- corroboration. The parts of a level are to be put together.
      CREATE TABLE context_sums (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        -- NULL: the workspace itself.
        project_id uuid REFERENCES projects,
        scope text NOT NULL,
        part integer NOT NULL,
        hash bigint NOT NULL,
        proposed integer NOT NULL,
        UNIQUE NULLS NOT DISTINCT (${sql.literal(level)}, part)
      );

      -- Entries are deleted with their workspace only, and so are the sums.
      CREATE FUNCTION sum_added_context_entries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${sql.literal(addUp("SELECT *, 1 AS sign FROM added", `pg_backend_pid() % ${parts}`))};
        RETURN NULL;
      END $$;
      CREATE TRIGGER sum_added AFTER INSERT ON context_entries REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION sum_added_context_entries();

      CREATE FUNCTION sum_changed_context_entries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${sql.literal(addUp("SELECT *, 1 AS sign FROM after UNION ALL SELECT *, -1 FROM before", `pg_backend_pid() % ${parts}`))};
        RETURN NULL;
      END $$;
      CREATE TRIGGER sum_changed AFTER UPDATE ON context_entries REFERENCING NEW TABLE AS after OLD TABLE AS before
        FOR EACH STATEMENT EXECUTE FUNCTION sum_changed_context_entries();
      ${sql.literal(addUp("SELECT *, 1 AS sign FROM context_entries", "0"))};
    `,
    tenantPolicy(sql, "context_sums")
  ])
)
