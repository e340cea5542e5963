import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { JobId, ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Kind, Location, ObservationNumber, ObservationStatus } from "../../schema/Observation.ts"
import { Count } from "../../schema/Text.ts"
import { rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

/** An observation to check again. */
export const RevalidationRow = Schema.Struct({
  id: ObservationId,
  number: ObservationNumber,
  status: ObservationStatus,
  last_seen_job_id: Schema.NullOr(JobId),
  kind: Kind,
  tool: Schema.String,
  tool_version: Count,
  file_path: Schema.String,
  symbol: Schema.NullOr(Schema.String),
  description: Schema.String,
  locations: Schema.Array(Location),
  open_fix_pr: Schema.Boolean
})
export type RevalidationRow = typeof RevalidationRow.Type

export const SettledRow = Schema.Struct({
  ...RevalidationRow.fields,
  /** The job closed it in a run that was broken off before it could report that. */
  closed_by_job: Schema.Boolean
})
export type SettledRow = typeof SettledRow.Type

/** The observations of one repository. */
interface Scope {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

interface Evidence {
  readonly workspace_id: WorkspaceId
  readonly id: ObservationId
  readonly at: string
  readonly evidence: unknown
}

export class RevalidationRepo extends Effect.Service<RevalidationRepo>()("RevalidationRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      `o.id, o.number, o.status, o.kind, o.tool, o.tool_version, o.file_path, o.symbol, o.description, o.locations,
        o.open_fix_pr, o.last_seen_job_id`
    )

    const isIn = ({ workspace_id, repository_id }: Scope) =>
      sql`o.workspace_id = ${workspace_id} AND o.repository_id = ${repository_id}`

    /** Those of the numbers, whatever their status; without numbers, all that are open. */
    const targets = (request: Scope & { readonly numbers: ReadonlyArray<ObservationNumber> | null }) =>
      rows(
        RevalidationRow,
        sql`SELECT ${columns} FROM observations o WHERE ${isIn(request)}
          AND ${request.numbers === null ? sql.literal("o.status = 'new'") : sql`o.number = ANY(${[...request.numbers]}::bigint[])`}
          ORDER BY o.number`
      )

    const knownNumbers = (request: Scope & { readonly numbers: ReadonlyArray<ObservationNumber> }) =>
      Effect.map(
        rows(
          RevalidationRow.pipe(Schema.pick("number")),
          sql`SELECT o.number FROM observations o
            WHERE ${isIn(request)} AND o.number = ANY(${[...request.numbers]}::bigint[])`
        ),
        (found) => found.map(({ number }) => number)
      )

    const byId = (request: Scope & { readonly ids: ReadonlyArray<ObservationId> }) =>
      rows(
        RevalidationRow,
        sql`SELECT ${columns} FROM observations o
          WHERE ${isIn(request)} AND o.id = ANY(${[...request.ids]}::uuid[])`
      )

    /** The same, locked, and with what this job has done to them already. */
    const settle = (request: Scope & { readonly ids: ReadonlyArray<ObservationId>; readonly job_id: JobId }) =>
      rows(
        SettledRow,
        sql`SELECT ${columns}, o.status = 'closed' AND EXISTS (SELECT FROM observation_events e
                WHERE e.observation_id = o.id AND e.job_id = ${request.job_id}) AS closed_by_job
              FROM observations o WHERE ${isIn(request)}
                AND o.id = ANY(${[...request.ids]}::uuid[]) ORDER BY o.number FOR NO KEY UPDATE OF o`
      )

    /** Evidence without an occurrence; `updated_at` moves only when it says something else than before. */
    const note = ({ workspace_id, id, at, evidence }: Evidence) =>
      run(sql`UPDATE observations SET evidence = ${jsonb(evidence)},
          updated_at = CASE WHEN evidence = ${jsonb(evidence)} THEN updated_at ELSE ${at}::timestamptz END
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** Seen again, where it was before. */
    const confirm = ({ workspace_id, id, at, evidence, job_id }: Evidence & { readonly job_id: JobId }) =>
      run(sql`UPDATE observations SET evidence = ${jsonb(evidence)}, last_seen_at = ${at}, last_seen_job_id = ${job_id},
          times_seen = times_seen + 1
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    return { targets, knownNumbers, byId, settle, note, confirm }
  })
}) {}
