import { SqlClient } from "@effect/sql"
import { Effect, Schema, Struct } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { ResetCounts } from "../../schema/Repository.ts"
import { Count } from "../../schema/Text.ts"
import { countRows, onlyRow, run } from "../support/rows.ts"

interface Target {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

const Total = Schema.Struct({ n: Count })
const DeletedObservations = Schema.Struct(Struct.pick(ResetCounts.fields, "findings", "advisories", "suggestions"))

/** Deletes of a reset: all in one transaction, after `lock`. */
export class ResetRepo extends Effect.Service<ResetRepo>()("ResetRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Nothing is queued on the repository nor recorded in it until the transaction ends; jobs that are in its way. */
    const lock = ({ workspace_id, repository_id }: Target) =>
      Effect.gen(function* () {
        // As JobAdmissionRepo.lock: nothing is run again whose record is being deleted.
        yield* run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/jobs/${workspace_id}`}, 0))`)
        yield* run(sql`SELECT 1 FROM repositories WHERE workspace_id = ${workspace_id} AND id = ${repository_id}
          FOR NO KEY UPDATE`)
        const rows = yield* onlyRow(
          Total,
          sql`SELECT count(*)::int AS n FROM jobs
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}
            AND status IN ('pending', 'running')`
        )
        return rows.n
      })

    /** Attempts and events go with their observations. */
    const deleteObservations = ({
      workspace_id,
      repository_id,
      kinds
    }: Target & { readonly kinds: ReadonlyArray<string> }) =>
      Effect.gen(function* () {
        const attempts = yield* onlyRow(
          Total,
          sql`SELECT count(*)::int AS n
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
          WHERE o.workspace_id = ${workspace_id} AND o.repository_id = ${repository_id}
            AND o.kind = ANY(${[...kinds]}::text[])`
        )
        const deleted = yield* onlyRow(
          DeletedObservations,
          sql`
          WITH deleted AS (
            DELETE FROM observations WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}
              AND kind = ANY(${[...kinds]}::text[]) RETURNING kind
          )
          SELECT count(*) FILTER (WHERE kind = 'finding')::int AS findings,
            count(*) FILTER (WHERE kind = 'advisory')::int AS advisories,
            count(*) FILTER (WHERE kind = 'suggestion')::int AS suggestions FROM deleted`
        )
        return { ...deleted, fix_attempts: attempts.n }
      })

    /** A completed job whose observations were deleted must not count as a duplicate of a new submission. */
    const forgetDuplicates = ({ workspace_id, repository_id }: Target) =>
      run(sql`UPDATE jobs SET dedupe_hash = dedupe_hash || ' before reset'
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'completed'
            AND dedupe_hash NOT LIKE '% before reset'`)

    const deleteJobs = ({ workspace_id, repository_id }: Target) =>
      Effect.gen(function* () {
        const events = yield* onlyRow(
          Total,
          sql`SELECT count(*)::int AS n
          FROM job_events e JOIN jobs j ON j.id = e.job_id
          WHERE j.workspace_id = ${workspace_id} AND j.repository_id = ${repository_id}`
        )
        yield* run(sql`UPDATE observations SET first_seen_job_id = NULL
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND first_seen_job_id IS NOT NULL`)
        const rows = yield* onlyRow(
          Total,
          sql`
          WITH deleted AS (
            DELETE FROM jobs WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} RETURNING 1
          )
          SELECT count(*)::int AS n FROM deleted`
        )
        return { jobs: rows.n, job_events: events.n }
      })

    /** The repository is as if it had just been registered. */
    const deleteDiscovery = ({ workspace_id, repository_id }: Target) =>
      Effect.gen(function* () {
        yield* run(sql`UPDATE repositories SET last_audit_at = NULL, last_audit_sha = NULL, last_discovery_at = NULL,
            lines = NULL
          WHERE workspace_id = ${workspace_id} AND id = ${repository_id}`)
        yield* run(sql`DELETE FROM known_paths
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}`)
        return {
          discoveries: yield* countRows(sql`DELETE FROM discoveries
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} RETURNING 1`)
        }
      })

    return { lock, deleteObservations, forgetDuplicates, deleteJobs, deleteDiscovery }
  })
}) {}
