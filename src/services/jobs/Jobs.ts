import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { type JobId, RepositoryId } from "../../schema/Ids.ts"
import { JobNotFound, type Workflow } from "../../schema/Job.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { JobsRepo } from "./JobsRepo.ts"

/** Reading and cancelling jobs; Submissions queues them. */
export class Jobs extends Effect.Service<Jobs>()("Jobs", {
  effect: Effect.gen(function* () {
    const repo = yield* JobsRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const noJob = (id: JobId) => new JobNotFound({ message: `There is no job ${id}.` })

    const get = Effect.fnUntraced(function* (id: JobId) {
      const { workspace_id } = yield* Caller
      const job = yield* repo.find({ workspace_id, id })
      if (Option.isNone(job)) return yield* noJob(id)
      return job.value
    })

    /** The same as the API's JSON, printed by the database. */
    const printed = Effect.fnUntraced(function* (id: JobId) {
      const { workspace_id } = yield* Caller
      const job = yield* repo.printed({ workspace_id, id })
      if (Option.isNone(job)) return yield* noJob(id)
      return job.value
    })

    const cancel = Effect.fn("Jobs.cancel")(function* (id: JobId) {
      const { workspace_id } = yield* Caller
      const before = yield* get(id)
      const ok = yield* repo.cancel({ workspace_id, id, at: yield* now })
      const { status } = yield* get(id)
      if (ok) {
        yield* auditLog.record({
          object: { kind: "job", ref: id },
          before: { status: before.status },
          after: { status }
        })
      }
      return { ok, status }
    }, inTransaction)

    /** Cancels every queued or running job of a repository. */
    const cancelAllOf = Effect.fn("Jobs.cancelAllOf")(function* (repositoryId: RepositoryId) {
      const { workspace_id } = yield* Caller
      const at = yield* now
      yield* repo.cancelOfRepository({ workspace_id, repository_id: repositoryId, at })
    })

    const page = Effect.fn("Jobs.page")(function* (
      name: string,
      filters: {
        readonly repository_id: RepositoryId | null
        readonly workflow: string | null
        readonly active?: true
      },
      { cursor, limit = defaultPageSize }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open(name, filters, cursor)
      const rows = yield* repo.list({ workspace_id, ...filters, after, limit })
      return yield* cursors.page(name, filters, limit, rows, (job) => [job.created_at, job.id])
    })

    const list = (request: PageRequest) => page("jobs", { repository_id: null, workflow: null }, request)

    /** Queued and running jobs. */
    const listActive = (request: PageRequest) =>
      page("active_jobs", { repository_id: null, workflow: null, active: true }, request)

    const listOfRepository = Effect.fn("Jobs.listOfRepository")(function* (
      request: PageRequest & { readonly path: RepositoryPath; readonly workflow?: Workflow | undefined }
    ) {
      const { id } = yield* repositories.find(request.path)
      return yield* page("repository_jobs", { repository_id: id, workflow: request.workflow ?? null }, request)
    })

    return { get, printed, list, listActive, listOfRepository, cancel, cancelAllOf }
  })
}) {}
