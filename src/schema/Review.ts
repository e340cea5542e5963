import { Schema } from "effect"
import { record } from "./closed.ts"
import { JobId } from "./Ids.ts"
import { JobStatus } from "./Job.ts"
import { Count, field, Instant, nullable } from "./Text.ts"

/** One review of a pull request, a branch or a commit; the comments are in the job's `result`. */
export const Review = record("Review", {
  job_id: field(JobId, "ID of the review job; its `result` has the comments."),
  status: field(JobStatus, "State of the job."),
  pull_request: nullable(Count, "Number of the reviewed pull request; null for other reviews."),
  branch: nullable(Schema.String, "The reviewed branch; null for other reviews."),
  commit: nullable(Schema.String, "The reviewed commit; null for other reviews."),
  base_sha: nullable(Schema.String, "Commit that the change is compared with; null until it is known."),
  head_sha: nullable(Schema.String, "Last commit of the change; null until it is known."),
  introduced_count: nullable(Count, "Findings that the change introduces or affects; null until the job completes."),
  resolved_count: nullable(Count, "Findings that the change resolves; null until the job completes."),
  comments_count: nullable(Count, "Comments of the review; null until the job completes."),
  created_at: field(Instant, "When the review was requested."),
  finished_at: nullable(Instant, "When the job ended; null until then."),
  error: nullable(Schema.String, "Why the job failed; null unless it failed.")
})
export type Review = typeof Review.Type
