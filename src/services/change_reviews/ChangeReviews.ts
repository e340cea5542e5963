import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import {
  ChangeReviewInvalid,
  ChangeReviewNotFound,
  type ChangeReviewReadiness,
  ChangeReviewWithoutBranches,
  type FindChangeReview,
  isTicketKey,
  maxReadiness,
  type Readiness,
  type SetCriteria,
  type StartChangeReview
} from "../../schema/ChangeReview.ts"
import { ChangeReviewId, type WorkspaceId } from "../../schema/Ids.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { unrestricted } from "../access/Reach.ts"
import { AuditLog, actorOf, partOfChange } from "../audit_log/AuditLog.ts"
import { JobAdmissionRepo } from "../jobs/JobAdmissionRepo.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { RepositoriesRepo } from "../repositories/RepositoriesRepo.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { ChangeBranches, type ChosenBranch } from "./ChangeBranches.ts"
import { ChangeCriteria, type CriteriaOf } from "./ChangeCriteria.ts"
import { ChangeReviewsRepo, type ReviewRow } from "./ChangeReviewsRepo.ts"
import {
  branchesHash,
  commitsHash,
  isRunning,
  isStale,
  readinessOf,
  readinessRowOf,
  recordOf
} from "./changeReviewRecord.ts"
import { LatestHeads } from "./LatestHeads.ts"
import { ticketKeyOf } from "./ticketKey.ts"

