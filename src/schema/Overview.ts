import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { FixPrSummary } from "./Fix.ts"
import { JobId } from "./Ids.ts"
import { Domain, ObservationRef, Priority } from "./Observation.ts"
import { OpenCounts, RepoName, repositoryPath } from "./Repository.ts"
import { ContextKind, ContextStatus } from "./TeamContext.ts"
import { Amount, Count, described, field, Instant, nullable, oneOf } from "./Text.ts"

/** Score of a repository in one domain. */
export const BenchmarkScore = closed(
  {
    domain: field(Domain, "Domain of the score."),
    score: nullable(Count, "0 to 100, higher is better; null while no tool of the domain has run."),
    change: nullable(
      Schema.Int,
      "Points gained since right after the previous audit, by today's priorities and confidences; null without one."
    ),
    justification: nullable(Schema.String, "How the score comes about, in words."),
    top_issue: nullable(Schema.String, "The most severe weakness; null if there is none."),
    top_strength: nullable(Schema.String, "The first strength; null if there is none."),
    strengths: field(Schema.Array(Schema.String), "What is good, one sentence each."),
    weaknesses: field(Schema.Array(Schema.String), "What is weak, most severe first.")
  },
  "BenchmarkScore"
)
export type BenchmarkScore = typeof BenchmarkScore.Type

type Counts<K extends string> = { readonly [P in K]: typeof Count }

const countsBy = <K extends string>(counts: Readonly<Record<K, string>>) =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries<string>(counts).map(([key, description]) => [key, described(Count, description)])
    ) as Counts<K>
  )

export const OpenObservations = record("OpenObservations", {
  total: field(Count, "Open observations in all."),
  by_priority: field(OpenCounts, "Open observations by priority."),
  by_kind: field(
    countsBy({ finding: "Open findings.", suggestion: "Open suggestions.", advisory: "Open advisories." }),
    "Open observations by kind."
  ),
  by_domain: field(
    countsBy({
      security: "Open observations of the domain security.",
      code_quality: "Open observations of the domain code quality.",
      reliability: "Open observations of the domain reliability.",
      data_apis: "Open observations of the domain data and APIs.",
      testing: "Open observations of the domain testing.",
      devops: "Open observations of the domain DevOps.",
      ux: "Open observations of the domain user experience."
    }),
    "Open observations by domain."
  )
})
export type OpenObservations = typeof OpenObservations.Type

const lastRuns = {
  last_audit_at: nullable(Instant, "When the last audit ended; null if there was none."),
  last_audit_sha: nullable(Schema.String, "Commit that the last audit inspected; null if there was none."),
  last_discovery_at: nullable(Instant, "When the last discovery ended; null if there was none.")
}

export const RepositoryOverview = record("RepositoryOverview", {
  ...repositoryPath,
  repo_name: RepoName,
  display_name: nullable(Schema.String, "Name to show instead of the slug; null if none was set."),
  description: nullable(Schema.String, "Description of the repository; null if none was set."),
  head_sha: nullable(Schema.String, "Last known commit of the branch."),
  ...lastRuns,
  lines: nullable(Count, "Lines of code that the last audit counted; null if there was none."),
  open: field(OpenObservations, "Open observations."),
  open_fix_prs: field(Schema.Array(FixPrSummary), "The five newest open fix pull requests."),
  open_fix_pr_count: field(Count, "Number of open fix pull requests."),
  active_jobs: field(Count, "Number of pending and running jobs."),
  benchmark: field(Schema.Array(BenchmarkScore), "Scores, one for each domain.")
})
export type RepositoryOverview = typeof RepositoryOverview.Type

export const RepositoryLine = record("RepositoryLine", {
  ...repositoryPath,
  repo_name: RepoName,
  open_observations: field(OpenCounts, "Number of open observations by priority."),
  last_audit_at: lastRuns.last_audit_at
})

const DomainScore = BenchmarkScore.pipe(Schema.pick("domain", "score", "change"))

export const RepositoryScores = record("RepositoryScores", {
  ...repositoryPath,
  repo_name: RepoName,
  scores: field(Schema.Array(DomainScore), "Scores, one for each domain.")
})
export type RepositoryScores = typeof RepositoryScores.Type

export const WorkspaceOverview = record("WorkspaceOverview", {
  name: field(Schema.String, "Name of the workspace."),
  repositories: field(Count, "Number of registered repository branches."),
  never_audited: field(Count, "Number of those that were never audited."),
  open: field(OpenObservations, "Open observations."),
  jobs: field(
    Schema.Struct({
      pending: field(Count, "Number of pending jobs."),
      running: field(Count, "Number of running jobs."),
      failed_last_week: field(Count, "Number of jobs that failed in the last seven days.")
    }),
    "Jobs of the workspace."
  ),
  open_fix_prs: field(Count, "Number of open fix pull requests."),
  proposed_context_entries: field(Count, "Number of context entries that wait for confirmation."),
  missions_waiting_on_me: field(
    Count,
    "Number of missions that wait on a decision of the caller; 0 without the permission view_jobs."
  ),
  worst: field(Schema.Array(RepositoryLine), "The ten repositories with the most severe open observations.")
})
export type WorkspaceOverview = typeof WorkspaceOverview.Type

