import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UserId } from "../../schema/Ids.ts"
import { firstRow, hasRow, run } from "../support/rows.ts"

/** What a person is recognised by at a provider. */
export interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

const Linked = Schema.Struct({ user_id: UserId, email: Schema.String })

export class IdentitiesRepo extends Effect.Service<IdentitiesRepo>()("IdentitiesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = ({ issuer, subject }: IdentityKey) =>
      firstRow(
        Linked,
        sql`SELECT u.id AS user_id, u.email FROM user_identities i JOIN users u ON u.id = i.user_id
            WHERE i.issuer = ${issuer} AND i.subject = ${subject}`
      )

    /** Whether the person already has an identity of the issuer. */
    const hasOneOf = (request: { readonly user_id: UserId; readonly issuer: string }) =>
      hasRow(sql`SELECT 1 FROM user_identities WHERE user_id = ${request.user_id} AND issuer = ${request.issuer}`)

    const insert = (identity: {
      readonly issuer: string
      readonly subject: string
      readonly user_id: UserId
      readonly provider: string
      readonly created_at: string
      readonly last_used_at: string
    }) => run(sql`INSERT INTO user_identities ${sql.insert(identity)}`)

    const markUsed = (request: IdentityKey & { readonly provider: string; readonly now: string }) =>
      run(sql`UPDATE user_identities SET provider = ${request.provider}, last_used_at = ${request.now}
          WHERE issuer = ${request.issuer} AND subject = ${request.subject}`)

    /** Keeps first sign-ins of one person in several processes from each making an account. */
    const lock = run(sql`SELECT pg_advisory_xact_lock(hashtext('assay/user-identities'))`)

    const ownerSignedInBy = (provider: string) =>
      hasRow(sql`SELECT 1 FROM user_identities i JOIN memberships m ON m.user_id = i.user_id
          WHERE i.provider = ${provider} AND m.role = 'owner' LIMIT 1`)

    /** Notes that a state came back; false when it did so before. */
    const useState = (state: { readonly hash: Buffer; readonly expires_at: string; readonly now: string }) =>
      Effect.zipRight(
        run(sql`DELETE FROM used_sign_in_states WHERE expires_at < ${state.now}`),
        hasRow(sql`INSERT INTO used_sign_in_states (hash, expires_at) VALUES (${state.hash}, ${state.expires_at})
          ON CONFLICT DO NOTHING RETURNING 1`)
      )

    return { find, hasOneOf, insert, markUsed, lock, ownerSignedInBy, useState }
  })
}) {}
