import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Option, Schema, Struct } from "effect"
import { Trace } from "../../engine/index.ts"
import { Forecast } from "../../schema/Forecast.ts"
import { JobId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor, FailureKind, failureKinds, Job, Workflow } from "../../schema/Job.ts"
import { Count, Instant, JsonObject } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, rows } from "../support/rows.ts"
import { jsonb, printedInstant } from "../support/statements.ts"
import { storableText } from "../support/storable.ts"
import { transactional } from "../support/transactional.ts"
import { type EndedFixJob, FixJobs } from "./FixJobs.ts"
import { JobEventsRepo, wholeJob } from "./JobEventsRepo.ts"
import { MissionJobs } from "./MissionJobs.ts"
import { isInternal } from "./submission.ts"

const JobRow = Schema.Struct(Struct.omit(Job.fields, "retryable"))
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

const isRetryable = ({ workflow, status, failure_kind }: Pick<Job, "workflow" | "status" | "failure_kind">): boolean =>
  !isInternal(workflow) &&
  (status === "cancelled" || (status === "failed" && (failure_kind === null || failureKinds[failure_kind])))

const toJob = (row: JobRow): Job => ({ ...row, retryable: isRetryable(row) })

const names = Object.keys(JobRow.fields)
const columnOf = (name: string) => `${name === "repo_name" ? "r" : "j"}.${name}`

/** As the wire has it; every `timestamptz(3)` column ends with `_at`. */
const printedColumns = names
  .map((name) => (name.endsWith("_at") ? `${printedInstant(columnOf(name))} AS ${name}` : columnOf(name)))
  .join(", ")

/** A job as JSON, without `retryable`, and what decides on that. */
const PrintedJob = Schema.Struct({
  line: Schema.String,
  ...Struct.pick(Job.fields, "workflow", "status", "failure_kind")
})

const Execution = Schema.Struct({ id: JobId, run: Count, repository_id: RepositoryId })
/** Jobs that something above jobs waits for. */
const workflowsForOthers: ReadonlySet<string> = new Set(["fix", "mission_step", "mission_pull_request"])
const servesOthers = (workflow: string) => workflowsForOthers.has(workflow)
const EndingJob = Schema.Struct({ id: JobId, workspace_id: WorkspaceId, workflow: Workflow })
const RunningJobRow = Schema.Struct({
  id: JobId,
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  workflow: Workflow,
  params: JsonObject,
  commit_sha: Schema.NullOr(Schema.String),
  attempt: Count,
  run: Count,
  queued_at: Instant,
  traceparent: Schema.NullOr(Schema.String)
})
const newestFirst = keyset("DESC", { "j.created_at": "timestamptz", "j.id": "uuid" })

