import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import {
  FixableObservation,
  type FixRequest,
  maxRevisions,
  NoFixDiff,
  NoOpenFixPr,
  ObservationNotFixable,
  RevisionLimitReached
} from "../../schema/Fix.ts"
import type { AttemptId, JobId, ObservationId, WorkspaceId } from "../../schema/Ids.ts"
import { ObservationNotFound, type ObservationNumber, refOf } from "../../schema/Observation.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { type JobRequest, Submissions } from "../jobs/Submissions.ts"
import { Observations, rowOf } from "../observations/Observations.ts"
import { Workflows } from "../ports/Workflows.ts"
import { now } from "../support/now.ts"
import { onlyRow } from "../support/rows.ts"
import { transactional } from "../support/transactional.ts"
import { FixAttempts } from "./FixAttempts.ts"
import { type AttemptRow, FixAttemptsRepo, type FixTarget } from "./FixAttemptsRepo.ts"
import { FixRecordsRepo } from "./FixRecordsRepo.ts"
import { inFlight, isFixable, partOfMission, rejectionOf } from "./fixTarget.ts"
import { ObservationDetailRepo } from "./ObservationDetailRepo.ts"
import { hasOpenPr, isOngoing, stateOf } from "./transitions.ts"

/** Asking for fixes; what becomes of them is FixPrs'. */
export class Fixes extends Effect.Service<Fixes>()("Fixes", {
  effect: Effect.gen(function* () {
    const attempts = yield* FixAttempts
    const repo = yield* FixAttemptsRepo
    const records = yield* FixRecordsRepo
    const details = yield* ObservationDetailRepo
    const observations = yield* Observations
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const workflows = yield* Workflows
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** An observation with its history, its attempts, and whether one more can be asked for, as JSON. */
    const printedDetail = Effect.fnUntraced(function* (number: ObservationNumber) {
      const { workspace_id } = yield* Caller
      const found = yield* details.printed({ workspace_id, number })
      if (Option.isNone(found)) return yield* new ObservationNotFound({ message: `No observation ${refOf(number)}.` })
      const { line, ...candidate } = found.value
      return `${line.slice(0, -1)},"fix_available":${workflows.has("fix") && isFixable(candidate, true)}}`
    })

    const detail = (number: ObservationNumber) => Effect.flatMap(printedDetail(number), detailOf)

    const located = Effect.fnUntraced(function* (number: ObservationNumber, lock: boolean) {
      const { workspace_id } = yield* Caller
      const observation = yield* repo.target({ workspace_id, number, lock })
      if (Option.isNone(observation))
        return yield* new ObservationNotFound({ message: `No observation ${refOf(number)}.` })
      return observation.value
    })

    const target = Effect.fn("Fixes.target")(function* (number: ObservationNumber, extra: boolean, lock: boolean) {
      const observation = yield* located(number, lock)
      const rejection = rejectionOf(observation, extra)
      if (rejection !== null) return yield* rejection
      return observation
    })

    // The attempt and its job are one change, of the observation.
    const admitted = (request: JobRequest) =>
      partOfChange(submissions.admit(request)).pipe(Effect.catchTag("JobNotFound", Effect.die))

    const logFix = (ref: string, after: object) =>
      auditLog.record({ object: { kind: "observation", ref }, before: null, after })

    const started = Effect.fnUntraced(function* (number: ObservationNumber, observation: FixTarget, job_id: JobId) {
      const { workspace_id } = yield* Caller
      const { id: observation_id, repository_id, ref } = observation
      const attempt = yield* attempts.start({
        workspace_id,
        repository_id,
        observation_id,
        observation: number,
        job_id
      })
      if (Option.isNone(attempt)) return yield* inFlight(ref)
      return attempt.value.id
    })

    const submit = Effect.fn("Fixes.submit")(function* (
      number: ObservationNumber,
      { extra_attempt = false }: FixRequest
    ) {
      const { ref, jobRequest } = yield* Effect.gen(function* () {
        const { path, ref } = yield* target(number, extra_attempt, false)
        // The params distinguish one fix from another; the attempt is found by its job.
        const jobRequest = yield* submissions.prepare({ path, workflow: "fix", params: { ref }, force: true })
        return { ref, jobRequest }
      }).pipe(
        // The observation was closed between the two looks: the first one says so in the caller's terms.
        Effect.retry({ times: 3, while: ({ _tag }) => _tag === "SubmissionInvalid" }),
        Effect.catchTag("SubmissionInvalid", Effect.die)
      )
      const write = Effect.gen(function* () {
        // The job first: it locks the repository, which an audit's recording locks before observations.
        const { job, created } = yield* admitted(jobRequest)
        const observation = yield* target(number, extra_attempt, true)
        if (!created) return yield* inFlight(ref)
        const attempt_id = yield* started(number, observation, job.id)
        yield* logFix(ref, { attempt_id, job_id: job.id, extra_attempt })
        return { attempt_id, job_id: job.id }
      })
      const made = yield* inTransaction(write)
      return yield* answer(number, made)
    })

    const answer = Effect.fnUntraced(function* (
      number: ObservationNumber,
      made: { attempt_id: AttemptId; job_id: JobId }
    ) {
      const observation = rowOf(yield* observations.get(number))
      return { observation, ...made }
    })

    const attemptFor = Effect.fnUntraced(function* (number: ObservationNumber, job_id: JobId) {
      const { workspace_id } = yield* Caller
      const observation = yield* located(number, true)
      const { ref } = observation
      const link = yield* repo.linkOf({ workspace_id, job_id })
      if (Option.isSome(link)) {
        const known = yield* repo.find({ workspace_id, id: link.value.attempt_id })
        const isUnderWay = Option.exists(known, (attempt) => isOngoing(stateOf(attempt)))
        return isUnderWay ? link.value.attempt_id : yield* wrongJob("job_ended", ref)
      }
      const attempt_id = yield* started(number, observation, job_id)
      yield* logFix(ref, { attempt_id, job_id })
      return attempt_id
    })

    /** Makes the attempt that a queued fix job works on; asking again answers the same. */
    const request = Effect.fn("Fixes.request")(function* (number: ObservationNumber, job_id: JobId) {
      const observation = yield* located(number, false)
      const rejection = rejectionOf({ ...observation, in_flight: false }, true)
      if (rejection !== null) return yield* rejection
      // The same checks as of a submission: whether fixes are served here, and may be asked for.
      const { path, ref } = observation
      // It may have changed since it was looked at.
      yield* prepared(path, { ref }).pipe(
        Effect.catchTag("SubmissionInvalid", ({ message }) =>
          Effect.fail(new ObservationNotFixable({ message, details: { reason: "closed" } }))
        )
      )
      const job = yield* jobs.get(job_id)
      if (job.workflow !== "fix" || job.params.ref !== ref) return yield* wrongJob("other_job", ref)
      if (job.status !== "pending" && job.status !== "running") return yield* wrongJob("job_ended", ref)
      const attempt_id = yield* inTransaction(attemptFor(number, job_id))
      return yield* answer(number, { attempt_id, job_id })
    })

    const prepared = (path: RepositoryPath, params: { readonly ref: string; readonly instructions?: string }) =>
      submissions.prepare({ path, workflow: "fix", params, force: true })

    /** The attempt whose pull request is open. */
    const openPr = Effect.fnUntraced(function* (
      ref: string,
      request: { readonly workspace_id: WorkspaceId; readonly observation_id: ObservationId }
    ) {
      const { workspace_id } = request
      const ongoing = yield* repo.ongoing(request)
      const attempt = Option.isNone(ongoing)
        ? Option.none<AttemptRow>()
        : yield* repo.find({ workspace_id, id: ongoing.value.id })
      if (!Option.exists(attempt, (row) => hasOpenPr(stateOf(row)))) return yield* noOpenPr(ref)
      const row = Option.getOrThrow(attempt)
      return row.mission_ref === null ? row : yield* partOfMission(ref, row.mission_ref)
    })

    /** The change that the newest attempt with a diff makes. */
    const diff = Effect.fn("Fixes.diff")(function* (number: ObservationNumber) {
      const { workspace_id } = yield* Caller
      const { id: observation_id, ref } = yield* located(number, false)
      const found = yield* records.newestDiff({ workspace_id, observation_id })
      if (Option.isNone(found)) return yield* new NoFixDiff({ message: `No fix of ${ref} has made a change yet.` })
      return found.value
    })

    /** A fix job with instructions for the pull request that is open; five times at most. */
    const revise = Effect.fn("Fixes.revise")(function* (number: ObservationNumber, instructions: string) {
      const { workspace_id } = yield* Caller
      const { path, ref } = yield* located(number, false)
      const jobRequest = yield* prepared(path, { ref, instructions }).pipe(
        Effect.catchTag("SubmissionInvalid", () => noOpenPr(ref))
      )
      const write = Effect.gen(function* () {
        // The job first, as in a submission.
        const { job } = yield* admitted(jobRequest)
        const { id: observation_id } = yield* located(number, true)
        const attempt = yield* openPr(ref, { workspace_id, observation_id })
        if (attempt.revisions >= maxRevisions) {
          return yield* new RevisionLimitReached({
            message: `The fix pull request of ${ref} was sent back ${maxRevisions} times, which is the limit.`,
            details: { limit: maxRevisions }
          })
        }
        const key = { workspace_id, id: attempt.id }
        if (Option.isNone(yield* attempts.apply(key, "revision_requested", { reason: instructions }))) {
          return yield* noOpenPr(ref)
        }
        yield* repo.countRevision(key)
        yield* repo.addJob({ ...key, job_id: job.id, kind: "revise", at: yield* now })
        yield* logFix(ref, { attempt_id: attempt.id, job_id: job.id, revision: attempt.revisions + 1, instructions })
        return { attempt_id: attempt.id, job_id: job.id }
      })
      return yield* answer(number, yield* inTransaction(write))
    })

    return { detail, printedDetail, diff, submit, request, revise }
  })
}) {}

const Detail = Schema.Struct(FixableObservation.fields)

/** Checked like any other row. */
const detailOf = (text: string) =>
  onlyRow(
    Detail,
    Effect.sync((): ReadonlyArray<unknown> => [JSON.parse(text)])
  )

const noOpenPr = (ref: string) => new NoOpenFixPr({ message: `${ref} has no fix pull request that waits for people.` })

const wrongJob = (reason: "other_job" | "job_ended", ref: string) =>
  new ObservationNotFixable({
    message: reason === "other_job" ? `The job is no fix of ${ref}.` : `The job has ended; submit a new fix of ${ref}.`,
    details: { reason }
  })
