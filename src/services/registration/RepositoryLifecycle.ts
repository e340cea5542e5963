import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  fullSlugOf,
  type RegisterRepository,
  type Repository,
  RepositoryBusy,
  type RepositoryPath,
  type ResetCounts,
  type ResetRepository
} from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { AuditCache } from "../ports/AuditCache.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { RepositoriesRepo } from "../repositories/RepositoriesRepo.ts"
import { withLongStatements } from "../support/requestStatements.ts"
import { transactional } from "../support/transactional.ts"
import { ResetRepo } from "./ResetRepo.ts"

/** Registers, removes and resets repositories together with their jobs; the area stands above repositories and jobs. */
export class RepositoryLifecycle extends Effect.Service<RepositoryLifecycle>()("RepositoryLifecycle", {
  effect: Effect.gen(function* () {
    const repo = yield* RepositoriesRepo
    const resets = yield* ResetRepo
    const repositories = yield* Repositories
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const audits = yield* AuditCache
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const submitDiscovery = Effect.fn("RepositoryLifecycle.submitDiscovery")(function* (repository: Repository) {
      const { workspace_id } = yield* Caller
      if (repository.last_discovery_at !== null || (yield* repo.isDiscoveryPaused(workspace_id))) return
      yield* partOfChange(
        submissions.submit({ path: repository, workflow: "discover", commit_sha: repository.head_sha })
      )
    })

    /** Registers the repository and, unless discovery is paused or known already, queues its first discovery. */
    const register = Effect.fn("RepositoryLifecycle.register")(function* (request: RegisterRepository) {
      const repository = yield* repositories.register(request)
      // What prevents a first discovery must not fail the registration.
      yield* Effect.catchAllCause(submitDiscovery(repository), (cause) =>
        Effect.logInfo("No discovery was queued for a new repository.", cause)
      )
      return repository
    })

    const cancelAndHide = Effect.fn("RepositoryLifecycle.cancelAndHide")(function* (path: RepositoryPath) {
      const repository = yield* repositories.find(path)
      // In this order: an audit that is recording holds its job's row and then waits for the repository's.
      yield* jobs.cancelAllOf(repository.id)
      yield* repositories.hide(path)
      return repository.id
    }, inTransaction)

    /** Hides the repository and cancels its queued and running jobs. */
    const remove = Effect.fn("RepositoryLifecycle.remove")(function* (path: RepositoryPath) {
      // Files are deleted after the commit: a rollback could not bring them back.
      yield* audits.remove(yield* cancelAndHide(path))
    })

    const deleteJobs = (target: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId }) =>
      Effect.zipRight(submissions.holdRecords(target.repository_id), resets.deleteJobs(target))

    const deleteRows = Effect.fn("RepositoryLifecycle.deleteRows")(function* (
      path: RepositoryPath,
      { kinds, history, wipe }: Deletion
    ) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const target = { workspace_id, repository_id: repository.id }
      const busy = yield* resets.lock(target)
      if (busy > 0) {
        return yield* new RepositoryBusy({
          message: `${busy} ${busy === 1 ? "job is" : "jobs are"} queued or running; cancel or await first.`,
          details: { jobs: busy }
        })
      }
      const deleted: ResetCounts = {
        ...nothing,
        ...(kinds.length === 0 ? {} : yield* resets.deleteObservations({ ...target, kinds })),
        ...(history ? yield* deleteJobs(target) : {}),
        ...(wipe ? yield* resets.deleteDiscovery(target) : {})
      }
      if (kinds.length > 0 && !history) yield* resets.forgetDuplicates(target)
      const object = { kind: "repository", ref: fullSlugOf(repository) } as const
      yield* auditLog.record({ object, before: null, after: { deleted, wipe } })
      return { repository, deleted }
    }, inTransaction)

    /** Deletes for good what the flags name. Numbers of deleted observations are never given again. */
    const reset = Effect.fn("RepositoryLifecycle.reset")(function* (path: RepositoryPath, flags: ResetRepository) {
      const deletion = deletionOf(flags)
      if (deletion.kinds.length === 0 && !deletion.history) {
        return yield* new InvalidPayload({
          message: "Say what to delete: at least one of findings, history, suggestions, wipe must be true."
        })
      }
      const { repository, deleted } = yield* withLongStatements(deleteRows(path, deletion))
      if (deletion.wipe) yield* audits.remove(repository.id)
      return { repo_name: repository.repo_name, deleted }
    })

    return { register, remove, reset }
  })
}) {}

interface Deletion {
  /** Kinds of observations. */
  readonly kinds: ReadonlyArray<string>
  /** Jobs and their events. */
  readonly history: boolean
  readonly wipe: boolean
}

const deletionOf = ({
  wipe = false,
  findings = false,
  suggestions = false,
  history = false
}: ResetRepository): Deletion => ({
  kinds: [...(wipe || findings ? ["finding", "advisory"] : []), ...(wipe || suggestions ? ["suggestion"] : [])],
  history: wipe || history,
  wipe
})

const nothing: ResetCounts = {
  findings: 0,
  advisories: 0,
  suggestions: 0,
  fix_attempts: 0,
  jobs: 0,
  job_events: 0,
  discoveries: 0
}
