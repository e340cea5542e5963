import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import type { Forecast } from "../../schema/Forecast.ts"
import {
  type Actor,
  type Job,
  JobNotFound,
  JobNotRetryable,
  QueueLimitReached,
  RetryLimitReached,
  type Workflow
} from "../../schema/Job.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { RepositoryNotFound, type RepositoryPath } from "../../schema/Repository.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { Caller, requireScope } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { Spend } from "../access/Spend.ts"
import { Forecasts, type Prospect } from "../forecasts/Forecasts.ts"
import { Workflows } from "../ports/Workflows.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { canonicalJson, newId, sha256Hex } from "../support/ids.ts"
import { transactional } from "../support/transactional.ts"
import { IdempotencyRepo } from "./IdempotencyRepo.ts"
import { JobLimits } from "./JobLimits.ts"
import { JobsRepo } from "./JobsRepo.ts"
import { checkIdempotencyKey, chooseWorkflow, dedupeHash, normaliseParams } from "./submission.ts"

export interface Submission {
  readonly path: RepositoryPath
  readonly workflow: string
  readonly params?: JsonObject | undefined
  readonly idempotencyKey?: string | undefined
  /** Passes a recently completed twin; a twin in flight still answers. */
  readonly force?: boolean | undefined
  /** The branch's commit, when the caller has just asked the remote. */
  readonly commit_sha?: string | null | undefined
}

export interface Submitted {
  readonly job: Job
  /** False: the job was there before, nothing was queued. */
  readonly created: boolean
}

const idempotencyWindow = Duration.hours(24)
const softDedupeWindow = Duration.minutes(10)
const retryLimit = 3

const before = (now: DateTime.Utc, window: Duration.Duration) =>
  DateTime.formatIso(DateTime.subtractDuration(now, window))

