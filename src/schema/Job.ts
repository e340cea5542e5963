import { Schema } from "effect"
import { apiError, billing, conflict, notFound, rateLimited } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { completedJob, pendingJob } from "./examples/jobs.ts"
import { Forecast } from "./Forecast.ts"
import { ArtifactId, JobId, KeyId, UserId } from "./Ids.ts"
import { RepoName } from "./Repository.ts"
import { Amount, Count, field, Instant, JsonObject, nullable, oneOf, optional, optionalOrNull } from "./Text.ts"

/** Those that a client may submit. */
export const workflows = ["standard_audit", "audit", "discover", "revalidate", "review", "fix"] as const
/** Those that the service starts itself, for something that has calls of its own. */
export const internalWorkflows = ["change_review", "mission_step", "mission_pull_request"] as const
export type InternalWorkflow = (typeof internalWorkflows)[number]
export const Workflow = oneOf(...workflows, ...internalWorkflows)
export type Workflow = typeof Workflow.Type

export const retiredWorkflows = [
  "benchmark",
  "improve",
  "learn",
  "meta_review",
  "mini_audit",
  "publish",
  "scan",
  "suggest"
] as const

export const JobStatus = oneOf("pending", "running", "completed", "failed", "cancelled")
export type JobStatus = typeof JobStatus.Type

/** Every way a job can fail, and whether running it again may help without a change elsewhere. */
export const failureKinds = {
  clone_failed: true,
  repo_unavailable: true,
  no_changes: false,
  diff_too_large: false,
  test_regression: true,
  build_failed: true,
  lint_failed: true,
  quality_gate_failed: true,
  finding_not_resolved: true,
  push_rejected: true,
  workflow_file: false,
  budget_exceeded: false,
  resource_limit: true,
  disk_full: true,
  timeout: true,
  worker_lost: true,
  agent_failed: true,
  internal: true
} as const
export type FailureKind = keyof typeof failureKinds
export const FailureKind = oneOf(...(Object.keys(failureKinds) as [FailureKind, ...Array<FailureKind>]))

/** Who acted: an API key, a person or the system. */
export const Actor = Schema.Struct({
  kind: field(oneOf("api_key", "user", "system"), "Kind of actor."),
  label: nullable(Schema.String, "Name to show: of the key with its prefix, or the person's e-mail address."),
  api_key_id: nullable(KeyId, "ID of the API key; null for others."),
  user_id: nullable(UserId, "ID of the person; null for others.")
}).annotations({ identifier: "Actor" })
export type Actor = typeof Actor.Type

export const JobPath = Schema.Struct({ job_id: field(JobId, "ID of the job.") })

export const Progress = Schema.Struct({
  stage: field(Schema.String, "Name of the current stage."),
  done: field(Count, "Units of work done in this stage."),
  total: field(Count, "Units of work in this stage.")
})
export type Progress = typeof Progress.Type

export const Job = record(
  "JobResponse",
  {
    id: field(JobId, "ID of the job."),
    workflow: field(Workflow, "What the job does."),
    status: field(JobStatus, "State of the job; `completed`, `failed` and `cancelled` are final."),
    repo_name: RepoName,
    created_at: field(Instant, "When the job was submitted."),
    queued_at: field(Instant, "When the job was queued last."),
    started_at: nullable(Instant, "When the job started; null while it is pending."),
    finished_at: nullable(Instant, "When the job ended; null until then."),
    commit_sha: nullable(Schema.String, "Commit that the job works on; null until it is known."),
    params: field(JsonObject, "Parameters of the workflow, as submitted."),
    parent_job_id: nullable(JobId, "ID of the job that this one retries; null for a first try."),
    attempt: field(Count, "1 for a first try, one more for each retry."),
    agent_runner: nullable(Schema.String, "Agent runner of a fix job; null where none is used."),
    progress: nullable(Progress, "Progress of the current stage; null before the first one."),
    cost_usd: field(Amount, "Cost so far, in US dollars."),
    forecast: nullable(Forecast, "Forecast at submission; `cost_usd` and the timestamps have the real values."),
    error: nullable(Schema.String, "Why the job failed, in words; null unless it failed."),
    failure_kind: nullable(FailureKind, "Why the job failed; null unless it failed."),
    retryable: field(Schema.Boolean, "Whether a retry may succeed without a change elsewhere."),
    pr_url: nullable(Schema.String, "URL of the pull request that the job opened; null if it opened none."),
    requested_by: field(Actor, "Who submitted the job."),
    result: nullable(JsonObject, "Result of the workflow; null until the job completes.")
  },
  completedJob
)
export type Job = typeof Job.Type

/** A job as submitting it returns it. */
export const SubmittedJob = Job.annotations({ examples: [pendingJob] })

export const SubmitJob = closed(
  {
    workflow: field(Schema.String, `Workflow to run: one of ${workflows.join(", ")}.`),
    params: optional(JsonObject, "Parameters of the workflow; most take none.")
  },
  "SubmitJobRequest",
  { workflow: "audit" }
)

export const CancelJobResponse = closed(
  {
    ok: field(Schema.Boolean, "Whether this call cancelled the job; false if it had already ended."),
    status: field(JobStatus, "State of the job after the call.")
  },
  "CancelJobResponse",
  { ok: true, status: "cancelled" }
)

