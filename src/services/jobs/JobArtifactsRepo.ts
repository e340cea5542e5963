import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { ArtifactId, JobId, WorkspaceId } from "../../schema/Ids.ts"
import { JobArtifact } from "../../schema/Job.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, rows } from "../support/rows.ts"

interface OfJob {
  readonly workspace_id: WorkspaceId
  readonly job_id: JobId
}

/** With its content, compressed. */
const StoredArtifact = Schema.Struct({ ...JobArtifact.fields, content: Schema.Uint8ArrayFromSelf })

const oldestFirst = keyset("ASC", { "a.id": "uuid" })

/** Artifacts for people; what one stage hands to the next is not among them. */
export class JobArtifactsRepo extends Effect.Service<JobArtifactsRepo>()("JobArtifactsRepo", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal("a.id, a.namespace, a.name, a.content_type, a.size, a.content_hash, a.created_at")

    /** Oldest first, one row more than `limit` when there are more. */
    const list = (request: OfJob & { readonly after: Position | null; readonly limit: number }) =>
      rows(
        JobArtifact,
        sql`SELECT ${columns} FROM job_artifacts a
              JOIN jobs j ON j.id = a.job_id AND j.workspace_id = ${request.workspace_id}
            WHERE a.job_id = ${request.job_id} AND a.name IS NOT NULL AND ${oldestFirst.after(request.after)}
            ORDER BY ${oldestFirst.by} LIMIT ${request.limit + 1}`
      )

    const find = (request: OfJob & { readonly id: ArtifactId }) =>
      firstRow(
        StoredArtifact,
        sql`SELECT ${columns}, a.content FROM job_artifacts a
              JOIN jobs j ON j.id = a.job_id AND j.workspace_id = ${request.workspace_id}
            WHERE a.job_id = ${request.job_id} AND a.id = ${request.id} AND a.name IS NOT NULL`
      )

    return { list, find }
  })
}) {}
