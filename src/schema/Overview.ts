import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { FixPrSummary } from "./Fix.ts"
import { Domain, ObservationRef } from "./Observation.ts"
import { OpenCounts, repositoryPath } from "./Repository.ts"
import { Amount, Count, Instant, oneOf, Uuid } from "./Text.ts"

/** How well a repository does in one domain. */
export const BenchmarkScore = closed(
  {
    domain: Domain,
    score: Schema.NullOr(Count).annotations({
      description: "0 to 100; null where none of the domain's tools has looked yet."
    }),
    justification: Schema.NullOr(Schema.String),
    top_issue: Schema.NullOr(Schema.String),
    top_strength: Schema.NullOr(Schema.String),
    strengths: Schema.Array(Schema.String),
    weaknesses: Schema.Array(Schema.String)
  },
  "BenchmarkScore"
)
export type BenchmarkScore = typeof BenchmarkScore.Type

const countsBy = <K extends string>(...keys: ReadonlyArray<K>) =>
  Schema.Struct(Object.fromEntries(keys.map((key) => [key, Count])) as { readonly [P in K]: typeof Count })

export const OpenObservations = record("OpenObservations", {
  total: Count,
  by_priority: OpenCounts,
  by_kind: countsBy("finding", "suggestion", "advisory"),
  by_domain: countsBy("security", "code_quality", "reliability", "data_apis", "testing", "devops", "ux")
})
export type OpenObservations = typeof OpenObservations.Type

const lastRuns = {
  last_audit_at: Schema.NullOr(Instant),
  last_audit_sha: Schema.NullOr(Schema.String).annotations({ description: "The commit it looked at." }),
  last_discovery_at: Schema.NullOr(Instant)
}

export const RepositoryOverview = record("RepositoryOverview", {
  ...repositoryPath,
  repo_name: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  head_sha: Schema.NullOr(Schema.String),
  ...lastRuns,
  lines: Schema.NullOr(Count).annotations({ description: "Lines of code that the last audit counted." }),
  open: OpenObservations,
  open_fix_prs: Schema.Array(FixPrSummary).annotations({ description: "The newest five of those in review." }),
  open_fix_pr_count: Count,
  active_jobs: Count,
  benchmark: Schema.Array(BenchmarkScore)
})
export type RepositoryOverview = typeof RepositoryOverview.Type

const RepositoryLine = record("RepositoryLine", {
  ...repositoryPath,
  repo_name: Schema.String,
  open_observations: OpenCounts,
  last_audit_at: Schema.NullOr(Instant)
})

export const WorkspaceOverview = record("WorkspaceOverview", {
  name: Schema.String,
  repositories: Count,
  never_audited: Count,
  open: OpenObservations,
  jobs: Schema.Struct({
    pending: Count,
    running: Count,
    failed_last_week: Count
  }),
  open_fix_prs: Count,
  proposed_context_entries: Count,
  worst: Schema.Array(RepositoryLine).annotations({
    description: "The ten repositories with the gravest open observations."
  })
})
export type WorkspaceOverview = typeof WorkspaceOverview.Type

export const AuditFreshness = record("AuditFreshness", {
  repo_name: Schema.String,
  head_sha: Schema.NullOr(Schema.String),
  head_verified: Schema.Boolean.annotations({
    description: "Whether the remote confirmed `head_sha` just now; else it is the last one known."
  }),
  last_audit_sha: Schema.NullOr(Schema.String),
  last_audit_at: Schema.NullOr(Instant),
  age_days: Schema.NullOr(Amount).annotations({ description: "Since the last audit, to a tenth of a day." }),
  is_current: Schema.NullOr(Schema.Boolean).annotations({
    description: "Whether the last audit saw `head_sha`; null when the remote could not be asked and they are equal."
  }),
  active_audit_job_id: Schema.NullOr(Uuid),
  advice: Schema.String
})
export type AuditFreshness = typeof AuditFreshness.Type

export const TodoItem = record("TodoItem", {
  kind: oneOf("observation", "failed_job", "context_entry", "fix_pr"),
  title: Schema.String,
  why: Schema.String.annotations({ description: "Why it is here, and what can be done." }),
  repo_name: Schema.NullOr(Schema.String),
  ref: Schema.NullOr(ObservationRef),
  job_id: Schema.NullOr(Uuid),
  context_key: Schema.NullOr(Schema.String),
  project: Schema.NullOr(Schema.String).annotations({
    description: "Of a context entry: slug of the level it lives at; null: the workspace."
  }),
  url: Schema.NullOr(Schema.String),
  at: Instant
})
export type TodoItem = typeof TodoItem.Type

export const todoKinds = ["observation", "failed_job", "context_entry", "fix_pr"] as const

export const TodoList = record("TodoList", {
  items: Schema.Array(TodoItem).annotations({ description: "The most urgent first; at most ten of a kind." }),
  totals: countsBy(...todoKinds).annotations({ description: "How many there are of each kind, shown or not." }),
  not_shown: Schema.Array(Schema.String).annotations({
    description: "Permissions that the caller lacks to see more; what needs them is left out of items and totals."
  })
})
export type TodoList = typeof TodoList.Type
