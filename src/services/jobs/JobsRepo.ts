import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Plan } from "../../schema/Feature.ts"
import { Forecast } from "../../schema/Forecast.ts"
import { JobId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor, FailureKind, failureKinds, Job, Workflow } from "../../schema/Job.ts"
import { Count, JsonObject } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { storableText } from "../support/storable.ts"
import { transactional } from "../support/transactional.ts"
import { type EndedFixJob, FixJobs } from "./FixJobs.ts"
import { JobEventsRepo, wholeJob } from "./JobEventsRepo.ts"
import type { JobLimitsSettings } from "./JobLimits.ts"

const JobRow = Schema.Struct(Job.fields).pipe(Schema.omit("retryable"))
type JobRow = typeof JobRow.Type

/** What the service needs beyond the wire's record. */
export const JobOrigin = Schema.Struct({
  repository_id: RepositoryId,
  original_job_id: JobId,
  dedupe_hash: Schema.String
})
export type JobOrigin = typeof JobOrigin.Type

export interface NewJob {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly workflow: Workflow
  readonly params: JsonObject
  readonly commit_sha: string | null
  readonly dedupe_hash: string
  readonly parent_job_id: JobId | null
  readonly original_job_id: JobId
  readonly attempt: number
  readonly forecast: Forecast
  readonly requested_by: Actor
  readonly at: string
}

interface ListRequest {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
  readonly workflow: string | null
  readonly active?: true
  readonly after: Position | null
  readonly limit: number
}

const toJob = (row: JobRow): Job => ({
  ...row,
  retryable:
    row.status === "cancelled" ||
    (row.status === "failed" && (row.failure_kind === null || failureKinds[row.failure_kind]))
})

const Policy = Schema.Struct({
  plan: Plan,
  entitled_workflows: Schema.NullOr(Schema.Array(Schema.String)),
  features: Schema.Array(Schema.String),
  max_queued: Schema.NullOr(Count),
  max_running: Schema.NullOr(Count)
})
/** How many jobs of a workspace wait, and how many run. */
const load = { queued: Count, running: Count }
const Admission = Schema.Struct({ in_flight: Schema.NullOr(JobId), completed: Schema.NullOr(JobId), ...load })
const Retries = Schema.Struct({ in_flight: Schema.NullOr(JobId), used: Count, ...load })
const Execution = Schema.Struct({ id: JobId, run: Count })
const EndingFixJob = Schema.Struct({ id: JobId, workspace_id: WorkspaceId })
const RunningJobRow = Schema.Struct({
  id: JobId,
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  workflow: Workflow,
  params: JsonObject,
  commit_sha: Schema.NullOr(Schema.String),
  attempt: Count,
  run: Count
})
const newestFirst = keyset("DESC", { "j.created_at": "timestamptz", "j.id": "uuid" })