/** Whether the branches of a change do what is asked of it. */
export class ChangeReviews extends Effect.Service<ChangeReviews>()("ChangeReviews", {
  effect: Effect.gen(function* () {
    const repo = yield* ChangeReviewsRepo
    const branches = yield* ChangeBranches
    const criteria = yield* ChangeCriteria
    const heads = yield* LatestHeads
    const admissions = yield* JobAdmissionRepo
    const repositories = yield* RepositoriesRepo
    const submissions = yield* Submissions
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const named = Effect.fnUntraced(function* (name: string) {
      const { workspace_id } = yield* Caller
      const found = yield* repo.byName({ workspace_id, name })
      if (Option.isNone(found)) return yield* notFound(name)
      return found.value
    })

    /** The review with the newest commits that its remotes report in a moment. */
    const upToDate = Effect.fnUntraced(function* (row: ReviewRow) {
      const { workspace_id } = yield* Caller
      if (isRunning(row) || !(yield* heads.refresh(workspace_id, row))) return row
      return yield* repo.byId({ workspace_id, id: row.id })
    })

    const get = Effect.fn("ChangeReviews.get")((name: string) =>
      Effect.map(Effect.flatMap(named(name), upToDate), recordOf)
    )

    const list = Effect.fn("ChangeReviews.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("change_reviews", {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit: limit + 1 })
      const page = yield* cursors.page("change_reviews", {}, limit, rows, (row) => [row.updated_at, row.id])
      return { ...page, data: page.data.map(recordOf) }
    })

    const find = Effect.fn("ChangeReviews.find")(function* ({ repo: slug, branch, pr_number }: FindChangeReview) {
      const { workspace_id } = yield* Caller
      const [, github_org, github_repo] = /^([^/@\s]+)\/([^/@\s]+)$/.exec(slug) ?? []
      if (github_org === undefined || github_repo === undefined) {
        return yield* new ChangeReviewInvalid({ message: "repo must look like org/repo.", param: "repo" })
      }
      if ((branch === undefined) === (pr_number === undefined)) {
        const message = "Exactly one of branch and pr_number must be given."
        return yield* new ChangeReviewInvalid({ message, param: "branch" })
      }
      const found = yield* repo.containing({
        workspace_id,
        github_org,
        github_repo,
        branch: branch ?? null,
        pr_number: pr_number ?? null
      })
      if (Option.isNone(found)) {
        const of = branch === undefined ? `pull request ${pr_number}` : `branch ${branch}`
        return yield* new ChangeReviewNotFound({ message: `No change review of ${of} of ${slug}.` })
      }
      return recordOf(yield* upToDate(found.value))
    })

    const readiness = Effect.fn("ChangeReviews.readiness")(function* (filter: {
      readonly readiness?: ReadonlyArray<Readiness>
    }) {
      const { workspace_id } = yield* Caller
      const rows = yield* repo.newestVerdicts({ workspace_id, limit: maxReadiness })
      const asked = rows.filter((row) => filter.readiness?.includes(readinessOf(row)) ?? true)
      return { data: asked.map((row): ChangeReviewReadiness => readinessRowOf(row)) }
    })

    /** Queues a job that judges what is not judged yet. One that waits in the queue will see all of it, too. */
    const queue = Effect.fnUntraced(function* (row: ReviewRow, previous: ReviewRow | null) {
      const { workspace_id } = yield* Caller
      const [first] = row.branches
      if (first === undefined) return yield* Effect.dieMessage("A review without branches has nothing to judge.")
      const isAwaited = row.job_status === "pending" && previous?.branches[0]?.repository_id === first.repository_id
      if (isAwaited) return
      const { repository_id: id, repository } = first
      const round = yield* repo.nextRound({ workspace_id, id: row.id })
      const request = yield* submissions.prepareInternal({
        repository: { id, repo_name: repository.slice(repository.indexOf("/") + 1) },
        workflow: "change_review",
        params: { change_review_id: row.id, round }
      })
      // The review and its job are one change, of the review.
      const { job } = yield* partOfChange(submissions.admit(request)).pipe(Effect.catchTag("JobNotFound", Effect.die))
      yield* repo.setJob({ workspace_id, id: row.id, job_id: job.id, at: yield* now })
    })

    const log = (previous: ReviewRow | null, { name, ...row }: ReviewRow) =>
      auditLog.record({
        object: { kind: "change_review", ref: name },
        before: previous === null ? null : contentOf(previous),
        after: contentOf(row)
      })

    const insert = Effect.fnUntraced(function* (name: string, title: string) {
      const caller = yield* Caller
      const { workspace_id } = caller
      const id = yield* newId(ChangeReviewId)
      yield* repo.insert({ id, workspace_id, name, title, created_by: actorOf(caller), created_at: yield* now })
      return yield* repo.byId({ workspace_id, id })
    })

    /** A ticket key may be the name of a review that the caller does not see: the new one has a name of its own then. */
    const freeName = Effect.fnUntraced(function* (workspace_id: WorkspaceId, key: string | null) {
      if (key !== null && !(yield* unrestricted(repo.isTaken({ workspace_id, name: key })))) return key
      return `hx-${yield* repo.drawNumber(workspace_id)}`
    })

    const known = Effect.fnUntraced(function* (
      workspace_id: WorkspaceId,
      key: string | null,
      chosen: ReadonlyArray<ChosenBranch>
    ) {
      const ofKey = key === null ? Option.none() : yield* repo.byName({ workspace_id, name: key })
      if (Option.isSome(ofKey)) return ofKey
      return yield* repo.byBranches({ workspace_id, branches_hash: branchesHash(chosen) })
    })

    const write = Effect.fnUntraced(function* (
      request: StartChangeReview,
      chosen: ReadonlyArray<ChosenBranch>,
      asked: CriteriaOf
    ) {
      const { workspace_id } = yield* Caller
      yield* repo.lockReviewsOf(workspace_id)
      // The number of a new review locks the workspace's row, which everyone else locks after what a job's admission locks.
      yield* admissions.lock(workspace_id)
      if (chosen[0] !== undefined) yield* repositories.share({ workspace_id, id: chosen[0].repository_id })
      const names = chosen.map(({ branch }) => branch)
      const key = ticketKeyOf(request.title, names) ?? asked.issue
      const previous = Option.getOrNull(yield* known(workspace_id, key, chosen))
      const title = request.title ?? previous?.title ?? asked.title ?? names.join(", ")
      const { id, criteria: before } = previous ?? (yield* insert(yield* freeName(workspace_id, key), title))
      yield* repo.setBranches({ workspace_id, id, branches: chosen, branches_hash: branchesHash(chosen) })
      const replacement = asked.criteria ?? (before.length > 0 ? null : criteria.usual)
      if (replacement !== null) {
        yield* repo.setCriteria({ workspace_id, id, criteria: yield* criteria.replacing(before, replacement) })
      }
      yield* repo.update({ workspace_id, id, title, at: yield* now })
      const changed = yield* repo.byId({ workspace_id, id })
      if (needsJob(changed, previous)) yield* queue(changed, previous)
      const row = yield* repo.byId({ workspace_id, id })
      yield* log(previous, row)
      return { review: recordOf(row), created: previous === null }
    }, inTransaction)

    /** Started again with the same branches, or under the same ticket key, it is the same review. */
    const start = Effect.fn("ChangeReviews.start")(function* (request: StartChangeReview) {
      const asked = yield* criteria.of(request)
      // Remotes may take their time: they are asked before the transaction.
      const chosen = yield* branches.choose(request.branches)
      return yield* write(request, chosen, asked)
    })

    const setCriteria = Effect.fn("ChangeReviews.setCriteria")(function* (name: string, request: SetCriteria) {
      const { workspace_id } = yield* Caller
      const asked = yield* criteria.checked(request.criteria)
      const change = Effect.gen(function* () {
        yield* repo.lockReviewsOf(workspace_id)
        const found = yield* repo.byName({ workspace_id, name })
        const mayBeCreated =
          Option.isNone(found) && isTicketKey(name) && !(yield* unrestricted(repo.isTaken({ workspace_id, name })))
        if (Option.isNone(found) && !mayBeCreated) return yield* notFound(name)
        const previous = Option.getOrNull(found)
        const { id, criteria: before } = previous ?? (yield* insert(name, name))
        yield* repo.setCriteria({ workspace_id, id, criteria: yield* criteria.replacing(before, asked) })
        yield* repo.touch({ workspace_id, id, at: yield* now })
        const changed = yield* repo.byId({ workspace_id, id })
        if (changed.branches.length > 0 && needsJob(changed, previous)) yield* queue(changed, previous)
        const row = yield* repo.byId({ workspace_id, id })
        yield* log(previous, row)
        return recordOf(row)
      })
      return yield* inTransaction(change)
    })

    /** Judges again what has changed: nothing is queued where nothing has, or where a job is at it. */
    const refresh = Effect.fn("ChangeReviews.refresh")(function* (name: string) {
      const { workspace_id } = yield* Caller
      const asked = yield* named(name)
      if (asked.branches.length === 0) return yield* withoutBranches(name)
      // Who asks may have pushed just now.
      yield* heads.ask(workspace_id, asked.branches)
      const change = Effect.gen(function* () {
        yield* repo.lockReviewsOf(workspace_id)
        const previous = yield* named(name)
        if (isSettled(previous)) return recordOf(previous)
        yield* queue(previous, previous)
        const row = yield* repo.byId({ workspace_id, id: previous.id })
        yield* log(previous, row)
        return recordOf(row)
      })
      return yield* inTransaction(change)
    })

    return { list, get, find, readiness, setCriteria, start, refresh }
  })
}) {}

