import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import { InvalidCursor, InvalidPayload } from "../schema/Errors.ts"
import {
  ArtifactContentType,
  ArtifactNotFound,
  ArtifactPath,
  CancelJobResponse,
  Job,
  JobArtifact,
  JobEvent,
  JobNotFound,
  JobNotRetryable,
  JobPath,
  RetryLimitReached,
  SubmissionInvalid,
  SubmitJob,
  SubmittedJob,
  TooManyStreams,
  Workflow
} from "../schema/Job.ts"
import { jobs } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { booleanQuery, optional } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { JobStartErrors, RepositoryPageErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const JobsPage = page("JobsPage", Job)
export const JobArtifactsPage = page("JobArtifactsPage", JobArtifact)
export const JobEventsPage = page("JobEventsPage", JobEvent)

const ArtifactFile = Schema.String.annotations({ description: "The bytes of the artifact." })

/** The response is the file itself, in one of the types that an artifact may have. */
const asFile = (operation: Record<string, unknown>) => {
  const { 200: _, ...errors } = operation.responses as Record<number, object>
  const file = { schema: { type: "string", format: "binary", description: "The bytes of the artifact." } }
  const content = Object.fromEntries(ArtifactContentType.literals.map((type) => [type, file]))
  return { ...operation, responses: { 200: { description: "The artifact, as a file.", content }, ...errors } }
}

/** The other form of the response, which schemas of endpoints have no place for. */
const withEventStream = (operation: Record<string, unknown>) => {
  const { 200: ok, ...errors } = operation.responses as Record<number, { readonly content: object }>
  const stream = {
    schema: { type: "string", description: "Server-sent events: `id`, `event` (the type) and `data` (a JobEvent)." },
    example: `id: 3
event: stage_started
data: {"ts":"2026-11-20T08:00:13.453Z","stage":"prepare","type":"stage_started","detail":"","data":{"attempt_number":1}}

`
  }
  const content = { ...ok?.content, "text/event-stream": stream }
  return { ...operation, responses: { 200: { ...ok, content }, ...errors } }
}

export const JobsApi = HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.post("submit", "/api/repos/:github_org/:github_repo/:github_base_branch/jobs")
      .annotateContext(
        serves(
          jobs.submitJob,
          "Starts a workflow. 201 with a new job; 200 with the existing one that does the same: in flight, or ended less than 10 minutes ago on the same commit with the same params, unless `force=true`."
        )
      )
      .setPath(RepositoryPath)
      .setUrlParams(
        closed({
          force: optional(
            booleanQuery,
            "Run even if the same commit was audited minutes ago; a job in flight is still returned."
          )
        })
      )
      .setHeaders(
        Schema.Struct({
          "idempotency-key": optional(
            Schema.String,
            "1 to 255 visible ASCII characters. The same key within 24 hours returns the first job, whatever the body; after a reset of the history it returns the deleted job's record. It never starts a second run."
          )
        })
      )
      .setPayload(SubmitJob)
      .addSuccess(SubmittedJob, { status: 201 })
      .addSuccess(Job, { status: 200 })
      .addError(onWire(RepositoryNotFound, JobNotFound, SubmissionInvalid, InvalidPayload))
      .addError(JobStartErrors)
  )
  .add(
    HttpApiEndpoint.get("listOfRepository", "/api/repos/:github_org/:github_repo/:github_base_branch/jobs")
      .annotateContext(serves(jobs.listRepositoryJobs))
      .setPath(RepositoryPath)
      .setUrlParams(closed({ workflow: optional(Workflow, "Only jobs of this workflow."), ...pageQuery }))
      .addSuccess(JobsPage)
      .addError(RepositoryPageErrors)
  )
  .add(
    HttpApiEndpoint.get("listActive", "/api/jobs/active")
      .annotateContext(serves(jobs.listActiveJobs))
      .setUrlParams(closed(pageQuery))
      .addSuccess(JobsPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("list", "/api/jobs")
      .annotateContext(serves(jobs.listJobs))
      .setUrlParams(closed(pageQuery))
      .addSuccess(JobsPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/jobs/:job_id")
      .annotateContext(serves(jobs.readJob))
      .setPath(JobPath)
      .addSuccess(Job)
      .addError(onWire(JobNotFound))
  )
  .add(
    HttpApiEndpoint.post("cancel", "/api/jobs/:job_id/cancel")
      .annotateContext(
        serves(
          jobs.cancelJob,
          "Cancels a pending or running job. `ok` is false when the job had already ended; `status` is its state after the call."
        )
      )
      .setPath(JobPath)
      .addSuccess(CancelJobResponse)
      .addError(onWire(JobNotFound))
  )
  .add(
    HttpApiEndpoint.post("retry", "/api/jobs/:job_id/retry")
      .annotateContext(
        serves(
          jobs.retryJob,
          "Runs a failed or cancelled job again. 201 with the new job; 200 with the retry that is already in flight. Fix jobs also need `submit_fix_jobs`."
        )
      )
      .setPath(JobPath)
      .addSuccess(SubmittedJob, { status: 201 })
      .addSuccess(Job, { status: 200 })
      .addError(onWire(JobNotFound, JobNotRetryable, RetryLimitReached))
      .addError(JobStartErrors)
  )
  .add(
    HttpApiEndpoint.get("artifacts", "/api/jobs/:job_id/artifacts")
      .annotateContext(
        serves(
          jobs.listJobArtifacts,
          "Lists what a job has written for people, oldest first: diffs, the output of commands, summaries."
        )
      )
      .setPath(JobPath)
      .setUrlParams(closed(pageQuery))
      .addSuccess(JobArtifactsPage)
      .addError(onWire(JobNotFound, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("artifact", "/api/jobs/:job_id/artifacts/:artifact_id")
      .annotateContext(
        serves(jobs.readJobArtifact, "Reads one artifact: its bytes as a file, with the type that the list names.")
      )
      .annotate(OpenApi.Transform, asFile)
      .setPath(ArtifactPath)
      .addSuccess(ArtifactFile)
      .addError(onWire(JobNotFound, ArtifactNotFound))
  )
  .add(
    // With `Accept: text/event-stream` the same route is a live stream; see JobsHandlers.
    HttpApiEndpoint.get("events", "/api/jobs/:job_id/events")
      .annotateContext(
        serves(
          jobs.readJobEvents,
          "Lists a job's events, oldest first. With `Accept: text/event-stream` a live stream that ends with the job, or when the caller may not read it any more; `Last-Event-ID` continues an interrupted one. A key or session has at most 20 streams open."
        )
      )
      .annotate(OpenApi.Transform, withEventStream)
      .setPath(JobPath)
      .setUrlParams(closed(pageQuery))
      .setHeaders(
        Schema.Struct({
          accept: optional(Schema.String),
          "last-event-id": optional(Schema.String, "ID of the last received event of a stream; continues after it.")
        })
      )
      .addSuccess(JobEventsPage)
      .addError(onWire(JobNotFound, InvalidCursor, InvalidPayload, TooManyStreams))
  )
  .annotate(OpenApi.Description, "Runs of workflows.")
  .middleware(Authorization)
