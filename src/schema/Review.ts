import { Schema } from "effect"
import { record } from "./closed.ts"
import { JobStatus } from "./Job.ts"
import { Count, described, Instant, Uuid } from "./Text.ts"

/** One review of a pull request, a branch or a commit; the job's `result` has the comments. */
export const Review = record("Review", {
  job_id: Uuid,
  status: JobStatus,
  pull_request: Schema.NullOr(Count),
  branch: Schema.NullOr(Schema.String),
  commit: Schema.NullOr(Schema.String),
  base_sha: Schema.NullOr(Schema.String),
  head_sha: Schema.NullOr(Schema.String),
  introduced_count: Schema.NullOr(described(Count, "Findings that the change brings in or reaches.")),
  resolved_count: Schema.NullOr(Count),
  comments_count: Schema.NullOr(Count),
  created_at: Instant,
  finished_at: Schema.NullOr(Instant),
  error: Schema.NullOr(Schema.String)
})
export type Review = typeof Review.Type