export class JobsRepo extends Effect.Service<JobsRepo>()("JobsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* JobEventsRepo
    const fixJobs = yield* FixJobs
    const missionJobs = yield* MissionJobs
    const inTransaction = transactional(sql)

    const columns = sql.literal(names.map((name) => columnOf(name)).join(", "))

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

    /** The same as JSON, printed by the database. */
    const printed = (request: { readonly workspace_id: WorkspaceId; readonly id: JobId }) =>
      Effect.map(
        firstRow(
          PrintedJob,
          sql`/* prepared */
            SELECT (SELECT row_to_json(c)::text FROM (SELECT ${sql.literal(printedColumns)}) c) AS line, j.workflow,
              j.status, j.failure_kind
            FROM jobs j JOIN repositories r ON r.id = j.repository_id
            WHERE j.workspace_id = ${request.workspace_id} AND j.id = ${request.id}`
        ),
        Option.map(({ line, ...job }) => `${line.slice(0, -1)},"retryable":${isRetryable(job)}}`)
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

    /** Writes nothing when the repository is gone. */
    const insert = (job: NewJob) =>
      Trace.currentTraceparent.pipe(
        Effect.flatMap((traceparent) =>
          events.changeStatus({
            mutation: sql`
            INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, params, commit_sha, dedupe_hash,
              parent_job_id, original_job_id, attempt, agent_runner, forecast, reserved_usd, requested_by, event_seq, created_at,
              queued_at, traceparent)
            SELECT ${job.id}::uuid, r.workspace_id, r.id, ${job.workflow}, 'pending', ${jsonb(job.params)},
              ${job.commit_sha}, ${job.dedupe_hash}, ${job.parent_job_id}::uuid, ${job.original_job_id}::uuid,
              ${job.attempt}::int, ${job.forecast.agent_runner ?? null}, ${jsonb(job.forecast)},
              round(${job.forecast.cost_mid}::numeric, 9), ${jsonb(job.requested_by)}, 1, ${job.at}::timestamptz,
              ${job.at}::timestamptz, ${traceparent}
            FROM repositories r
            WHERE r.workspace_id = ${job.workspace_id} AND r.id = ${job.repository_id} AND r.deleted_at IS NULL
            FOR SHARE`,
            at: job.at,
            detail: job.parent_job_id === null ? "Queued." : `Queued to run job ${job.parent_job_id} again.`
          })
        ),
        Effect.map((rows) => rows.length === 1)
      )

    /**
     * What stands above jobs learns first of those that are about to end: the rest of the end locks what recordings lock
     * last.
     */
    const endAbove = Effect.fnUntraced(function* (
      where: Statement.Fragment,
      status: EndedFixJob["status"],
      error: string | null
    ) {
      const ending = yield* rows(
        EndingJob,
        sql`SELECT id, workspace_id, workflow FROM jobs
          WHERE ${where} AND workflow = ANY(${[...workflowsForOthers]}::text[]) ORDER BY id FOR NO KEY UPDATE`
      )
      for (const { id, workspace_id, workflow } of ending) {
        const ended = { id, workspace_id, status, error }
        if (workflow === "fix") yield* fixJobs.ended([ended])
        if (workflow === "mission_step" || workflow === "mission_pull_request") {
          yield* missionJobs.ended({ ...ended, workflow })
        }
      }
    })

    /** The only way in which jobs end. */
    const end = (
      where: Statement.Fragment,
      change: {
        readonly status: "completed" | "failed" | "cancelled"
        /** That of all of the jobs, where it is known. */
        readonly workflow: Workflow | undefined
        readonly at: string
        readonly detail: string
        readonly error?: string
        readonly set?: Statement.Fragment
      }
    ) => {
      const ended = events.changeStatus({
        mutation: sql`
            UPDATE jobs SET status = ${change.status}, finished_at = greatest(${change.at}::timestamptz, started_at),
              event_seq = event_seq + 1 ${change.set ?? sql``} WHERE ${where}`,
        at: change.at,
        detail: change.detail
      })
      const isAlone = change.workflow !== undefined && !servesOthers(change.workflow)
      return Effect.map(
        isAlone ? ended : inTransaction(Effect.zipRight(endAbove(where, change.status, change.error ?? null), ended)),
        (rows) => rows.length === 1
      )
    }

    const cancel = (request: { readonly workspace_id: WorkspaceId; readonly id: JobId; readonly at: string }) =>
      end(sql`workspace_id = ${request.workspace_id} AND id = ${request.id} AND status IN ('pending', 'running')`, {
        status: "cancelled",
        workflow: undefined,
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
          { status: "cancelled", workflow: undefined, at: request.at, detail: "Cancelled: the repository was deleted." }
        )
      )

    /**
     * The output of the last stage is the result. `run` is the fence: an execution that was given up cannot end the job.
     */
    const complete = (request: {
      readonly id: JobId
      readonly run: number
      readonly workflow?: Workflow
      readonly last_stage: string | null
      readonly at: string
    }) =>
      end(sql`id = ${request.id} AND run = ${request.run} AND status = 'running'`, {
        status: "completed",
        workflow: request.workflow,
        at: request.at,
        detail: "Completed.",
        set: sql`, result = (
          SELECT output FROM job_stages
          WHERE job_id = ${request.id} AND stage = ${request.last_stage} AND finished_at IS NOT NULL)`
      })

    const fail = (request: {
      readonly id: JobId
      readonly run: number
      readonly workflow?: Workflow
      readonly failure_kind: FailureKind
      readonly error: string
      readonly at: string
    }) =>
      end(sql`id = ${request.id} AND run = ${request.run} AND status = 'running'`, {
        status: "failed",
        workflow: request.workflow,
        at: request.at,
        detail: "Failed.",
        error: request.error,
        set: sql`, failure_kind = ${request.failure_kind}, error = ${storableText(request.error)}`
      })

    /** Running jobs; `silent`: those of which no stage reports, as their holders do every five seconds. */
    const running = (which: "all" | "silent") =>
      rows(
        Execution,
        sql`/* prepared */
          SELECT j.id, j.run, j.repository_id FROM jobs j
          WHERE j.status = 'running' AND (${which === "all"}::boolean
            OR coalesce((SELECT max(s.seen_at) FROM job_stages s WHERE s.job_id = j.id), j.started_at)
              < clock_timestamp() - interval '10 seconds')
          ORDER BY j.started_at, j.id`
      )

    /** The job as its stages see it; nothing when this run is not, or no longer, the one that works on it. */
    const open = (request: { readonly id: JobId; readonly run: number }) =>
      firstRow(
        RunningJobRow,
        sql`/* prepared */
            SELECT id, workspace_id, repository_id, workflow, params, commit_sha, attempt, run, queued_at, traceparent
            FROM jobs
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

    return {
      cancel,
      cancelOfRepository,
      complete,
      fail,
      find,
      insert,
      list,
      nextRun,
      open,
      origin,
      printed,
      running,
      submittedWithKey
    }
  })
}) {}
