import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
      -- 'none': not registered through the app, or the app was never seen there.
      ALTER TABLE repositories
        ADD COLUMN installation_status text NOT NULL DEFAULT 'none'
          CHECK (installation_status IN ('none', 'active', 'removed')),
        ADD COLUMN auto_review text NOT NULL DEFAULT 'off' CHECK (auto_review IN ('off', 'on'));

      -- Deliveries of the app's webhook: of the installation as a whole, as GitHub knows no workspaces. Of the payload only
      -- what is acted on is kept.
      CREATE TABLE github_deliveries (
        delivery_id text PRIMARY KEY CHECK (length(delivery_id) BETWEEN 1 AND 100),
        event text NOT NULL,
        facts jsonb NOT NULL,
        received_at timestamptz(3) NOT NULL,
        processed_at timestamptz(3),
        attempts int NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL,
        error text
      );
      -- What is to be done next.
      CREATE INDEX github_deliveries_waiting ON github_deliveries (next_attempt_at) WHERE processed_at IS NULL;
      CREATE INDEX github_deliveries_by_age ON github_deliveries (received_at);
    `
)
