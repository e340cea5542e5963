import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import {
  type FixRequest,
  FixTargetsWorkflowFile,
  maxFixAttempts,
  maxRevisions,
  NoOpenFixPr,
  ObservationNotFixable,
  RevisionLimitReached
} from "../../schema/Fix.ts"
import { AttemptId, type JobId } from "../../schema/Ids.ts"
import { WorkflowNotEntitled } from "../../schema/Job.ts"
import { Observation, ObservationNotFound, type ObservationNumber, refOf } from "../../schema/Observation.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { type JobRequest, Submissions } from "../jobs/Submissions.ts"
import { Observations } from "../observations/Observations.ts"
import { Workflows } from "../ports/Workflows.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { FixAttemptsRepo } from "./FixAttemptsRepo.ts"

/** Asking for fixes; what becomes of them is FixPrs'. */
export class Fixes extends Effect.Service<Fixes>()("Fixes", {
  effect: Effect.gen(function* () {
    const attempts = yield* FixAttemptsRepo
    const observations = yield* Observations
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const workflows = yield* Workflows
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** An observation with its history, its attempts, and whether one more can be asked for. */
    const detail = Effect.fnUntraced(function* (number: ObservationNumber) {
      const { workspace_id } = yield* Caller
      const observation = yield* observations.get(number)
      const tries = yield* attempts.ofObservation({ workspace_id, observation_id: observation.id })
      const in_flight = tries.some(({ outcome }) => outcome === "started")
      return {
        ...observation,
        attempts: tries,
        fix_available: workflows.has("fix") && rejectionOf({ ...observation, in_flight }, true) === null
      }
    })

    const located = Effect.fnUntraced(function* (number: ObservationNumber, lock: boolean) {
      const { workspace_id } = yield* Caller
      const observation = yield* attempts.target({ workspace_id, number, lock })
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

    const submit = Effect.fn("Fixes.submit")(function* (
      number: ObservationNumber,
      { extra_attempt = false }: FixRequest
    ) {
      const { workspace_id } = yield* Caller
      const { path, ref } = yield* target(number, extra_attempt, false)
      // The params distinguish one fix from another; the attempt is found by its job.
      const jobRequest = yield* submissions
        .prepare({ path, workflow: "fix", params: { ref }, force: true })
        .pipe(Effect.catchTag("SubmissionInvalid", Effect.die))
      const write = Effect.gen(function* () {
        // The job first: it locks the repository, which an audit's recording locks before observations.
        const { job, created } = yield* admitted(jobRequest)
        const observation = yield* target(number, extra_attempt, true)
        const attempt_id = yield* newId(AttemptId)
        const at = yield* now
        const { id: observation_id, repository_id } = observation
        const isNew =
          created &&
          (yield* attempts.insertUnlessInFlight({
            id: attempt_id,
            workspace_id,
            repository_id,
            observation_id,
            job_id: job.id,
            at
          }))
        if (!isNew) return yield* inFlight(ref)
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
      const { events: _, steps: __, ...observation } = yield* observations.get(number)
      return { observation, ...made }
    })

    const attemptFor = Effect.fnUntraced(function* (number: ObservationNumber, job_id: JobId) {
      const { workspace_id } = yield* Caller
      const { id: observation_id, repository_id, ref } = yield* located(number, true)
      const known = yield* attempts.ofJob({ workspace_id, job_id })
      if (Option.isSome(known)) {
        return known.value.outcome === "started" ? known.value.id : yield* wrongJob("job_ended", ref)
      }
      const id = yield* newId(AttemptId)
      const at = yield* now
      const row = { id, workspace_id, repository_id, observation_id, job_id, at }
      if (!(yield* attempts.insertUnlessInFlight(row))) return yield* inFlight(ref)
      yield* logFix(ref, { attempt_id: id, job_id })
      return id
    })

    /** Makes the attempt that a queued fix job works on; asking again answers the same. */
    const request = Effect.fn("Fixes.request")(function* (number: ObservationNumber, job_id: JobId) {
      const observation = yield* located(number, false)
      const rejection = rejectionOf({ ...observation, in_flight: false }, true)
      if (rejection !== null) return yield* rejection
      // The same checks as of a submission: whether fixes are served here, and may be asked for.
      const { path, ref } = observation
      yield* prepared(path, { ref })
      const job = yield* jobs.get(job_id)
      if (job.workflow !== "fix" || job.params.ref !== ref) return yield* wrongJob("other_job", ref)
      if (job.status !== "pending" && job.status !== "running") return yield* wrongJob("job_ended", ref)
      const attempt_id = yield* inTransaction(attemptFor(number, job_id))
      return yield* answer(number, { attempt_id, job_id })
    })

    const prepared = (path: RepositoryPath, params: { readonly ref: string; readonly instructions?: string }) =>
      submissions
        .prepare({ path, workflow: "fix", params, force: true })
        .pipe(
          Effect.catchTag("SubmissionInvalid", ({ message }) =>
            Effect.fail(new WorkflowNotEntitled({ message: `The fix workflow here does not take this: ${message}` }))
          )
        )

    /** A fix job with instructions for the pull request that is open; five times at most. */
    const revise = Effect.fn("Fixes.revise")(function* (number: ObservationNumber, instructions: string) {
      const { workspace_id } = yield* Caller
      const { path, ref } = yield* located(number, false)
      const jobRequest = yield* prepared(path, { ref, instructions })
      const write = Effect.gen(function* () {
        // The job first, as in a submission.
        const { job } = yield* admitted(jobRequest)
        const { id: observation_id } = yield* located(number, true)
        const inReview = yield* attempts.inReview({ workspace_id, observation_id })
        if (Option.isNone(inReview)) {
          return yield* new NoOpenFixPr({ message: `${ref} has no fix pull request that waits for people.` })
        }
        const attempt = inReview.value
        if (attempt.revisions >= maxRevisions) {
          return yield* new RevisionLimitReached({
            message: `The fix pull request of ${ref} was sent back ${maxRevisions} times, which is the limit.`,
            details: { limit: maxRevisions }
          })
        }
        yield* attempts.revise({ workspace_id, id: attempt.id, at: yield* now })
        yield* logFix(ref, { attempt_id: attempt.id, job_id: job.id, revision: attempt.revisions + 1, instructions })
        return { attempt_id: attempt.id, job_id: job.id }
      })
      return yield* answer(number, yield* inTransaction(write))
    })

    return { detail, submit, request, revise }
  })
}) {}

const wrongJob = (reason: "other_job" | "job_ended", ref: string) =>
  new ObservationNotFixable({
    message: reason === "other_job" ? `The job is no fix of ${ref}.` : `The job has ended; submit a new fix of ${ref}.`,
    details: { reason }
  })

const inFlight = (ref: string) =>
  new ObservationNotFixable({
    message: `A fix of ${ref} is under way already.`,
    details: { reason: "in_flight" }
  })

type FixCandidate = Pick<Observation, "ref" | "kind" | "status" | "close_reason" | "fix_attempts"> & {
  readonly locations: NonNullable<Observation["locations"]>
  readonly in_flight?: boolean
  readonly open_fix_pr?: boolean
}

/** Why no fix of the observation can be asked for; `null` when one can. */
const rejectionOf = (
  observation: FixCandidate,
  extraAttempt: boolean
): ObservationNotFixable | FixTargetsWorkflowFile | null => {
  const { ref, kind, status, fix_attempts } = observation
  const rejected = (reason: string, message: string) => new ObservationNotFixable({ message, details: { reason } })
  if (kind !== "finding") return rejected("kind", `Only a finding can be fixed; ${ref} is of the kind ${kind}.`)
  if (status === "closed") return rejected("closed", `${ref} is closed (${observation.close_reason}); reopen it first.`)
  if (observation.locations.some(({ file_path }) => file_path.startsWith(".github/workflows/"))) {
    return new FixTargetsWorkflowFile({
      message: `${ref} lies in a workflow definition, where the code host lets no app push; change it by hand.`
    })
  }
  if (observation.open_fix_pr === true) return rejected("open_fix_pr", `${ref} has an open fix pull request.`)
  if (observation.in_flight === true) return inFlight(ref)
  if (fix_attempts >= maxFixAttempts && !extraAttempt) {
    return rejected(
      "attempts_exhausted",
      `The ${maxFixAttempts} automatic attempts at a fix of ${ref} are used up; send extra_attempt to try once more.`
    )
  }
  return null
}