export class Jobs extends Effect.Service<Jobs>()("Jobs", {
  effect: Effect.gen(function* () {
    const repo = yield* JobsRepo
    const keys = yield* IdempotencyRepo
    const repositories = yield* Repositories
    const forecasts = yield* Forecasts
    const spend = yield* Spend
    const workflows = yield* Workflows
    const cursors = yield* Cursors
    const limits = yield* JobLimits
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const get = Effect.fnUntraced(function* (id: string) {
      const { workspace_id } = yield* Caller
      const job = yield* repo.find({ workspace_id, id })
      if (Option.isNone(job)) return yield* new JobNotFound({ message: `There is no job ${id}.` })
      return job.value
    })

    const existing = (id: string): Effect.Effect<Submitted, JobNotFound, Caller> =>
      Effect.map(get(id), (job) => ({ job, created: false }))

    /** The forecast whose middle a new job reserves, if there is room in the queue and in the budgets. */
    const reserve = Effect.fn("Jobs.reserve")(function* (prospect: Prospect, queued: number) {
      const { workspace_id } = yield* Caller
      const limit = (yield* repo.policy(workspace_id)).max_queued ?? limits.queuedPerWorkspace
      if (queued >= limit) {
        return yield* new QueueLimitReached({
          message: `${queued} jobs are queued already, which is the limit; wait until some have run, or cancel some.`,
          details: { limit, queued }
        })
      }
      const forecast = yield* forecasts.of(prospect)
      yield* spend.admit(forecast)
      return forecast
    })

    /** The job that this key stands for since less than a day, whatever the body was. */
    const byIdempotencyKey = Effect.fn("Jobs.byIdempotencyKey")(function* (scope: KeyUse | undefined) {
      if (scope === undefined) return Option.none<string>()
      const { workspace_id } = yield* Caller
      const since = before(yield* DateTime.now, idempotencyWindow)
      const found = yield* keys.find({ workspace_id, route: scope.route, key: scope.key, since })
      if (Option.isSome(found) && found.value.payload_hash !== scope.payload_hash) {
        yield* Effect.logWarning("An Idempotency-Key was used again with another body.").pipe(
          Effect.annotateLogs({ job_id: found.value.job_id })
        )
      }
      return Option.map(found, ({ job_id }) => job_id)
    })

    const admit = Effect.fn("Jobs.admit")(function* (wanted: Wanted) {
      const { workspace_id, actor } = yield* Caller
      yield* repo.lockAdmission(workspace_id)
      const first = yield* byIdempotencyKey(wanted.key)
      if (Option.isSome(first)) return yield* existing(first.value)

      const now = yield* DateTime.now
      const at = DateTime.formatIso(now)
      const { in_flight, completed, queued } = yield* repo.admission({
        workspace_id,
        repository_id: wanted.repository.id,
        dedupe_hash: wanted.dedupe_hash,
        completedSince: before(now, softDedupeWindow)
      })
      // Without a commit nobody can say that a completed job saw the same code.
      const recent = wanted.force || wanted.commit_sha === null ? null : completed
      const twin = in_flight ?? recent
      const id = twin ?? (yield* newId)
      if (twin === null) {
        const forecast = yield* reserve({ ...wanted, agent_runner: null }, queued)
        if (!(yield* repo.insert(newJob(wanted, { id, workspace_id, actor, at, forecast })))) {
          return yield* new RepositoryNotFound({ message: "The repository was deleted." })
        }
      }
      if (wanted.key !== undefined) yield* keys.remember({ workspace_id, ...wanted.key, job_id: id, at })
      return { job: yield* get(id), created: twin === null }
    }, inTransaction)

    const check = Effect.fn("Jobs.check")(function* (submission: Submission) {
      const idempotencyKey = yield* checkIdempotencyKey(submission.idempotencyKey)
      const { workspace_id } = yield* Caller
      const policy = yield* repo.policy(workspace_id)
      const workflow = yield* chooseWorkflow(workflows, policy, submission.workflow)
      if (workflow.name === "fix") yield* requireScope("submit_fix_jobs")
      const params = yield* normaliseParams(workflow.params, submission.params ?? {})
      const repository = yield* repositories.find(submission.path)
      yield* workflow.admits?.({ repository_id: repository.id, params }) ?? Effect.void
      const key: KeyUse | undefined =
        idempotencyKey === undefined
          ? undefined
          : {
              route: `jobs.submit/${repository.id}`,
              key: idempotencyKey,
              payload_hash: sha256Hex(canonicalJson([submission.workflow, submission.params ?? {}]))
            }
      return { submission, workflow, params, repository, key }
    })

    const atCommit = Effect.fn("Jobs.atCommit")(function* (checked: Effect.Effect.Success<ReturnType<typeof check>>) {
      const { submission, params, repository, key } = checked
      const { name: workflow, commitOf } = checked.workflow
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
        key
      } satisfies Wanted
    })

    const submit = Effect.fn("Jobs.submit")(function* (submission: Submission) {
      const checked = yield* check(submission)
      const first = yield* byIdempotencyKey(checked.key)
      if (Option.isSome(first)) return yield* existing(first.value)
      return yield* admit(yield* atCommit(checked)).pipe(Effect.catchTag("JobNotFound", Effect.die))
    })

    /**
     * A submission up to its transaction, which may have to ask the remote: for a service that calls `admit` in a
     * transaction of its own, because the job and its own rows must come together.
     */
    const prepare = (submission: Submission) => Effect.flatMap(check(submission), atCommit)

    const insertRetry = Effect.fn("Jobs.insertRetry")(function* (parent: Job) {
      const { workspace_id, actor } = yield* Caller
      yield* repo.lockAdmission(workspace_id)
      const origin = yield* repo.origin({ workspace_id, id: parent.id })
      if (Option.isNone(origin)) return yield* new JobNotFound({ message: `There is no job ${parent.id}.` })
      const { dedupe_hash, original_job_id, repository_id } = origin.value
      const { in_flight, used, queued } = yield* repo.retries({
        workspace_id,
        parent_job_id: parent.id,
        original_job_id
      })
      if (in_flight !== null) return yield* existing(in_flight)
      if (used >= retryLimit) {
        return yield* new RetryLimitReached({
          message: `This job was run again ${used} times, which is the limit; submit a new one.`,
          details: { limit: retryLimit }
        })
      }
      const { workflow, params, commit_sha } = parent
      const repository = { id: repository_id, repo_name: parent.repo_name }
      const agent_runner = parent.agent_runner
      const forecast = yield* reserve({ workflow, params, commit_sha, repository, agent_runner }, queued)
      const id = yield* newId
      const at = DateTime.formatIso(yield* DateTime.now)
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
        at
      })
      if (!inserted) return yield* new JobNotRetryable({ message: "The job's repository was deleted." })
      return { job: yield* get(id), created: true }
    }, inTransaction)

    const retry = Effect.fn("Jobs.retry")(function* (id: string) {
      const parent = yield* get(id)
      if (parent.workflow === "fix") yield* requireScope("submit_fix_jobs")
      if (parent.status !== "failed" && parent.status !== "cancelled") {
        return yield* new JobNotRetryable({
          message: `The job is ${parent.status}; only a failed or cancelled one can be run again.`,
          details: { status: parent.status }
        })
      }
      const { workspace_id } = yield* Caller
      const policy = yield* repo.policy(workspace_id)
      yield* chooseWorkflow(workflows, policy, parent.workflow).pipe(Effect.catchTag("SubmissionInvalid", Effect.die))
      return yield* insertRetry(parent)
    })

    const cancel = Effect.fn("Jobs.cancel")(function* (id: string) {
      const { workspace_id } = yield* Caller
      const ok = yield* repo.cancel({ workspace_id, id, at: DateTime.formatIso(yield* DateTime.now) })
      const { status } = yield* get(id)
      return { ok, status }
    })

    /** Everything of a repository that waits or runs. */
    const cancelAllOf = Effect.fn("Jobs.cancelAllOf")(function* (repositoryId: string) {
      const { workspace_id } = yield* Caller
      const at = DateTime.formatIso(yield* DateTime.now)
      yield* repo.cancelOfRepository({ workspace_id, repository_id: repositoryId, at })
    })

    const page = Effect.fn("Jobs.page")(function* (
      name: string,
      filters: { readonly repository_id: string | null; readonly workflow: string | null; readonly active?: true },
      { cursor, limit = defaultPageSize }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const position = yield* cursors.open(name, filters, cursor)
      const after = position === null ? null : ([String(position[0]), String(position[1])] as const)
      const rows = yield* repo.list({ workspace_id, ...filters, after, limit })
      return yield* cursors.page(name, filters, limit, rows, (job) => [job.created_at, job.id])
    })

    const list = (request: PageRequest) => page("jobs", { repository_id: null, workflow: null }, request)

    /** What waits or runs. */
    const listActive = (request: PageRequest) =>
      page("active_jobs", { repository_id: null, workflow: null, active: true }, request)

    const listOfRepository = Effect.fn("Jobs.listOfRepository")(function* (
      request: PageRequest & { readonly path: RepositoryPath; readonly workflow?: Workflow | undefined }
    ) {
      const { id } = yield* repositories.find(request.path)
      return yield* page("repository_jobs", { repository_id: id, workflow: request.workflow ?? null }, request)
    })

    return { submit, prepare, admit, retry, get, list, listActive, listOfRepository, cancel, cancelAllOf }
  })
}) {}

export interface KeyUse {
  readonly route: string
  readonly key: string
  readonly payload_hash: string
}

/** What `admit` queues, or finds queued already. */
export interface Wanted {
  readonly repository: { readonly id: string; readonly repo_name: string }
  readonly workflow: Workflow
  readonly params: JsonObject
  readonly commit_sha: string | null
  readonly dedupe_hash: string
  readonly force: boolean
  readonly key: KeyUse | undefined
}

const newJob = (
  { repository, workflow, params, commit_sha, dedupe_hash }: Wanted,
  admission: { id: string; workspace_id: string; actor: Actor; at: string; forecast: Forecast }
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
