import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Random values that all processes of one database share; each is made when first asked for. */
export class ServerSecrets extends Effect.Service<ServerSecrets>()("ServerSecrets", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => ({
    get: (name: string): Effect.Effect<Buffer> =>
      Effect.gen(function* () {
        yield* sql`INSERT INTO server_secrets (name, value) VALUES (${name}, ${randomBytes(32)}) ON CONFLICT DO NOTHING`
        const rows = yield* sql<{ readonly value: Buffer }>`SELECT value FROM server_secrets WHERE name = ${name}`
        return rows[0]!.value
      }).pipe(Effect.orDie)
  }))
}) {}
