import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Credential, CredentialKind } from "../../schema/Credential.ts"
import { CredentialId, type RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import { Count } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"

export interface NewCredential {
  readonly id: CredentialId
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
  readonly kind: CredentialKind
  readonly host: string
  readonly username: string | null
  readonly sealed: string
  readonly known_hosts: string | null
  readonly fingerprint: string | null
  readonly created_at: string
}

/** A credential with its sealed secret. */
const SealedCredential = Schema.Struct({
  id: CredentialId,
  kind: CredentialKind,
  username: Schema.NullOr(Schema.String),
  sealed: Schema.String,
  known_hosts: Schema.NullOr(Schema.String)
})
export type SealedCredential = typeof SealedCredential.Type

type Addressed = { readonly workspace_id: WorkspaceId; readonly id: CredentialId }

const newestFirst = keyset("DESC", { "c.created_at": "timestamptz", "c.id": "uuid" })
const Total = Schema.Struct({ n: Count })

export class CredentialsRepo extends Effect.Service<CredentialsRepo>()("CredentialsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const ofWorkspace = (workspace_id: WorkspaceId) =>
      sql`SELECT c.id, c.kind, c.host, r.github_org || '/' || r.repo_name AS repository, c.username, c.fingerprint,
          c.created_at, c.last_used_at
        FROM credentials c LEFT JOIN repositories r ON r.id = c.repository_id
        WHERE c.workspace_id = ${workspace_id}`

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        Credential,
        sql`${ofWorkspace(request.workspace_id)} AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    const find = ({ workspace_id, id }: Addressed) =>
      firstRow(Credential, sql`${ofWorkspace(workspace_id)} AND c.id = ${id}`)

    /** The credential, locked: it is deleted once. */
    const lock = ({ workspace_id, id }: Addressed) =>
      firstRow(Credential, sql`${ofWorkspace(workspace_id)} AND c.id = ${id} FOR UPDATE OF c`)

    /** Credentials of one workspace are stored one at a time: their number is checked exactly. */
    const lockCredentialsOf = (workspace_id: WorkspaceId) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/credentials/${workspace_id}`}, 0))`)

    const countOf = (workspace_id: WorkspaceId) =>
      Effect.map(
        onlyRow(Total, sql`SELECT count(*)::int AS n FROM credentials WHERE workspace_id = ${workspace_id}`),
        ({ n }) => n
      )

    const insert = (credential: NewCredential) => run(sql`INSERT INTO credentials ${sql.insert({ ...credential })}`)

    const remove = ({ workspace_id, id }: Addressed) =>
      run(sql`DELETE FROM credentials WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** The one for a remote: the repository's own before the host's, and the newest of equals. */
    const mostSpecific = (request: Pick<NewCredential, "workspace_id" | "repository_id" | "kind" | "host">) =>
      firstRow(
        SealedCredential,
        sql`SELECT id, kind, username, sealed, known_hosts FROM credentials
          WHERE workspace_id = ${request.workspace_id} AND host = ${request.host} AND kind = ${request.kind}
            AND (repository_id IS NULL OR repository_id = ${request.repository_id}::uuid)
          ORDER BY repository_id IS NULL, created_at DESC, id DESC LIMIT 1`
      )

    /** Writes at most once a minute: many jobs may use one credential. */
    const markUsed = (request: Addressed & { readonly at: string; readonly unlessSince: string }) =>
      run(sql`UPDATE credentials SET last_used_at = ${request.at}
        WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}
          AND (last_used_at IS NULL OR last_used_at < ${request.unlessSince})`)

    return { list, find, lock, lockCredentialsOf, countOf, insert, remove, mostSpecific, markUsed }
  })
}) {}
