import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import type { Forecast } from "../../schema/Forecast.ts"
import { JobId, type RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  type Actor,
  type InternalWorkflow,
  type Job,
  JobNotFound,
  JobNotRetryable,
  QueueLimitReached,
  RetryLimitReached,
  type Workflow
} from "../../schema/Job.ts"
import { RepositoryNotFound, type RepositoryPath } from "../../schema/Repository.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { Caller, requireScope } from "../access/Caller.ts"
import { unrestricted } from "../access/Reach.ts"
import { Spend } from "../access/Spend.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { type ForecastInput, Forecasts } from "../forecasts/Forecasts.ts"
import { Workflows } from "../ports/Workflows.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { canonicalJson, newId, sha256Hex } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { FixJobs } from "./FixJobs.ts"
import { IdempotencyRepo } from "./IdempotencyRepo.ts"
import { IdempotencyWindow } from "./IdempotencyWindow.ts"
import { JobAdmissionRepo } from "./JobAdmissionRepo.ts"
import { JobLimits } from "./JobLimits.ts"
import { Jobs } from "./Jobs.ts"
import { JobsRepo } from "./JobsRepo.ts"
import {
  checkIdempotencyKey,
  chooseInternal,
  chooseWorkflow,
  dedupeHash,
  internalStarts,
  isInternal,
  normaliseParams
} from "./submission.ts"

export interface Submission {
  readonly path: RepositoryPath
  readonly workflow: string
  readonly params?: JsonObject | undefined
  readonly idempotencyKey?: string | undefined
  /** Ignores a duplicate that completed recently; one that is queued or running is still returned. */
  readonly force?: boolean | undefined
  /** The branch's commit, when the caller has just asked the remote. */
  readonly commit_sha?: string | null | undefined
}

export interface Submitted {
  readonly job: Job
  /** False: the job was there before, nothing was queued. */
  readonly created: boolean
}

/** A checked submission: what `admit` queues, unless a duplicate of it exists. */
export interface JobRequest {
  readonly repository: { readonly id: RepositoryId; readonly repo_name: string }
  readonly workflow: Workflow
  readonly params: JsonObject
  readonly commit_sha: string | null
  readonly dedupe_hash: string
  readonly force: boolean
  readonly key: IdempotencyKey | undefined
  readonly caps: Caps
}

/** How many jobs the workspace may have waiting, and running. */
interface Caps {
  readonly queued: number
  readonly running: number
}

/** How many it has. */
type Load = Caps

export interface IdempotencyKey {
  readonly route: string
  readonly key: string
  readonly payload_hash: string
}

const softDedupeWindow = Duration.minutes(10)
const retryLimit = 3

const startOf = (window: Duration.Duration) =>
  Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.subtractDuration(time, window)))

