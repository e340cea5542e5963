import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { type FixOutcome, type FixPrsQuery, maxDiffBytes } from "../../schema/Fix.ts"
import type { AttemptId, JobId, MissionId, WorkspaceId } from "../../schema/Ids.ts"
import { type Observation, type ObservationNumber, refOf } from "../../schema/Observation.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { ObservationsRepo } from "../observations/ObservationsRepo.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { now } from "../support/now.ts"
import { storableText } from "../support/storable.ts"
import { transactional } from "../support/transactional.ts"
import { type AppliedChange, type ChangeDetails, FixAttempts } from "./FixAttempts.ts"
import {
  type AttemptKey,
  type AttemptRow,
  FixAttemptsRepo,
  type FixTarget,
  type JobKind,
  type Proposal
} from "./FixAttemptsRepo.ts"
import { FixRecordsRepo, type GateReport } from "./FixRecordsRepo.ts"
import { isFixable, rejectionOf } from "./fixTarget.ts"
import { type FixEvent, isOngoing, stateOf } from "./transitions.ts"

/** How an attempt can end without its pull request being merged. */
export type Unmerged = Exclude<FixOutcome, "started" | "pr_merged">

/** The fix job that runs. */
export interface RunningFix {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly number: ObservationNumber
}

/** The job of a step that runs. */
export interface RunningStep {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly numbers: ReadonlyArray<ObservationNumber>
  readonly mission: { readonly id: MissionId; readonly branch: string }
}

/** What a step's job fixes, and what it leaves to others. */
export interface BegunStep {
  readonly targets: ReadonlyArray<{ readonly number: ObservationNumber; readonly attempt_id: AttemptId }>
  readonly left_out: ReadonlyArray<{ readonly number: ObservationNumber; readonly reason: string }>
}

interface ObservationOfWorkspace {
  readonly workspace_id: WorkspaceId
  readonly number: ObservationNumber
}

/** An attempt as the job that works on it sees it. */
export interface AttemptState extends AttemptRow {
  readonly kind: JobKind
  /** What a revision should change; null where it is none. */
  readonly instructions: string | null
  readonly observation: Observation
}

export interface OpenedPr {
  readonly pr_url: string
  readonly pr_number: number | null
  readonly branch: string
}

const endings: Readonly<Record<Unmerged, FixEvent>> = {
  pr_rejected: "closed_unmerged",
  withdrawn: "withdrawn",
  cancelled: "cancelled",
  failed: "failed",
  declined: "declined"
}

/**
 * Attempts at fixes as they go on, and the lane of their pull requests. What changes them may run in the transaction of a
 * workflow and needs no caller; a change that the table of transitions does not have is ignored and returns false.
 */
