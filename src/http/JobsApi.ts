import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import { FeatureNotEnabled, InsufficientScope, InvalidCursor, InvalidPayload } from "../schema/Errors.ts"
import {
  CancelJobResponse,
  Job,
  JobEvent,
  JobNotFound,
  JobNotRetryable,
  JobPath,
  QueueLimitReached,
  RetryLimitReached,
  SubmissionInvalid,
  SubmitJob,
  Workflow,
  WorkflowNotEntitled
} from "../schema/Job.ts"
import { jobs } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { CreditExhausted, JobCostCap, SpendCeilingReached, SpendPaused } from "../schema/Spend.ts"
import { booleanQuery, optional } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const JobsPage = page("JobsPage", Job)
export const JobEventsPage = page("JobEventsPage", JobEvent)

export const JobsApi = HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.post("submit", "/api/repos/:github_org/:github_repo/:github_base_branch/jobs")
      .annotateContext(serves(jobs.submitJob))
      .setPath(RepositoryPath)
      .setUrlParams(closed({ force: optional(booleanQuery) }))
      .setHeaders(Schema.Struct({ "idempotency-key": optional(Schema.String) }))
      .setPayload(SubmitJob)
      .addSuccess(Job, { status: 201 })
      .addSuccess(Job, { status: 200 })
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(JobNotFound))
      .addError(onWire(SubmissionInvalid))
      .addError(onWire(InvalidPayload))
      .addError(onWire(WorkflowNotEntitled))
      .addError(onWire(FeatureNotEnabled))
      .addError(onWire(QueueLimitReached))
      .addError(onWire(SpendPaused))
      .addError(onWire(JobCostCap))
      .addError(onWire(CreditExhausted))
      .addError(onWire(SpendCeilingReached))
      .addError(onWire(InsufficientScope))
  )
  .add(
    HttpApiEndpoint.get("listOfRepository", "/api/repos/:github_org/:github_repo/:github_base_branch/jobs")
      .annotateContext(serves(jobs.listRepositoryJobs))
      .setPath(RepositoryPath)
      .setUrlParams(closed({ workflow: optional(Workflow), ...pageQuery }))
      .addSuccess(JobsPage)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(InvalidCursor))
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
      .annotateContext(serves(jobs.cancelJob))
      .setPath(JobPath)
      .addSuccess(CancelJobResponse)
      .addError(onWire(JobNotFound))
  )
  .add(
    HttpApiEndpoint.post("retry", "/api/jobs/:job_id/retry")
      .annotateContext(serves(jobs.retryJob))
      .setPath(JobPath)
      .addSuccess(Job, { status: 201 })
      .addSuccess(Job, { status: 200 })
      .addError(onWire(JobNotFound))
      .addError(onWire(JobNotRetryable))
      .addError(onWire(RetryLimitReached))
      .addError(onWire(QueueLimitReached))
      .addError(onWire(WorkflowNotEntitled))
      .addError(onWire(FeatureNotEnabled))
      .addError(onWire(SpendPaused))
      .addError(onWire(JobCostCap))
      .addError(onWire(CreditExhausted))
      .addError(onWire(SpendCeilingReached))
      .addError(onWire(InsufficientScope))
  )
  .add(
    // With `Accept: text/event-stream` the same route is a live stream; see JobsHandlers.
    HttpApiEndpoint.get("events", "/api/jobs/:job_id/events")
      .annotateContext(serves(jobs.readJobEvents))
      .setPath(JobPath)
      .setUrlParams(closed(pageQuery))
      .setHeaders(Schema.Struct({ accept: optional(Schema.String), "last-event-id": optional(Schema.String) }))
      .addSuccess(JobEventsPage)
      .addError(onWire(JobNotFound))
      .addError(onWire(InvalidCursor))
      .addError(onWire(InvalidPayload))
  )
  .middleware(Authorization)
