import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { Forecast } from "./Forecast.ts"
import { Amount, Count, described, Instant, JsonObject, oneOf, Uuid } from "./Text.ts"

export const workflows = ["standard_audit", "audit", "discover", "revalidate", "review", "fix"] as const
export const Workflow = oneOf(...workflows)
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
  timeout: true,
  worker_lost: true,
  agent_failed: true,
  internal: true
} as const
export type FailureKind = keyof typeof failureKinds
export const FailureKind = oneOf(...(Object.keys(failureKinds) as [FailureKind, ...Array<FailureKind>]))

/** Who asked: an API key or a person. */
export const Actor = Schema.Struct({
  kind: oneOf("api_key", "user", "system"),
  label: Schema.NullOr(Schema.String),
  api_key_id: Schema.NullOr(Uuid),
  user_id: Schema.NullOr(Uuid)
}).annotations({ identifier: "Actor" })
export type Actor = typeof Actor.Type

export const JobPath = Schema.Struct({ job_id: Uuid })

export const Progress = Schema.Struct({ stage: Schema.String, done: Count, total: Count })
export type Progress = typeof Progress.Type

export const Job = record("JobResponse", {
  id: Uuid,
  workflow: Workflow,
  status: JobStatus,
  repo_name: Schema.String,
  created_at: Instant,
  queued_at: Instant,
  started_at: Schema.NullOr(Instant),
  finished_at: Schema.NullOr(Instant),
  commit_sha: Schema.NullOr(Schema.String),
  params: JsonObject,
  parent_job_id: Schema.NullOr(Uuid),
  attempt: Count,
  agent_runner: Schema.NullOr(Schema.String),
  progress: Schema.NullOr(Progress),
  cost_usd: Amount,
  forecast: Schema.NullOr(Forecast).annotations({
    description: "As of submit; `cost_usd` and the timestamps say what came of it."
  }),
  error: Schema.NullOr(Schema.String),
  failure_kind: Schema.NullOr(FailureKind),
  retryable: Schema.Boolean,
  pr_url: Schema.NullOr(Schema.String),
  requested_by: Actor,
  result: Schema.NullOr(JsonObject)
})
export type Job = typeof Job.Type

export const SubmitJob = closed(
  {
    workflow: described(Schema.String, `One of ${workflows.join(", ")}.`),
    params: Schema.optionalWith(described(JsonObject, "Of the workflow."), { exact: true })
  },
  "SubmitJobRequest"
)

export const CancelJobResponse = closed({ ok: Schema.Boolean, status: JobStatus }, "CancelJobResponse")

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

const nullableOptional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

export const JobEventMetadata = record("JobEventMetadata", {
  artifact_namespace: nullableOptional(Schema.String),
  artifact_namespaces: nullableOptional(Schema.Array(Schema.String)),
  attempt_number: nullableOptional(Count),
  content_hash: nullableOptional(Schema.String),
  created_by: nullableOptional(Schema.String),
  duration_s: nullableOptional(Amount),
  error: nullableOptional(Schema.String),
  error_kind: nullableOptional(Schema.String),
  error_message: nullableOptional(Schema.String),
  failure_kind: nullableOptional(Schema.String),
  gate_reason: nullableOptional(Schema.String),
  gate_result: nullableOptional(oneOf("passed", "failed", "warned")),
  intended_status: nullableOptional(Schema.String),
  done: nullableOptional(Count),
  total: nullableOptional(Count),
  cost_usd: nullableOptional(Amount)
})
export type JobEventMetadata = typeof JobEventMetadata.Type

export const JobEvent = closed(
  {
    ts: Instant,
    stage: Schema.String,
    type: oneOf(...eventTypes),
    detail: Schema.String,
    data: Schema.NullOr(JobEventMetadata)
  },
  "JobEvent"
)
export type JobEvent = typeof JobEvent.Type

export class JobNotFound extends apiError("JobNotFound", { status: 404, type: "not_found", code: "not_found" }) {}
/** An unknown or retired workflow, or params that the workflow refuses. */
export class SubmissionInvalid extends apiError("SubmissionInvalid", {
  status: 422,
  type: "validation_error",
  code: "invalid_payload"
}) {}
export class JobNotRetryable extends apiError("JobNotRetryable", {
  status: 409,
  type: "conflict",
  code: "job_not_retryable"
}) {}
export class RetryLimitReached extends apiError("RetryLimitReached", {
  status: 409,
  type: "conflict",
  code: "retry_limit_reached"
}) {}
export class QueueLimitReached extends apiError("QueueLimitReached", {
  status: 402,
  type: "billing_error",
  code: "queue_limit_reached"
}) {}
/** A workflow that this installation does not serve; `details.allowed_workflows` names those it does. */
export class WorkflowNotEntitled extends apiError("WorkflowNotEntitled", {
  status: 402,
  type: "billing_error",
  code: "workflow_not_entitled"
}) {}