/** What an artifact for people may be; nothing that a browser would run. */
export const ArtifactContentType = oneOf(
  "text/plain; charset=utf-8",
  "text/markdown; charset=utf-8",
  "text/x-diff; charset=utf-8",
  "application/json"
)
export type ArtifactContentType = typeof ArtifactContentType.Type

/** Bytes of an artifact that are kept. */
export const maxArtifactBytes = 4 * 1024 * 1024

/** What a job has written for people: a diff, the output of a command, an agent's summary. */
export const JobArtifact = record(
  "JobArtifact",
  {
    id: field(ArtifactId, "ID of the artifact."),
    namespace: field(Schema.String, "What it is about; unique within the job."),
    name: field(Schema.String, "Name of the file."),
    content_type: field(ArtifactContentType, "Type of its content."),
    size: field(Count, "Size in bytes."),
    content_hash: field(Schema.String, "SHA-256 of its content, in hexadecimal."),
    created_at: field(Instant, "When it was written last.")
  },
  {
    id: ArtifactId.make("01a1f7f8-6a0c-7a52-9e0b-0f6d4c1b2a3e"),
    namespace: "diff",
    name: "fix.diff",
    content_type: "text/x-diff; charset=utf-8",
    size: 412,
    content_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    created_at: "2026-11-20T08:02:11.120Z"
  }
)
export type JobArtifact = typeof JobArtifact.Type

export const ArtifactPath = Schema.Struct({
  ...JobPath.fields,
  artifact_id: field(ArtifactId, "ID of the artifact.")
})

export const eventTypes = [
  "status_changed",
  "stage_started",
  "stage_progress",
  "stage_completed",
  "stage_failed",
  "stage_skipped",
  "gate_evaluated",
  "artifact_written",
  "attempt_started",
  "cost_recorded",
  "log"
] as const
export type EventType = (typeof eventTypes)[number]

export const JobEventMetadata = record("JobEventMetadata", {
  artifact_namespace: optionalOrNull(Schema.String, "Namespace of the artifact that was written."),
  artifact_namespaces: optionalOrNull(Schema.Array(Schema.String), "Namespaces of the artifacts that were written."),
  attempt_number: optionalOrNull(Count, "Number of the attempt at this stage."),
  content_hash: optionalOrNull(Schema.String, "Hash of the artifact's content."),
  created_by: optionalOrNull(Schema.String, "Who caused the event."),
  duration_s: optionalOrNull(Amount, "Duration in seconds."),
  error: optionalOrNull(Schema.String, "What went wrong."),
  error_kind: optionalOrNull(Schema.String, "Kind of error."),
  error_message: optionalOrNull(Schema.String, "Message of the error."),
  failure_kind: optionalOrNull(Schema.String, "Kind of failure of the job."),
  gate_reason: optionalOrNull(Schema.String, "Why the gate decided so."),
  gate_result: optionalOrNull(oneOf("passed", "failed", "warned"), "Result of the gate."),
  intended_status: optionalOrNull(Schema.String, "Status that the job takes with this event."),
  done: optionalOrNull(Count, "Units of work done in this stage."),
  total: optionalOrNull(Count, "Units of work in this stage."),
  cost_usd: optionalOrNull(
    Amount,
    "Cost of the stage since the event before, in US dollars to six decimals; at most every 30 seconds."
  )
})
export type JobEventMetadata = typeof JobEventMetadata.Type

export const JobEvent = closed(
  {
    ts: field(Instant, "When it happened."),
    stage: field(Schema.String, "Stage of the job; `job` for events of the job as a whole."),
    type: field(oneOf(...eventTypes), "Kind of event."),
    detail: field(Schema.String, "What happened, in words."),
    data: nullable(JobEventMetadata, "Details of the event; null where there are none.")
  },
  "JobEvent",
  {
    ts: "2026-11-20T08:00:13.294Z",
    stage: "job",
    type: "status_changed",
    detail: "Started.",
    data: { attempt_number: 1, intended_status: "running" }
  }
)
export type JobEvent = typeof JobEvent.Type

export class JobNotFound extends notFound("JobNotFound", "not_found") {}
/** An unknown or retired workflow, or params that the workflow rejects. */
export class SubmissionInvalid extends apiError("SubmissionInvalid", {
  status: 422,
  type: "validation_error",
  code: "invalid_payload"
}) {}
export class ArtifactNotFound extends notFound("ArtifactNotFound", "not_found") {}
export class JobNotRetryable extends conflict("JobNotRetryable", "job_not_retryable") {}
export class RetryLimitReached extends conflict("RetryLimitReached", "retry_limit_reached") {}
/** The caller, or the server, has as many live streams of events as it may have. */
export class TooManyStreams extends rateLimited("TooManyStreams", "rate_limit_qps") {}
export class QueueLimitReached extends billing("QueueLimitReached", "queue_limit_reached") {}
/** A workflow that this installation does not serve; `details.allowed_workflows` names those it does. */
export class WorkflowNotEntitled extends billing("WorkflowNotEntitled", "workflow_not_entitled") {}