export class FixPrs extends Effect.Service<FixPrs>()("FixPrs", {
  effect: Effect.gen(function* () {
    const attempts = yield* FixAttempts
    const repo = yield* FixAttemptsRepo
    const records = yield* FixRecordsRepo
    const observations = yield* ObservationsRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const list = Effect.fn("FixPrs.list")(function* (
      path: RepositoryPath,
      { limit = defaultPageSize, cursor }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const { id: repository_id } = yield* repositories.find(path)
      const after = yield* cursors.open("fix_prs", { repository_id }, cursor)
      const rows = yield* records.listPrs({ workspace_id, repository_id, after, limit })
      return yield* cursors.page("fix_prs", { repository_id }, limit, rows, (row) => [row.attempt_id])
    })

    /** Those of every repository that the caller may see. */
    const listAll = Effect.fn("FixPrs.listAll")(function* ({
      limit = defaultPageSize,
      cursor,
      ...filters
    }: FixPrsQuery) {
      const { workspace_id } = yield* Caller
      const repository_id = filters.repo === undefined ? null : yield* repositories.resolveSlug(filters.repo)
      const after = yield* cursors.open("fix_prs_of_workspace", filters, cursor)
      const statuses = filters.status ?? null
      const rows = yield* records.listPrsOfWorkspace({ workspace_id, repository_id, statuses, after, limit })
      return yield* cursors.page("fix_prs_of_workspace", filters, limit, rows, (row) => [row.attempt_id])
    })

    /** Why a fix job finds nothing to do; `null` when it would. */
    const rejectionOfJob = Effect.fn("FixPrs.rejectionOfJob")(function* (request: ObservationOfWorkspace) {
      const found = yield* repo.target({ ...request, lock: false })
      if (Option.isNone(found)) return `There is no observation OBS-${request.number}.`
      return rejectionOf(found.value, false)?.message ?? null
    })

    /** Why the observation is none that a fix can be submitted for, whatever becomes of other fixes of it meanwhile. */
    const rejectionOfSubmission = Effect.fn("FixPrs.rejectionOfSubmission")(function* (
      request: ObservationOfWorkspace
    ) {
      const found = yield* repo.target({ ...request, lock: false })
      if (Option.isNone(found)) return `There is no observation OBS-${request.number}.`
      return rejectionOf({ ...found.value, in_flight: false, open_fix_pr: false }, true)?.message ?? null
    })

    const startFor = (job: RunningFix, { id: observation_id, repository_id }: FixTarget) =>
      attempts.start({
        workspace_id: job.workspace_id,
        repository_id,
        observation_id,
        observation: job.number,
        job_id: job.id
      })

    /**
     * The attempt that a running fix job works on. A job that was submitted as a job gets one here; none when the
     * observation cannot be fixed or has one under way elsewhere, or when its own has ended.
     */
    const begin = Effect.fn("FixPrs.begin")(function* (job: RunningFix) {
      const { workspace_id, number } = job
      if (Option.isNone(yield* repo.linkOf({ workspace_id, job_id: job.id }))) {
        const target = yield* repo.target({ workspace_id, number, lock: true })
        if (Option.isNone(target) || !isFixable(target.value, false)) return Option.none<AttemptState>()
        yield* startFor(job, target.value)
      }
      const link = yield* repo.linkOf({ workspace_id, job_id: job.id })
      if (Option.isNone(link) || !link.value.is_newest) return Option.none<AttemptState>()
      const attempt = yield* repo.find({ workspace_id, id: link.value.attempt_id })
      const observation = yield* observations.find({ workspace_id, number })
      if (Option.isNone(attempt) || Option.isNone(observation)) return Option.none<AttemptState>()
      if (!isOngoing(stateOf(attempt.value))) return Option.none<AttemptState>()
      const { kind, instructions } = link.value
      return Option.some<AttemptState>({ ...attempt.value, kind, instructions, observation: observation.value })
    }, inTransaction)

    /** The attempt that the step goes on with, or begins; a text where the observation is not the step's to fix. */
    const attemptOfStep = Effect.fnUntraced(function* (step: RunningStep, number: ObservationNumber) {
      const { id: job_id, workspace_id, mission } = step
      const found = yield* repo.target({ workspace_id, number, lock: true })
      if (Option.isNone(found)) return `There is no observation ${refOf(number)}.`
      const { id: observation_id, repository_id } = found.value
      const key = { workspace_id, observation_id }
      const own = yield* repo.workedOn({ ...key, job_id })
      if (Option.isSome(own)) return own.value
      const rejection = rejectionOf(found.value, true)
      if (rejection !== null) return rejection.message
      const earlier = yield* repo.newestOfMission({ ...key, mission_id: mission.id })
      if (Option.isSome(earlier)) {
        const attempt = { workspace_id, id: earlier.value.id }
        if (Option.isSome(yield* attempts.apply(attempt, "reopened_by_retry"))) {
          yield* repo.addJob({ ...attempt, job_id, kind: "retry", at: yield* now })
          return earlier.value
        }
      }
      const started = yield* attempts.start({ ...key, repository_id, observation: number, job_id, mission })
      return Option.isSome(started) ? started.value : `A fix of ${refOf(number)} is under way already.`
    })

    /** The attempts that a running step of a mission works on; what is fixed elsewhere or closed is left out. */
    const beginStep = Effect.fn("FixPrs.beginStep")(function* (step: RunningStep) {
      const targets: Array<BegunStep["targets"][number]> = []
      const left_out: Array<BegunStep["left_out"][number]> = []
      // In order, as everything locks observations that locks several.
      for (const number of [...step.numbers].sort((a, b) => a - b)) {
        const found = yield* attemptOfStep(step, number)
        if (typeof found === "string") left_out.push({ number, reason: found })
        else targets.push({ number, attempt_id: found.id })
      }
      return { targets, left_out } satisfies BegunStep
    }, inTransaction)

    /** What a gate found, of the attempt's newest job. */
    const gate = Effect.fn("FixPrs.gate")(function* (key: AttemptKey, report: GateReport) {
      yield* records.writeGate({ ...key, ...report, at: yield* now })
    })

    const setProposal = (key: AttemptKey, proposal: Proposal) =>
      Effect.flatMap(now, (at) => repo.setProposal({ ...key, ...proposal, ...keptDiff(proposal.diff), at }))

    /** What the runner made, before there is a pull request; `revised` replaces it once a revision is pushed. */
    const proposed = Effect.fn("FixPrs.proposed")(function* (key: AttemptKey, proposal: Proposal) {
      const attempt = yield* repo.lock(key)
      const isDue = Option.exists(attempt, (row) => stateOf(row) === "working")
      if (isDue) yield* setProposal(key, proposal)
      return isDue
    }, inTransaction)

    const applied = (change: Effect.Effect<Option.Option<AppliedChange>>) => Effect.map(change, Option.isSome)

    /** Sets the pull request's URL on the newest job, too. Its row is locked first. */
    const withJob = Effect.fnUntraced(function* (
      key: AttemptKey,
      change: Effect.Effect<Option.Option<AppliedChange>>,
      url: string | null
    ) {
      const job = yield* repo.lockNewestJob(key)
      const result = yield* change
      if (Option.isNone(result)) return result
      const pr_url = url ?? result.value.attempt.pr_url
      if (Option.isSome(job) && pr_url !== null) {
        yield* repo.setPrOfJob({ workspace_id: key.workspace_id, job_id: job.value.id, pr_url })
      }
      return result
    }, inTransaction)

    /** The attempt has a pull request: the observation leaves the list of what is new. */
    const opened = Effect.fn("FixPrs.opened")((key: AttemptKey, pr: OpenedPr) =>
      applied(withJob(key, attempts.apply(key, "opened", pr), pr.pr_url))
    )

    /** The revision is pushed. */
    const revised = Effect.fn("FixPrs.revised")(function* (key: AttemptKey, proposal: Proposal) {
      const result = yield* withJob(key, attempts.apply(key, "revised"), null)
      if (Option.isSome(result)) yield* setProposal(key, proposal)
      return Option.isSome(result)
    }, inTransaction)

    const change = (name: string, event: FixEvent) =>
      Effect.fn(`FixPrs.${name}`)((key: AttemptKey, details: ChangeDetails = {}) =>
        applied(attempts.apply(key, event, details))
      )

    /** The fix landed: the observation is closed as fixed, unless it is closed already. */
    const merged = (key: AttemptKey, { merge_commit }: { readonly merge_commit: string | null }) =>
      change("merged", "merged")(key, { merge_commit })

    const conflicted = (key: AttemptKey, reason: string) => change("conflicted", "conflicted")(key, { reason })

    /** The attempt came to nothing, or its revision did; what people called off is no try. */
    const ended = (key: AttemptKey, outcome: Unmerged, reason: string | null = null) =>
      change("ended", endings[outcome])(key, { reason })

    return {
      list,
      listAll,
      rejectionOfJob,
      rejectionOfSubmission,
      begin,
      beginStep,
      gate,
      proposed,
      opened,
      revised,
      merged,
      conflicted,
      conflictResolved: change("conflictResolved", "conflict_resolved"),
      closedUnmerged: change("closedUnmerged", "closed_unmerged"),
      withdrawn: change("withdrawn", "withdrawn"),
      reopened: change("reopened", "pr_reopened"),
      resumed: change("resumed", "reopened_by_retry"),
      lost: change("lost", "pr_lost"),
      ended
    }
  })
}) {}

/** As much of a diff as is kept, whole lines. */
export const keptDiff = (diff: string): { readonly diff: string; readonly truncated: boolean } => {
  const whole = storableText(diff, Number.POSITIVE_INFINITY)
  const bytes = Buffer.from(whole)
  if (bytes.length <= maxDiffBytes) return { diff: whole, truncated: false }
  const lastLine = bytes.lastIndexOf(0x0a, maxDiffBytes - 1)
  // Without a line that fits, what is cut off may be within a character.
  const kept = lastLine < 0 ? "" : bytes.subarray(0, lastLine + 1).toString()
  return { diff: kept, truncated: true }
}
