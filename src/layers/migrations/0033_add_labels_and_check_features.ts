import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  -- Earlier versions let an operator switch on names that nothing read, on any plan; a later version must not find them on.
  UPDATE workspaces SET features = CASE
      WHEN plan = 'paid' AND 'audit_suggestions' = ANY (features) THEN ARRAY['audit_suggestions'] ELSE '{}' END
    WHERE features <> '{}';
  ALTER TABLE workspaces ADD CONSTRAINT workspaces_features_known
    CHECK (features <@ ARRAY['missions', 'change_reviews', 'webhooks', 'audit_suggestions']);

  -- Set by people only; entries of levels below inherit them with the entry.
  ALTER TABLE context_entries ADD COLUMN labels text[] NOT NULL DEFAULT '{}';
`
)
