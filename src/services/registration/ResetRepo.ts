import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ResetCounts } from "../../schema/Repository.ts"

interface Target {
  readonly workspace_id: string
  readonly repository_id: string
}

/** Deletes of a reset: all in one transaction, after `lock`. */
export class ResetRepo extends Effect.Service<ResetRepo>()("ResetRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Nothing is queued on the repository nor recorded in it until the transaction ends; jobs that are in its way. */
    const lock = ({ workspace_id, repository_id }: Target) =>
      Effect.gen(function* () {
        // As JobsRepo.lockAdmission: nothing is run again whose record is being deleted.
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/jobs/${workspace_id}`}, 0))`
        yield* sql`SELECT 1 FROM repositories WHERE workspace_id = ${workspace_id} AND id = ${repository_id}
          FOR NO KEY UPDATE`
        const rows = yield* sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM jobs
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}
            AND status IN ('pending', 'running')`
        return rows[0]?.n ?? 0
      }).pipe(Effect.orDie)

    /** Attempts and events go with their observations. */
    const deleteObservations = ({
      workspace_id,
      repository_id,
      kinds
    }: Target & { readonly kinds: ReadonlyArray<string> }) =>
      Effect.gen(function* () {
        const attempts = yield* sql<{ readonly n: number }>`SELECT count(*)::int AS n
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
          WHERE o.workspace_id = ${workspace_id} AND o.repository_id = ${repository_id}
            AND o.kind = ANY(${[...kinds]}::text[])`
        const rows = yield* sql<Pick<ResetCounts, "findings" | "advisories" | "suggestions">>`
          WITH deleted AS (
            DELETE FROM observations WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}
              AND kind = ANY(${[...kinds]}::text[]) RETURNING kind
          )
          SELECT count(*) FILTER (WHERE kind = 'finding')::int AS findings,
            count(*) FILTER (WHERE kind = 'advisory')::int AS advisories,
            count(*) FILTER (WHERE kind = 'suggestion')::int AS suggestions FROM deleted`
        return { ...rows[0]!, fix_attempts: attempts[0]?.n ?? 0 }
      }).pipe(Effect.orDie)

    /** A completed job whose observations were deleted must not count as a duplicate of a new submission. */
    const forgetDuplicates = ({ workspace_id, repository_id }: Target) =>
      Effect.orDie(
        sql`UPDATE jobs SET dedupe_hash = dedupe_hash || ' before reset'
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'completed'
            AND dedupe_hash NOT LIKE '% before reset'`
      )

    const deleteJobs = ({ workspace_id, repository_id }: Target) =>
      Effect.gen(function* () {
        const events = yield* sql<{ readonly n: number }>`SELECT count(*)::int AS n
          FROM job_events e JOIN jobs j ON j.id = e.job_id
          WHERE j.workspace_id = ${workspace_id} AND j.repository_id = ${repository_id}`
        yield* sql`UPDATE observations SET first_seen_job_id = NULL
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND first_seen_job_id IS NOT NULL`
        const rows = yield* sql<{ readonly n: number }>`
          WITH deleted AS (
            DELETE FROM jobs WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} RETURNING 1
          )
          SELECT count(*)::int AS n FROM deleted`
        return { jobs: rows[0]?.n ?? 0, job_events: events[0]?.n ?? 0 }
      }).pipe(Effect.orDie)

    /** The repository is as if it had just been registered. */
    const deleteDiscovery = ({ workspace_id, repository_id }: Target) =>
      Effect.gen(function* () {
        yield* sql`UPDATE repositories SET last_audit_at = NULL, last_audit_sha = NULL, last_discovery_at = NULL
          WHERE workspace_id = ${workspace_id} AND id = ${repository_id}`
        const rows = yield* sql`DELETE FROM discoveries
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} RETURNING 1`
        return { discoveries: rows.length }
      }).pipe(Effect.orDie)

    return { lock, deleteObservations, forgetDuplicates, deleteJobs, deleteDiscovery }
  })
}) {}
