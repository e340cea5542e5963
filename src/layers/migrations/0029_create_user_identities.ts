import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  CREATE TABLE user_identities (
    -- As the ID token has it; with the subject it is all that a person is recognised by.
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The issuer as it was configured at the last sign-in.
    provider text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3) NOT NULL,
    PRIMARY KEY (issuer, subject),
    -- An address that a provider gives to someone else does not lead into the account of who had it before.
    CONSTRAINT user_identities_one_of_an_issuer UNIQUE (user_id, issuer)
  );

  -- States that came back from the provider, until they would have expired anyway: each works once, in any process.
  CREATE TABLE used_sign_in_states (
    hash bytea PRIMARY KEY,
    expires_at timestamptz(3) NOT NULL
  );
  CREATE INDEX used_sign_in_states_by_expiry ON used_sign_in_states (expires_at);
`
)