export const AuditFreshness = record("AuditFreshness", {
  repo_name: RepoName,
  head_sha: nullable(Schema.String, "Newest known commit of the branch."),
  head_verified: field(
    Schema.Boolean,
    "Whether the remote confirmed `head_sha` for this call; otherwise it is the last known commit."
  ),
  last_audit_sha: lastRuns.last_audit_sha,
  last_audit_at: lastRuns.last_audit_at,
  age_days: nullable(Amount, "Days since the last audit, to a tenth of a day; null if there was none."),
  is_current: nullable(
    Schema.Boolean,
    "Whether the last audit inspected `head_sha`; null when they are equal but the remote could not be reached."
  ),
  active_audit_job_id: nullable(JobId, "ID of a pending or running audit; null if there is none."),
  advice: field(Schema.String, "What to do, in one sentence.")
})
export type AuditFreshness = typeof AuditFreshness.Type

const BriefDirective = Schema.Struct({
  ref: ObservationRef,
  priority: field(Priority, "Severity, from P0 (most severe) to P3."),
  title: field(Schema.String, "Title of the observation."),
  file_path: field(Schema.String, "File of its main location."),
  line_start: field(Count, "First line of its main location.")
})

const BriefEntry = Schema.Struct({
  key: field(Schema.String, "Key that reads the whole entry."),
  kind: field(ContextKind, "Kind of the entry."),
  status: field(ContextStatus, "`proposed` until a person confirms it, then `live`."),
  summary: field(Schema.String, "Summary of the entry.")
})

export const RepositoryBrief = record("RepositoryBrief", {
  repo_name: RepoName,
  description: nullable(Schema.String, "Description of the repository; null if none was set."),
  head_sha: nullable(Schema.String, "Last known commit of the branch; the remote is not asked."),
  ...lastRuns,
  is_current: field(Schema.Boolean, "Whether the last audit inspected `head_sha`."),
  active_jobs: field(Count, "Number of pending and running jobs."),
  lines: nullable(Count, "Lines of code that the last audit counted; null if there was none."),
  open: field(OpenObservations, "Open observations."),
  open_fix_pr_count: field(Count, "Number of open fix pull requests."),
  directives: field(Schema.Array(BriefDirective), "The first open P0 and P1 observations, most severe first."),
  languages: field(Schema.Array(Schema.String), "Languages by share of the code."),
  frameworks: field(Schema.Array(Schema.String), "Frameworks that the code uses."),
  package_managers: field(Schema.Array(Schema.String), "Package managers."),
  principles: nullable(Schema.String, "Beginning of the stated, enforced and inferred rules, in Markdown."),
  patterns: field(Schema.Array(Schema.String), "Names of the patterns found in the code."),
  context: field(Schema.Array(BriefEntry), "The first entries of the team context that apply, in reading order."),
  context_truncated: field(Schema.Boolean, "Whether more entries apply than are listed."),
  not_shown: field(
    Schema.Array(Schema.String),
    "Permissions that the caller lacks: `directives` need view_observations, `context` needs view_context."
  )
})
export type RepositoryBrief = typeof RepositoryBrief.Type

export const TodoItem = record("TodoItem", {
  kind: field(oneOf("observation", "failed_job", "context_entry", "fix_pr"), "Kind of item."),
  title: field(Schema.String, "Title of the item."),
  why: field(Schema.String, "Why it is listed, and what can be done."),
  repo_name: nullable(RepoName, "Slug of the repository branch: `repo@branch`; null where none is concerned."),
  ref: nullable(ObservationRef, "Reference of the observation; null for other kinds."),
  job_id: nullable(JobId, "ID of the job; null for other kinds."),
  context_key: nullable(Schema.String, "Key of the context entry; null for other kinds."),
  project: nullable(
    Schema.String,
    "Slug of the level that the context entry lives at; null for the workspace and for other kinds."
  ),
  url: nullable(Schema.String, "URL of the pull request; null for other kinds."),
  at: field(Instant, "When it became due.")
})
export type TodoItem = typeof TodoItem.Type

export const todoKinds = ["observation", "failed_job", "context_entry", "fix_pr"] as const

export const TodoList = record("TodoList", {
  items: field(Schema.Array(TodoItem), "Items, most urgent first; at most ten of each kind."),
  totals: field(
    countsBy({
      observation: "Severe open observations.",
      failed_job: "Failed jobs.",
      context_entry: "Context entries that wait for confirmation.",
      fix_pr: "Open fix pull requests."
    } satisfies Record<(typeof todoKinds)[number], string>),
    "Number of items of each kind, listed or not."
  ),
  not_shown: field(
    Schema.Array(Schema.String),
    "Permissions that the caller lacks; items that need them are left out of `items` and `totals`."
  )
})
export type TodoList = typeof TodoList.Type