const notFound = (name: string) => new ChangeReviewNotFound({ message: `No change review ${name}.` })

const withoutBranches = (name: string) =>
  new ChangeReviewWithoutBranches({
    message: `The change review ${name} has no branches yet; start it from branches whose title or names have this key.`
  })

/** Whether another job would find nothing else. What could not be judged may be judged now: a remote answers again. */
const isSettled = (row: ReviewRow): boolean => {
  if (isRunning(row)) return row.job_status === "pending" || !isStale(row)
  const commits = commitsHash(row.branches)
  return (
    !isStale(row) &&
    row.criteria.every(
      ({ verdict, decided_for }) => (verdict === "met" || verdict === "not_met") && decided_for === commits
    )
  )
}

/** Whether there is anything to judge that the job before, where there was one, did not see. */
const needsJob = (row: ReviewRow, previous: ReviewRow | null): boolean => {
  if (previous === null || branchesHash(row.branches) !== branchesHash(previous.branches)) return true
  const known = new Set(previous.criteria.map(({ id }) => id))
  return row.criteria.some(({ id }) => !known.has(id)) || !isSettled(row)
}

const contentOf = ({ title, branches, criteria, job_id }: Omit<ReviewRow, "name">): object => ({
  title,
  branches: branches.map(({ repository, branch }) => ({ repository, branch })),
  criteria: criteria.map(({ text, check }) => ({ text, check })),
  job_id
})