export class JobsRepo extends Effect.Service<JobsRepo>()("JobsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* JobEventsRepo
    const fixJobs = yield* FixJobs
    const inTransaction = transactional(sql)

    const columns = sql.literal(`j.id, j.workflow, j.status, r.repo_name, j.created_at, j.queued_at, j.started_at,
      j.finished_at, j.commit_sha, j.params, j.parent_job_id, j.attempt, j.agent_runner, j.progress, j.cost_usd, j.forecast,
      j.error, j.failure_kind, j.pr_url, j.requested_by, j.result`)

    const find = (request: { readonly workspace_id: WorkspaceId; readonly id: JobId }) =>
      Effect.map(
        rows(
          JobRow,
          sql`/* prepared */
            SELECT ${columns} FROM jobs j JOIN repositories r ON r.id = j.repository_id
            WHERE j.workspace_id = ${request.workspace_id} AND j.id = ${request.id}`
        ),
        (rows) => Option.map(Option.fromNullable(rows[0]), toJob)
      )

    /** Newest first, one row more than `limit` when there are more; without jobs of deleted repositories. */
    const list = (request: ListRequest) =>
      Effect.map(
        rows(
          JobRow,
          sql`
            SELECT ${columns} FROM jobs j JOIN repositories r ON r.id = j.repository_id
            WHERE j.workspace_id = ${request.workspace_id} AND r.deleted_at IS NULL
              ${request.repository_id === null ? sql`` : sql`AND j.repository_id = ${request.repository_id}`}
              ${request.workflow === null ? sql`` : sql`AND j.workflow = ${request.workflow}`}
              ${request.active === true ? sql`AND j.status IN ('pending', 'running')` : sql``}
              AND ${newestFirst.after(request.after)}
            ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
        ),
        (rows) => rows.map(toJob)
      )

    /** Jobs of a repository that an idempotency key stands for. */
    const submittedWithKey = (request: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId }) =>
      Effect.map(
        rows(
          JobRow,
          sql`
            SELECT ${columns} FROM jobs j JOIN repositories r ON r.id = j.repository_id
            WHERE j.workspace_id = ${request.workspace_id} AND j.repository_id = ${request.repository_id}
              AND EXISTS (SELECT FROM idempotency_keys k WHERE k.job_id = j.id)`
        ),
        (rows) => rows.map(toJob)
      )

    const origin = (request: { readonly workspace_id: WorkspaceId; readonly id: JobId }) =>
      firstRow(
        JobOrigin,
        sql`
            SELECT repository_id, original_job_id, dedupe_hash FROM jobs
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`
      )

    /** One admission per workspace at a time, until the transaction ends: caps and twins are counted exactly. */
    const lockAdmission = (workspaceId: WorkspaceId) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/jobs/${workspaceId}`}, 0))`)

    /** The workspace's own settings of its jobs. */
    const policy = (workspaceId: WorkspaceId) =>
      onlyRow(
        Policy,
        sql`
            SELECT plan, features, entitled_workflows, max_queued, max_running FROM workspaces WHERE id = ${workspaceId}`
      )

    const loadOf = (workspaceId: WorkspaceId) =>
      sql`(SELECT count(*)::int FROM jobs WHERE workspace_id = ${workspaceId} AND status = 'pending') AS queued,
              (SELECT count(*)::int FROM jobs WHERE workspace_id = ${workspaceId} AND status = 'running') AS running`

    /** Jobs that would make a submission superfluous, and how many wait or run. */
    const admission = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly dedupe_hash: string
      readonly completedSince: string
    }) =>
      onlyRow(
        Admission,
        sql`
            SELECT
              (SELECT id FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND repository_id = ${request.repository_id} AND dedupe_hash = ${request.dedupe_hash}
                AND status IN ('pending', 'running') ORDER BY created_at DESC LIMIT 1) AS in_flight,
              (SELECT id FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND repository_id = ${request.repository_id} AND dedupe_hash = ${request.dedupe_hash}
                AND status = 'completed' AND finished_at > ${request.completedSince}
                ORDER BY finished_at DESC LIMIT 1) AS completed,
              ${loadOf(request.workspace_id)}`
      )

    /** The retry of `parent_job_id` that is queued or runs, and how many retries its whole chain has had. */
    const retries = (request: {
      readonly workspace_id: WorkspaceId
      readonly parent_job_id: JobId
      readonly original_job_id: JobId
    }) =>
      onlyRow(
        Retries,
        sql`
            SELECT
              (SELECT id FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND parent_job_id = ${request.parent_job_id} AND status IN ('pending', 'running')) AS in_flight,
              (SELECT count(*)::int FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND original_job_id = ${request.original_job_id} AND parent_job_id IS NOT NULL) AS used,
              ${loadOf(request.workspace_id)}`
      )

    /** Writes nothing when the repository is gone. */
    const insert = (job: NewJob) =>
      Effect.map(
        events.changeStatus({
          mutation: sql`
            INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, params, commit_sha, dedupe_hash,
              parent_job_id, original_job_id, attempt, agent_runner, forecast, reserved_usd, requested_by, event_seq, created_at,
              queued_at)
            SELECT ${job.id}::uuid, r.workspace_id, r.id, ${job.workflow}, 'pending', ${jsonb(job.params)},
              ${job.commit_sha}, ${job.dedupe_hash}, ${job.parent_job_id}::uuid, ${job.original_job_id}::uuid,
              ${job.attempt}::int, ${job.forecast.agent_runner ?? null}, ${jsonb(job.forecast)},
              round(${job.forecast.cost_mid}::numeric, 9), ${jsonb(job.requested_by)}, 1, ${job.at}::timestamptz,
              ${job.at}::timestamptz
            FROM repositories r
            WHERE r.workspace_id = ${job.workspace_id} AND r.id = ${job.repository_id} AND r.deleted_at IS NULL
            FOR SHARE`,
          at: job.at,
          detail: job.parent_job_id === null ? "Queued." : `Queued to run job ${job.parent_job_id} again.`
        }),
        (rows) => rows.length === 1
      )

    /** Fix jobs that are about to end end their attempts first: the rest of the end locks what recordings lock last. */
    const endAttempts = (where: Statement.Fragment, status: EndedFixJob["status"], error: string | null) =>
      rows(
        EndingFixJob,
        sql`SELECT id, workspace_id FROM jobs WHERE ${where} AND workflow = 'fix' ORDER BY id FOR NO KEY UPDATE`
      ).pipe(Effect.flatMap((ending) => fixJobs.ended(ending.map((job) => ({ ...job, status, error })))))

    /** The only way in which jobs end. */
    const end = (
      where: Statement.Fragment,
      change: {
        readonly status: "completed" | "failed" | "cancelled"
        readonly at: string
        readonly detail: string
        readonly error?: string
        readonly set?: Statement.Fragment
      }
    ) =>
      Effect.zipRight(
        endAttempts(where, change.status, change.error ?? null),
        events.changeStatus({
          mutation: sql`
            UPDATE jobs SET status = ${change.status}, finished_at = ${change.at}, event_seq = event_seq + 1
              ${change.set ?? sql``} WHERE ${where}`,
          at: change.at,
          detail: change.detail
        })
      ).pipe(
        Effect.map((rows) => rows.length === 1),
        inTransaction
      )

    const cancel = (request: { readonly workspace_id: WorkspaceId; readonly id: JobId; readonly at: string }) =>
      end(sql`workspace_id = ${request.workspace_id} AND id = ${request.id} AND status IN ('pending', 'running')`, {
        status: "cancelled",
        at: request.at,
        detail: "Cancelled."
      })

    /** Ends every queued or running job of a repository. */
    const cancelOfRepository = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly at: string
    }) =>
      Effect.asVoid(
        end(
          sql`workspace_id = ${request.workspace_id} AND repository_id = ${request.repository_id}
            AND status IN ('pending', 'running')`,
          { status: "cancelled", at: request.at, detail: "Cancelled: the repository was deleted." }
        )
      )

    /** `run` is the fence: an execution that was given up cannot end the job. */
    const complete = (request: {
      readonly id: JobId
      readonly run: number
      readonly result: JsonObject | null
      readonly at: string
    }) =>
      end(sql`id = ${request.id} AND run = ${request.run} AND status = 'running'`, {
        status: "completed",
        at: request.at,
        detail: "Completed.",
        set: sql`, result = ${jsonb(request.result)}`
      })

    const fail = (request: {
      readonly id: JobId
      readonly run: number
      readonly failure_kind: FailureKind
      readonly error: string
      readonly at: string
    }) =>
      end(sql`id = ${request.id} AND run = ${request.run} AND status = 'running'`, {
        status: "failed",
        at: request.at,
        detail: "Failed.",
        error: request.error,
        set: sql`, failure_kind = ${request.failure_kind}, error = ${storableText(request.error)}`
      })

    /**
     * Moves queued jobs to running within both caps, in one statement: the next of every workspace before the second of
     * any. Must run in a transaction: a lock makes it one claim at a time.
     */
    const claimPending = (request: {
      readonly workflows: ReadonlyArray<string>
      readonly limits: JobLimitsSettings
      readonly at: string
    }) =>
      Effect.zipRight(
        run(sql`SELECT pg_advisory_xact_lock(hashtextextended('assay/jobs/claim', 0))`),
        events.changeStatus({
          prelude: sql`
            active AS (SELECT workspace_id, count(*) AS n FROM jobs WHERE status = 'running' GROUP BY workspace_id),
            ranked AS (
              SELECT j.id, j.queued_at, coalesce(w.max_running, ${request.limits.runningPerWorkspace}) AS most,
                coalesce(a.n, 0)
                + row_number() OVER (PARTITION BY j.workspace_id ORDER BY j.queued_at, j.id) AS place
              FROM jobs j JOIN workspaces w ON w.id = j.workspace_id AND w.suspended_at IS NULL
                LEFT JOIN active a ON a.workspace_id = j.workspace_id
              WHERE j.status = 'pending' AND j.workflow = ANY(${[...request.workflows]}::text[])
            ),
            chosen AS (
              SELECT id FROM ranked WHERE place <= most
              ORDER BY place, queued_at, id
              LIMIT greatest(0, ${request.limits.running} - (SELECT coalesce(sum(n), 0) FROM active))
            ),`,
          mutation: sql`
            UPDATE jobs SET status = 'running', started_at = ${request.at}, event_seq = event_seq + 1
            FROM chosen WHERE jobs.id = chosen.id AND jobs.status = 'pending'`,
          at: request.at,
          detail: "Started."
        })
      )

    const running = rows(Execution, sql`SELECT id, run FROM jobs WHERE status = 'running' ORDER BY started_at, id`)

    /** The job as its stages see it; nothing when this run is not, or no longer, the one that works on it. */
    const open = (request: { readonly id: JobId; readonly run: number }) =>
      firstRow(
        RunningJobRow,
        sql`
            SELECT id, workspace_id, repository_id, workflow, params, commit_sha, attempt, run FROM jobs
            WHERE id = ${request.id} AND run = ${request.run} AND status = 'running'`
      )

    /** Gives up an execution that ended without ending the job: the next one skips the finished stages. */
    const nextRun = (request: { readonly id: JobId; readonly run: number; readonly at: string }) =>
      events.append(
        {
          job_id: request.id,
          stage: wholeJob,
          type: "attempt_started",
          detail: "The execution was lost; the job goes on from its last finished stage.",
          data: { attempt_number: request.run + 1 },
          at: request.at
        },
        sql`, run = run + 1`,
        sql`AND run = ${request.run} AND status = 'running'`
      )

    /** What stages handed to each other is of no use long after the end; what is for people is kept with the job. */
    const forgetArtifacts = (endedBefore: string) =>
      run(sql`DELETE FROM job_artifacts a USING jobs j
          WHERE j.id = a.job_id AND j.finished_at < ${endedBefore} AND a.name IS NULL`)

    return {
      admission,
      cancel,
      cancelOfRepository,
      claimPending,
      complete,
      fail,
      find,
      forgetArtifacts,
      insert,
      list,
      lockAdmission,
      nextRun,
      open,
      origin,
      policy,
      retries,
      running,
      submittedWithKey
    }
  })
}) {}
