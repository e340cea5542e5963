import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { type ArtifactId, JobId } from "../../schema/Ids.ts"
import { type ArtifactContentType, JobStatus } from "../../schema/Job.ts"
import { Count, JsonObject } from "../../schema/Text.ts"
import type { StageOutput } from "../ports/Workflow.ts"
import { firstRow, hasRow, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { channels } from "./JobEventsRepo.ts"

export interface StageKey {
  readonly job_id: JobId
  readonly stage: string
}

export const StageState = Schema.Struct({
  status: JobStatus,
  run: Count,
  fence: Count,
  /** Since its holder reported last, by the database's clock: those of two workers may be days apart. */
  silent_seconds: Schema.Number,
  done: Schema.Boolean
})
export type StageState = typeof StageState.Type

/** An artifact for people; its content is compressed, `size` and hash are those of what it is. */
interface Publication {
  readonly id: ArtifactId
  readonly job_id: JobId
  readonly namespace: string
  readonly name: string
  readonly content_type: ArtifactContentType
  readonly content: Uint8Array
  readonly size: number
  readonly content_hash: string
  readonly at: string
}

const Started = Schema.Struct({ fence: Count, done: Schema.Boolean })
const Finished = Schema.Struct({ output: JsonObject })
const Artifact = Schema.Struct({ content: Schema.Uint8ArrayFromSelf })

export class StagesRepo extends Effect.Service<StagesRepo>()("StagesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * Takes the stage over from any holder, and reports it in an event. Nothing when the job no longer runs, or another run
     * works on it. A finished stage stays finished.
     */
    const start = (request: StageKey & { readonly run: number; readonly runner: string; readonly at: string }) =>
      firstRow(
        Started,
        sql`/* prepared */
            WITH job AS (
              UPDATE jobs SET event_seq = event_seq + 1
              WHERE id = ${request.job_id} AND run = ${request.run} AND status = 'running' RETURNING id, event_seq
            ), stage AS (
              INSERT INTO job_stages AS s (job_id, stage, fence, runner, started_at, seen_at)
              SELECT id, ${request.stage}, 1, ${request.runner}, ${request.at}::timestamptz, clock_timestamp()
              FROM job
              ON CONFLICT (job_id, stage) DO UPDATE SET fence = s.fence + 1, runner = EXCLUDED.runner,
                seen_at = clock_timestamp(),
                started_at = CASE WHEN s.finished_at IS NULL THEN EXCLUDED.started_at ELSE s.started_at END
              RETURNING s.fence, s.finished_at IS NOT NULL AS done
            ), event AS (
              INSERT INTO job_events (job_id, seq, ts, stage, type, detail, data)
              SELECT job.id, job.event_seq, ${request.at}::timestamptz, ${request.stage},
                CASE WHEN stage.done THEN 'stage_skipped' ELSE 'stage_started' END,
                CASE WHEN stage.done THEN 'Finished before.' ELSE '' END,
                jsonb_build_object('attempt_number', stage.fence)
              FROM job, stage
            )
            SELECT stage.*, pg_notify(${channels.events}, job.id::text) FROM stage, job`
      )

    const look = (key: StageKey) =>
      firstRow(
        StageState,
        sql`
            SELECT j.status, j.run, s.fence, s.finished_at IS NOT NULL AS done,
              extract(epoch FROM clock_timestamp() - s.seen_at)::float8 AS silent_seconds
            FROM jobs j JOIN job_stages s ON s.job_id = j.id AND s.stage = ${key.stage} WHERE j.id = ${key.job_id}`
      )

    /**
     * As `look`, and no one can cancel the job or take the stage over before the transaction ends. The job's row is always
     * locked before the stage's, and as strongly as an event needs it: two holders of a shared lock that both went on to
     * write would wait for each other.
     */
    const lock = (key: StageKey) =>
      firstRow(
        StageState,
        sql`
            SELECT j.status, j.run, s.fence, s.finished_at IS NOT NULL AS done,
              extract(epoch FROM clock_timestamp() - s.seen_at)::float8 AS silent_seconds
            FROM jobs j JOIN job_stages s ON s.job_id = j.id AND s.stage = ${key.stage} WHERE j.id = ${key.job_id}
            FOR NO KEY UPDATE OF j FOR SHARE OF s`
      )

    /** As `look`, and reports that the holder of the fence runs. */
    const seen = (key: StageKey & { readonly fence: number }) =>
      firstRow(
        StageState,
        sql`/* prepared */
            WITH report AS (
              UPDATE job_stages SET seen_at = clock_timestamp()
              WHERE job_id = ${key.job_id} AND stage = ${key.stage} AND fence = ${key.fence}
            )
            SELECT j.status, j.run, s.fence, s.finished_at IS NOT NULL AS done,
              extract(epoch FROM clock_timestamp() - s.seen_at)::float8 AS silent_seconds
            FROM jobs j JOIN job_stages s ON s.job_id = j.id AND s.stage = ${key.stage} WHERE j.id = ${key.job_id}`
      )

    /**
     * Ends the stage with the event that reports it, under the locks of `lock`; false when it was finished before, or when
     * another execution holds it or the job ended.
     */
    const finish = (
      request: StageKey & {
        readonly run: number
        readonly fence: number
        readonly output: StageOutput
        readonly at: string
      }
    ) =>
      hasRow(sql`/* prepared */
          WITH held AS MATERIALIZED (
            SELECT j.id, s.stage FROM jobs j JOIN job_stages s ON s.job_id = j.id AND s.stage = ${request.stage}
            WHERE j.id = ${request.job_id} AND j.status = 'running' AND j.run = ${request.run}
              AND s.fence = ${request.fence} AND s.finished_at IS NULL
            FOR NO KEY UPDATE OF j FOR NO KEY UPDATE OF s
          ), stage AS (
            UPDATE job_stages s SET finished_at = ${request.at}::timestamptz, output = ${jsonb(request.output)}
            FROM held WHERE s.job_id = held.id AND s.stage = held.stage
          ), job AS (
            UPDATE jobs SET event_seq = event_seq + 1 FROM held WHERE jobs.id = held.id
            RETURNING jobs.id, jobs.event_seq, held.stage
          ), event AS (
            INSERT INTO job_events (job_id, seq, ts, stage, type, detail)
            SELECT id, event_seq, ${request.at}::timestamptz, stage, 'stage_completed', '' FROM job
          )
          SELECT pg_notify(${channels.events}, id::text) FROM job`)

    const output = (key: StageKey) =>
      Effect.map(
        firstRow(
          Finished,
          sql`
            SELECT output FROM job_stages
            WHERE job_id = ${key.job_id} AND stage = ${key.stage} AND finished_at IS NOT NULL`
        ),
        Option.map((row) => row.output)
      )

    /** Again in the same namespace, it replaces the content and keeps its ID. */
    const publishArtifact = (artifact: Publication) =>
      run(sql`
          INSERT INTO job_artifacts (id, job_id, namespace, content, content_hash, created_at, name, content_type, size)
          VALUES (${artifact.id}, ${artifact.job_id}, ${artifact.namespace}, ${artifact.content},
            ${artifact.content_hash}, ${artifact.at}, ${artifact.name}, ${artifact.content_type}, ${artifact.size})
          ON CONFLICT (job_id, namespace) DO UPDATE SET content = EXCLUDED.content,
            content_hash = EXCLUDED.content_hash, created_at = EXCLUDED.created_at, name = EXCLUDED.name,
            content_type = EXCLUDED.content_type, size = EXCLUDED.size`)

    const writeArtifact = (artifact: {
      readonly job_id: JobId
      readonly namespace: string
      readonly content: Uint8Array
      readonly content_hash: string
      readonly at: string
    }) =>
      run(sql`
          INSERT INTO job_artifacts (job_id, namespace, content, content_hash, created_at)
          VALUES (${artifact.job_id}, ${artifact.namespace}, ${artifact.content}, ${artifact.content_hash}, ${artifact.at})
          ON CONFLICT (job_id, namespace) DO UPDATE SET content = EXCLUDED.content,
            content_hash = EXCLUDED.content_hash, created_at = EXCLUDED.created_at`)

    const readArtifact = (request: { readonly job_id: JobId; readonly namespace: string }) =>
      Effect.map(
        firstRow(
          Artifact,
          sql`
            SELECT content FROM job_artifacts
            WHERE job_id = ${request.job_id} AND namespace = ${request.namespace}`
        ),
        Option.map((row) => row.content)
      )

    return { start, look, lock, seen, finish, output, publishArtifact, writeArtifact, readArtifact }
  })
}) {}
