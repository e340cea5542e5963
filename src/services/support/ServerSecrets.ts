import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { onlyRow, run } from "./rows.ts"

const Secret = Schema.Struct({ value: Schema.instanceOf(Buffer) })

/** Random values that all processes of one database share; each is made when first asked for. */
export class ServerSecrets extends Effect.Service<ServerSecrets>()("ServerSecrets", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => ({
    get: (name: string): Effect.Effect<Buffer> =>
      Effect.gen(function* () {
        yield* run(
          sql`INSERT INTO server_secrets (name, value) VALUES (${name}, ${randomBytes(32)}) ON CONFLICT DO NOTHING`
        )
        return (yield* onlyRow(Secret, sql`SELECT value FROM server_secrets WHERE name = ${name}`)).value
      })
  }))
}) {}
