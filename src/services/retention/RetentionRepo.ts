import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Count, Instant, Uuid } from "../../schema/Text.ts"
import { countRows, firstRow, hasRow, rows, run } from "../support/rows.ts"
import { transactional } from "../support/transactional.ts"

/** Where a pass over ended jobs stands: everything of this job and of those that ended before it is done. */
const JobEnd = Schema.Struct({ at: Instant, id: Uuid })
export type JobEnd = typeof JobEnd.Type

const Deleted = Schema.Struct({ deleted: Count, ...JobEnd.fields })

const RunRow = Schema.Struct({ kind: Schema.String, ended_at: Instant, reached: Schema.NullOr(Instant) })

interface Oldest {
  readonly before: string
  readonly most: number
}

interface OfJobs extends Oldest {
  readonly after: JobEnd
}

export interface RunRecord {
  readonly kind: string
  readonly ended_at: string
  readonly took_ms: number
  readonly deleted: number
  /** Null leaves what an earlier run has reached. */
  readonly reached: string | null
  readonly error: string | null
}

/** Jobs that one statement looks at; few have more events than a batch. */
const jobsAtOnce = 200

const sampledTables = 12

/**
 * Deletes in batches of at most `most` rows. A row that another transaction holds is left to the next run. Rows are named by
 * ctid, which is unique in one table, not in its partitions: none of these tables may be partitioned.
 */
export class RetentionRepo extends Effect.Service<RetentionRepo>()("RetentionRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inTransaction = transactional(sql)

    /**
     * Deletes rows of jobs that ended before; nothing once there are no more such jobs. The jobs are given as an array: to plan a
     * join PostgreSQL looks for the lowest job that still has rows, past all that are deleted and not yet vacuumed, which took
     * 1.5 s for each batch once 5,000,000 rows were.
     */
    const ofEndedJobs = (table: "job_events" | "job_artifacts", condition: string, request: OfJobs) =>
      firstRow(
        Deleted,
        sql`
          WITH due AS MATERIALIZED (
            SELECT id, finished_at FROM jobs
            WHERE finished_at < ${request.before} AND (finished_at, id) > (${request.after.at}::timestamptz, ${request.after.id}::uuid)
            ORDER BY finished_at, id LIMIT ${jobsAtOnce}
          ), deleted AS (
            DELETE FROM ${sql.literal(table)} WHERE ctid = ANY(ARRAY(
              SELECT r.ctid FROM ${sql.literal(table)} r WHERE r.job_id = ANY(ARRAY(SELECT id FROM due)) AND ${sql.literal(condition)}
              LIMIT ${request.most} FOR UPDATE OF r SKIP LOCKED)) RETURNING 1
          )
          SELECT (SELECT count(*)::int FROM deleted) AS deleted, finished_at AS at, id FROM due ORDER BY finished_at DESC, id DESC LIMIT 1`
      )

    const deleteEvents = (request: OfJobs) => ofEndedJobs("job_events", "true", request)

    /** What stages handed to each other. */
    const deleteHandovers = (request: OfJobs) => ofEndedJobs("job_artifacts", "r.name IS NULL", request)

    const deleteArtifacts = (request: OfJobs) => ofEndedJobs("job_artifacts", "r.name IS NOT NULL", request)

    const deleteKeys = ({ before, most }: Oldest) =>
      countRows(sql`DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_keys WHERE created_at <= ${before} ORDER BY created_at LIMIT ${most}
        FOR UPDATE SKIP LOCKED)) RETURNING 1`)

    const deleteMails = ({ before, most }: Oldest) =>
      countRows(sql`DELETE FROM outbox_mails WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM outbox_mails WHERE status <> 'pending' AND created_at < ${before} ORDER BY created_at
        LIMIT ${most} FOR UPDATE SKIP LOCKED)) RETURNING 1`)

    const deleteLinks = ({ before, most }: Oldest) =>
      countRows(sql`DELETE FROM sign_in_links WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM sign_in_links WHERE expires_at < ${before} LIMIT ${most} FOR UPDATE SKIP LOCKED)) RETURNING 1`)

    const deleteSessions = ({ before, most }: Oldest) =>
      countRows(sql`DELETE FROM sessions WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM sessions WHERE expires_at < ${before} LIMIT ${most} FOR UPDATE SKIP LOCKED)) RETURNING 1`)

    /** A trigger holds the log against every other deletion. */
    const deleteRecords = ({ before, most }: Oldest) =>
      inTransaction(
        Effect.zipRight(
          run(sql`SELECT set_config('assay.audit_log_before', ${before}, true)`),
          countRows(sql`DELETE FROM audit_log WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM audit_log WHERE at < ${before} ORDER BY at LIMIT ${most})) RETURNING 1`)
        )
      )

    const deleteSamples = ({ before, most }: Oldest) =>
      countRows(sql`DELETE FROM storage_samples WHERE day IN (
        SELECT day FROM storage_samples WHERE day < ${before}::timestamptz::date LIMIT ${most}) RETURNING 1`)

    const runs = rows(RunRow, sql`SELECT kind, ended_at, reached FROM retention_runs`)

    const remember = ({ kind, ended_at, took_ms, deleted, reached, error }: RunRecord) =>
      run(sql`
        INSERT INTO retention_runs (kind, ended_at, took_ms, deleted, deleted_in_all, reached, error)
        VALUES (${kind}, ${ended_at}, ${took_ms}, ${deleted}, ${deleted}, ${reached}, ${error})
        ON CONFLICT (kind) DO UPDATE SET ended_at = EXCLUDED.ended_at, took_ms = EXCLUDED.took_ms,
          deleted = EXCLUDED.deleted, deleted_in_all = retention_runs.deleted_in_all + EXCLUDED.deleted,
          reached = coalesce(EXCLUDED.reached, retention_runs.reached), error = EXCLUDED.error`)

    /** The size of the database and of its largest tables, with what belongs to them; the day's first stays. */
    const sample = (at: string) =>
      run(sql`
        INSERT INTO storage_samples (day, bytes, tables)
        SELECT ${at}::timestamptz::date, pg_database_size(current_database()), (
          SELECT jsonb_object_agg(name, bytes) FROM (
            SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind = 'r' AND n.nspname IN (current_schema(), 'engine')
            ORDER BY bytes DESC LIMIT ${sampledTables}) largest)
        ON CONFLICT (day) DO NOTHING`)

    /** Whether a job works on a repository. */
    const isBusy = (repositoryId: string) =>
      hasRow(sql`SELECT 1 FROM jobs WHERE repository_id = ${repositoryId} AND status = 'running' LIMIT 1`)

    return {
      deleteArtifacts,
      deleteEvents,
      deleteHandovers,
      deleteKeys,
      deleteLinks,
      deleteMails,
      deleteRecords,
      deleteSamples,
      deleteSessions,
      isBusy,
      remember,
      runs,
      sample
    }
  })
}) {}
