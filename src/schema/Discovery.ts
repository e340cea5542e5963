import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { JobStatus } from "./Job.ts"
import { Category, Kind, ObservationRef, Priority } from "./Observation.ts"
import { Count, Instant, JsonObject, Uuid } from "./Text.ts"

const nullable = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.NullOr(schema)

const map = <A, I, R>(value: Schema.Schema<A, I, R>) => Schema.Record({ key: Schema.String, value })

export const DiscoveryGuideFile = closed(
  {
    slug: Schema.String,
    content: Schema.String,
    description: nullable(Schema.String),
    title: nullable(Schema.String)
  },
  "DiscoveryGuideFile"
)

export const DiscoverySkillFile = closed(
  {
    name: Schema.String,
    content: Schema.String,
    description: nullable(Schema.String),
    extends: nullable(Schema.String)
  },
  "DiscoverySkillFile"
)

export const DiscoveryLastFailure = closed(
  { job_id: Uuid, status: JobStatus, error: nullable(Schema.String), failed_at: nullable(Instant) },
  "DiscoveryLastFailure"
)

const output = {
  domain_md: nullable(Schema.String),
  env_vars_md: nullable(Schema.String),
  hyrax_md: nullable(Schema.String).annotations({
    description: "Instructions for agents that work on the repository."
  }),
  patterns_md: nullable(Schema.String),
  principles_md: nullable(Schema.String),
  guidance_slots: map(JsonObject),
  guides: Schema.Array(DiscoveryGuideFile),
  skills: Schema.Array(DiscoverySkillFile),
  profile: nullable(JsonObject),
  stage_metrics: map(JsonObject),
  unknown_skill_extends: Schema.Array(Schema.String),
  unverified_symbols_skipped_time: map(Schema.Array(Schema.String))
}

/** What a discovery found out about a repository, as it is kept. */
export const DiscoveryOutput = Schema.Struct(output)
export type DiscoveryOutput = typeof DiscoveryOutput.Type

export const emptyDiscovery: DiscoveryOutput = {
  domain_md: null,
  env_vars_md: null,
  hyrax_md: null,
  patterns_md: null,
  principles_md: null,
  guidance_slots: {},
  guides: [],
  skills: [],
  profile: null,
  stage_metrics: {},
  unknown_skill_extends: [],
  unverified_symbols_skipped_time: {}
}

export const DiscoveryFiles = closed(
  { ...output, last_discovery_at: nullable(Instant), last_failure: nullable(DiscoveryLastFailure) },
  "DiscoveryFilesResponse"
)
export type DiscoveryFiles = typeof DiscoveryFiles.Type

/** How code is written here: the patterns found in it, or one of its guides. */
export const Convention = record("Convention", {
  slug: Schema.String,
  title: nullable(Schema.String),
  description: nullable(Schema.String),
  content: Schema.String
})

/** An open observation that whoever changes the repository should know of. */
export const Directive = record("Directive", {
  ref: ObservationRef,
  kind: Kind,
  priority: Priority,
  category: Category,
  title: Schema.String,
  rule_id: Schema.String,
  file_path: Schema.String,
  line_start: Count,
  suggested_change: nullable(Schema.String)
})
export type Directive = typeof Directive.Type

export const RepositoryKnowledge = record("RepositoryKnowledge", {
  repo_name: Schema.String,
  last_discovery_at: nullable(Instant),
  commit_sha: nullable(Schema.String).annotations({ description: "The commit the discovery looked at." }),
  profile: nullable(JsonObject),
  principles: nullable(Schema.String).annotations({ description: "Markdown." }),
  conventions: Schema.Array(Convention),
  directives: Schema.Array(Directive).annotations({ description: "Open P0 and P1 observations, the gravest first." }),
  directives_truncated: Schema.Boolean
})
export type RepositoryKnowledge = typeof RepositoryKnowledge.Type

/** How it is known: said in a document, insisted on by a compiler, linter or formatter, or seen in most of the code. */
export const RuleOrigin = Schema.Literal("stated", "enforced", "inferred")

export const Support = Schema.Struct({ count: Count, of: Count })

export const CitedPlace = Schema.Struct({ file_path: Schema.String, line: Count })

export const ApplicableRule = record("ApplicableRule", {
  origin: RuleOrigin,
  text: Schema.String.annotations({ description: "Markdown. What is quoted from the repository is in “ ”." }),
  support: nullable(Support).annotations({ description: "In how many places it holds, where that was counted." }),
  deviates: Schema.Boolean.annotations({ description: "This file is one of those in which it does not hold." }),
  cited: Schema.Array(CitedPlace)
})

const canonical = {
  name: Schema.String,
  title: Schema.String,
  shape: Schema.String.annotations({ description: "Markdown. The most common way." }),
  support: Support,
  file_path: Schema.String.annotations({ description: "A typical place." }),
  line_start: Count,
  line_end: Count,
  symbol: nullable(Schema.String)
}

export const CanonicalPattern = record("CanonicalPattern", {
  repo_name: Schema.String,
  commit_sha: Schema.String,
  ...canonical,
  snippet: nullable(Schema.String).annotations({ description: "Quoted from the repository." }),
  deviations: Schema.Array(
    Schema.Struct({ shape: Schema.String, count: Count, file_path: Schema.String, line: Count })
  ).annotations({ description: "Other ways, each with the first place." })
})
export type CanonicalPattern = typeof CanonicalPattern.Type

export const ApplicableRules = record("ApplicableRules", {
  repo_name: Schema.String,
  file_path: Schema.String,
  commit_sha: nullable(Schema.String).annotations({ description: "The commit the discovery looked at." }),
  rules: Schema.Array(ApplicableRule).annotations({ description: "The narrowest first." }),
  patterns: Schema.Array(record("PatternSummary", canonical)),
  directives: Schema.Array(Directive).annotations({ description: "Open observations in this file." })
})
export type ApplicableRules = typeof ApplicableRules.Type

export const HowToGuides = record("HowToGuides", {
  repo_name: Schema.String,
  commit_sha: nullable(Schema.String).annotations({ description: "The commit the discovery looked at." }),
  guides: Schema.Array(DiscoveryGuideFile).annotations({ description: "Install, build, test, run, deploy." }),
  skills: Schema.Array(DiscoverySkillFile).annotations({ description: "Recipes for recurring changes." })
})
export type HowToGuides = typeof HowToGuides.Type

export const PatternName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(80))

/** Path of a file that is there, or that is about to be. */
export const AskedPath = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1024))

export class PatternNotFound extends apiError("PatternNotFound", {
  status: 404,
  type: "not_found",
  code: "not_found"
}) {}
