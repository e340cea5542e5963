import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { firstRow, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { bucketOf, digestsOf, hasDigest } from "./pathDigests.ts"

interface Addressed {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

const Bucket = Schema.Struct({ digests: Schema.Uint8ArrayFromSelf })

// A parameter of a statement stays some megabytes long, however many files there are.
const bucketsPerStatement = 32

export class KnownPathsRepo extends Effect.Service<KnownPathsRepo>()("KnownPathsRepo", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => {
    /** Replaces the paths that were known before. */
    const replace = ({ workspace_id, repository_id }: Addressed, paths: Iterable<string>) => {
      const rows = digestsOf(paths).map((digests, bucket) => ({ bucket, digests: digests.toString("hex") }))
      const parts = Array.from({ length: Math.ceil(rows.length / bucketsPerStatement) }, (_, n) =>
        rows.slice(n * bucketsPerStatement, (n + 1) * bucketsPerStatement)
      )
      return Effect.forEach(
        parts,
        (part) =>
          run(sql`INSERT INTO known_paths (repository_id, workspace_id, bucket, digests)
            SELECT ${repository_id}, ${workspace_id}, bucket, decode(digests, 'hex')
            FROM jsonb_to_recordset(${jsonb(part)}) AS r (bucket smallint, digests text)
            ON CONFLICT (repository_id, bucket) DO UPDATE SET digests = excluded.digests`),
        { discard: true }
      )
    }

    const forget = ({ workspace_id, repository_id }: Addressed) =>
      run(sql`DELETE FROM known_paths WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}`)

    /** None where no paths were ever recorded. */
    const has = ({ workspace_id, repository_id }: Addressed, path: string) =>
      Effect.map(
        firstRow(
          Bucket,
          sql`SELECT digests FROM known_paths
            WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND bucket = ${bucketOf(path)}`
        ),
        Option.map(({ digests }) => hasDigest(digests, path))
      )

    return { replace, forget, has }
  })
}) {}
