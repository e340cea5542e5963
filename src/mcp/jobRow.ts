import { Schema, Struct } from "effect"
import { Job } from "../schema/Job.ts"
import { JsonObject, nullable } from "../schema/Text.ts"
import { cutText, valueWithin } from "./answerSize.ts"

const maxError = 400
const maxParams = 400
const maxCounts = 600

/** A job in a list, and as submitting it returns it: get_job_status returns the rest. */
export const JobRow = Schema.Struct({
  ...Struct.pick(
    Job.fields,
    "id",
    "workflow",
    "status",
    "repo_name",
    "created_at",
    "started_at",
    "finished_at",
    "commit_sha",
    "params",
    "parent_job_id",
    "attempt",
    "progress",
    "cost_usd",
    "failure_kind",
    "retryable",
    "pr_url"
  ),
  error: nullable(Schema.String, "The beginning of why the job failed; null unless it failed."),
  result: nullable(JsonObject, "Counts of the result; get_job_status returns the whole. Null until the job completes.")
})

export const jobRow = (job: Job): typeof JobRow.Type => ({
  ...job,
  params: valueWithin(job.params, maxParams),
  error: job.error === null ? null : cutText(job.error, maxError),
  result: job.result === null ? null : valueWithin(countsOf(job.result), maxCounts)
})

const countsOf = (result: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(result).filter(([name, value]) => typeof value === "number" || name === "observations")
  )

/** A job that was just submitted, with what it may cost. */
export const SubmittedRow = Schema.Struct({ ...JobRow.fields, forecast: Job.fields.forecast })

export const submittedRow = (job: Job): typeof SubmittedRow.Type => ({ ...jobRow(job), forecast: job.forecast })