/** Queues jobs: new ones, and failed or cancelled ones again. */
export class Submissions extends Effect.Service<Submissions>()("Submissions", {
  effect: Effect.gen(function* () {
    const repo = yield* JobsRepo
    const admissions = yield* JobAdmissionRepo
    const keys = yield* IdempotencyRepo
    const jobs = yield* Jobs
    const repositories = yield* Repositories
    const forecasts = yield* Forecasts
    const spend = yield* Spend
    const workflows = yield* Workflows
    const limits = yield* JobLimits
    const auditLog = yield* AuditLog
    const fixJobs = yield* FixJobs
    const idempotencyWindow = yield* IdempotencyWindow
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const existing = (id: JobId): Effect.Effect<Submitted, JobNotFound, Caller> =>
      Effect.map(jobs.get(id), (job) => ({ job, created: false }))

    const capsOf = ({ max_queued, max_running }: { max_queued: number | null; max_running: number | null }): Caps => ({
      queued: max_queued ?? limits.queuedPerWorkspace,
      running: max_running ?? limits.runningPerWorkspace
    })

    /** The workflow of that name, if the workspace may run it, and how many jobs it may have. */
    const permitted = Effect.fn("Submissions.permitted")(function* (name: string) {
      const { workspace_id } = yield* Caller
      const policy = yield* admissions.policy(workspace_id)
      return { workflow: yield* chooseWorkflow(workflows, policy, name), caps: capsOf(policy) }
    })

    /** The forecast whose middle a new job reserves, if there is room in the queue and in the budgets. */
    const reserve = Effect.fn("Submissions.reserve")(function* (
      input: ForecastInput,
      { queued, running }: Load,
      caps: Caps
    ) {
      // More run than the workspace may have once an operator has lowered the cap.
      if (queued >= caps.queued || queued + running >= caps.queued + caps.running) {
        return yield* new QueueLimitReached({
          message: `${queued} jobs are queued and ${running} running; at most ${caps.queued} may be queued and ${caps.running} run. Wait until some have ended, or cancel some.`,
          details: { limit: caps.queued, queued, running_limit: caps.running, running }
        })
      }
      const forecast = yield* forecasts.of(input)
      yield* spend.admit(forecast)
      return forecast
    })

    /** The job that was submitted with this key less than a day ago, whatever the body was. */
    const byIdempotencyKey = (
      key: IdempotencyKey | undefined
    ): Effect.Effect<Option.Option<Submitted>, never, Caller> =>
      Effect.flatMap(
        submissionOf(key),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (submission) =>
            submission.job_id === null
              ? Effect.succeedSome({ job: submission.deleted_job, created: false })
              : Effect.asSome(existing(submission.job_id)).pipe(
                  // A reset deleted it since: the key holds its record now.
                  Effect.catchTag("JobNotFound", () => byIdempotencyKey(key))
                )
        })
      )

    const submissionOf = Effect.fn("Submissions.submissionOf")(function* (key: IdempotencyKey | undefined) {
      if (key === undefined) return Option.none()
      const { workspace_id } = yield* Caller
      const since = yield* startOf(idempotencyWindow)
      const found = yield* keys.find({ workspace_id, route: key.route, key: key.key, since })
      if (Option.isSome(found) && found.value.payload_hash !== key.payload_hash) {
        const { job_id, deleted_job } = found.value
        yield* Effect.logWarning("An Idempotency-Key was used again with another body.").pipe(
          Effect.annotateLogs({ job_id: job_id ?? deleted_job?.id })
        )
      }
      return found
    })

    const logSubmission = ({ id, workflow, repo_name, params, commit_sha, parent_job_id }: Job) =>
      auditLog.record({
        object: { kind: "job", ref: id },
        before: null,
        after: { workflow, repo_name, params, commit_sha, parent_job_id }
      })

    const queued = Effect.fn("Submissions.queued")(function* (request: JobRequest, load: Load, at: string) {
      const { workspace_id, actor } = yield* Caller
      const forecast = yield* reserve(request, load, request.caps)
      const id = yield* newId(JobId)
      if (!(yield* repo.insert(newJob(request, { id, workspace_id, actor, at, forecast })))) {
        return yield* new RepositoryNotFound({ message: "The repository was deleted." })
      }
      const job = yield* jobs.get(id)
      yield* logSubmission(job)
      return job
    })

    const admit = Effect.fn("Submissions.admit")(function* (request: JobRequest) {
      const { workspace_id } = yield* Caller
      yield* admissions.lock(workspace_id)
      const first = yield* byIdempotencyKey(request.key)
      if (Option.isSome(first)) return first.value

      const at = yield* now
      const { in_flight, completed, ...load } = yield* unrestricted(
        admissions.admission({
          workspace_id,
          repository_id: request.repository.id,
          dedupe_hash: request.dedupe_hash,
          completedSince: yield* startOf(softDedupeWindow)
        })
      )
      // Without a commit it is unknown whether a completed job saw the same code.
      const recent = request.force || request.commit_sha === null ? null : completed
      const duplicate = in_flight ?? recent
      const job = duplicate === null ? yield* queued(request, load, at) : yield* jobs.get(duplicate)
      if (request.key !== undefined) yield* keys.remember({ workspace_id, ...request.key, job_id: job.id, at })
      return { job, created: duplicate === null }
    }, inTransaction)

    const check = Effect.fn("Submissions.check")(function* (submission: Submission) {
      const idempotencyKey = yield* checkIdempotencyKey(submission.idempotencyKey)
      const { workflow, caps } = yield* permitted(submission.workflow)
      if (workflow.name === "fix") yield* requireScope("submit_fix_jobs")
      const params = yield* normaliseParams(workflow.params, submission.params ?? {})
      const repository = yield* repositories.find(submission.path)
      const key: IdempotencyKey | undefined =
        idempotencyKey === undefined
          ? undefined
          : {
              route: `jobs.submit/${repository.id}`,
              key: idempotencyKey,
              payload_hash: sha256Hex(canonicalJson([submission.workflow, submission.params ?? {}]))
            }
      return { submission, workflow, params, repository, key, caps }
    })

    const atCommit = Effect.fn("Submissions.atCommit")(function* (
      checked: Effect.Effect.Success<ReturnType<typeof check>>
    ) {
      const { submission, params, repository, key, caps } = checked
      const { name: workflow, commitOf, admits } = checked.workflow
      const { workspace_id } = yield* Caller
      yield* admits?.({ workspace_id, repository_id: repository.id, params }) ?? Effect.void
      const commit_sha =
        commitOf === undefined
          ? (submission.commit_sha ?? (yield* repositories.refreshHead(repository)))
          : commitOf(params)
      return {
        repository,
        workflow,
        params,
        commit_sha,
        dedupe_hash: dedupeHash(workflow, params, commit_sha),
        force: submission.force === true,
        key,
        caps
      } satisfies JobRequest
    })

    const submit = Effect.fn("Submissions.submit")(function* (submission: Submission) {
      const checked = yield* check(submission)
      const first = yield* byIdempotencyKey(checked.key)
      if (Option.isSome(first)) return first.value
      return yield* admit(yield* atCommit(checked)).pipe(Effect.catchTag("JobNotFound", Effect.die))
    })

    /**
     * A submission up to its transaction, which may have to ask the remote: for a service that calls `admit` in a
     * transaction of its own, because the job and its own rows must come together.
     */
    const prepare = (submission: Submission) => Effect.flatMap(check(submission), atCommit)

    /**
     * A job of a workflow that the service starts itself, for `admit`. It knows no commit before it runs, and a duplicate
     * that has ended is none: only one that is queued or runs is returned in its place.
     */
    const prepareInternal = Effect.fn("Submissions.prepareInternal")(function* (request: {
      readonly repository: JobRequest["repository"]
      readonly workflow: InternalWorkflow
      readonly params: JsonObject
    }) {
      const { workspace_id } = yield* Caller
      const policy = yield* admissions.policy(workspace_id)
      const { name, params: schema } = yield* chooseInternal(workflows, policy, request.workflow)
      const params = yield* Effect.orDie(normaliseParams(schema, request.params))
      return {
        repository: request.repository,
        workflow: name,
        params,
        commit_sha: null,
        dedupe_hash: dedupeHash(name, params, null),
        force: true,
        key: undefined,
        caps: capsOf(policy)
      } satisfies JobRequest
    })

    const insertRetry = Effect.fn("Submissions.insertRetry")(function* (parent: Job, caps: Caps) {
      const { workspace_id, actor } = yield* Caller
      yield* admissions.lock(workspace_id)
      const origin = yield* repo.origin({ workspace_id, id: parent.id })
      if (Option.isNone(origin)) return yield* new JobNotFound({ message: `There is no job ${parent.id}.` })
      const { dedupe_hash, original_job_id, repository_id } = origin.value
      const { in_flight, used, ...load } = yield* unrestricted(
        admissions.retries({
          workspace_id,
          parent_job_id: parent.id,
          original_job_id
        })
      )
      if (in_flight !== null) return yield* existing(in_flight)
      if (used >= retryLimit) {
        return yield* new RetryLimitReached({
          message: `This job was run again ${used} times, which is the limit; submit a new one.`,
          details: { limit: retryLimit }
        })
      }
      const { workflow, params, commit_sha } = parent
      const repository = { id: repository_id, repo_name: parent.repo_name }
      const forecast = yield* reserve({ workflow, params, commit_sha, repository }, load, caps)
      const id = yield* newId(JobId)
      const inserted = yield* repo.insert({
        id,
        workspace_id,
        repository_id,
        workflow,
        params,
        commit_sha,
        dedupe_hash,
        parent_job_id: parent.id,
        original_job_id,
        attempt: used + 2,
        forecast,
        requested_by: actor,
        at: yield* now
      })
      if (!inserted) return yield* new JobNotRetryable({ message: "The job's repository was deleted." })
      const job = yield* jobs.get(id)
      if (workflow === "fix") yield* fixJobs.retried({ workspace_id, parent, job })
      yield* logSubmission(job)
      return { job, created: true }
    }, inTransaction)

    const retry = Effect.fn("Submissions.retry")(function* (id: JobId) {
      const parent = yield* jobs.get(id)
      if (parent.workflow === "fix") yield* requireScope("submit_fix_jobs")
      if (isInternal(parent.workflow)) {
        return yield* new JobNotRetryable({
          message: `A job of the workflow \`${parent.workflow}\` is not run again by itself; ${internalStarts[parent.workflow]}.`
        })
      }
      if (parent.status !== "failed" && parent.status !== "cancelled") {
        return yield* new JobNotRetryable({
          message: `The job is ${parent.status}; only a failed or cancelled one can be run again.`,
          details: { status: parent.status }
        })
      }
      const { caps } = yield* permitted(parent.workflow).pipe(Effect.catchTag("SubmissionInvalid", Effect.die))
      return yield* insertRetry(parent, caps)
    })

    /**
     * Lets the idempotency keys of a repository's jobs hold what they return once the jobs are deleted. Must run in the
     * transaction that deletes them, under the workspace's admission lock.
     */
    const holdRecords = Effect.fn("Submissions.holdRecords")(function* (repository_id: RepositoryId) {
      const { workspace_id } = yield* Caller
      const held = yield* repo.submittedWithKey({ workspace_id, repository_id })
      yield* keys.holdRecords({ workspace_id, jobs: held.map(recordOf) })
    })

    return { submit, prepare, prepareInternal, admit, retry, holdRecords }
  })
}) {}

/** What is left of a deleted job: what was asked for and how it ended, not what it found. */
const recordOf = (job: Job): Job => ({ ...job, progress: null, error: null, result: null })

const newJob = (
  { repository, workflow, params, commit_sha, dedupe_hash }: JobRequest,
  admission: { id: JobId; workspace_id: WorkspaceId; actor: Actor; at: string; forecast: Forecast }
) => ({
  id: admission.id,
  workspace_id: admission.workspace_id,
  repository_id: repository.id,
  workflow,
  params,
  commit_sha,
  dedupe_hash,
  parent_job_id: null,
  original_job_id: admission.id,
  attempt: 1,
  forecast: admission.forecast,
  requested_by: admission.actor,
  at: admission.at
})
