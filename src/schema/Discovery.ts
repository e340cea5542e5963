import { Schema } from "effect"
import { notFound } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { JobId } from "./Ids.ts"
import { JobStatus } from "./Job.ts"
import { Category, Kind, ObservationRef, Priority, pathKnown } from "./Observation.ts"
import { RepoName } from "./Repository.ts"
import { Count, described, field, Instant, JsonObject, nullable, text } from "./Text.ts"

const map = <A, I, R>(value: Schema.Schema<A, I, R>) => Schema.Record({ key: Schema.String, value })

export const DiscoveryGuideFile = closed(
  {
    slug: field(Schema.String, "Identifier of the guide."),
    content: field(Schema.String, "Text of the guide, in Markdown."),
    description: nullable(Schema.String, "What the guide is about."),
    title: nullable(Schema.String, "Title of the guide.")
  },
  "DiscoveryGuideFile"
)

export const DiscoverySkillFile = closed(
  {
    name: field(Schema.String, "Name of the recipe."),
    content: field(Schema.String, "Text of the recipe, in Markdown."),
    description: nullable(Schema.String, "When to use the recipe."),
    extends: nullable(Schema.String, "Name of the recipe that this one extends; null for none.")
  },
  "DiscoverySkillFile"
)

export const DiscoveryLastFailure = closed(
  {
    job_id: field(JobId, "ID of the failed job."),
    status: field(JobStatus, "State of that job."),
    error: nullable(Schema.String, "Why it failed."),
    failed_at: nullable(Instant, "When it failed.")
  },
  "DiscoveryLastFailure"
)

const output = {
  domain_md: nullable(Schema.String, "Entities, closed sets of values and a glossary, in Markdown."),
  env_vars_md: nullable(Schema.String, "Environment variables that the code reads, in Markdown."),
  hyrax_md: nullable(Schema.String, "Instructions for agents that work on the repository, in Markdown."),
  patterns_md: nullable(Schema.String, "The most common ways of recurring tasks, in Markdown."),
  principles_md: nullable(Schema.String, "Stated, enforced and inferred rules, in Markdown."),
  guidance_slots: field(map(JsonObject), "Rules, patterns and environment variables as data, by kind and ID."),
  guides: field(Schema.Array(DiscoveryGuideFile), "Guides to install, build, test, run and deploy."),
  skills: field(Schema.Array(DiscoverySkillFile), "Recipes for recurring changes."),
  profile: nullable(JsonObject, "Languages, frameworks, entry points, pipelines, licence, size and activity."),
  stage_metrics: field(map(JsonObject), "Counts of what each stage processed, by stage."),
  unknown_skill_extends: field(Schema.Array(Schema.String), "Extended recipes that do not exist."),
  unverified_symbols_skipped_time: field(
    map(Schema.Array(Schema.String)),
    "Symbols left out because the citation check did not confirm them, by part."
  )
}

/** Stored output of a discovery. */
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

const lastDiscovery = {
  last_discovery_at: nullable(Instant, "When the last discovery ended; null if there was none.")
}

export const DiscoveryFiles = closed(
  {
    ...output,
    ...lastDiscovery,
    last_failure: nullable(
      DiscoveryLastFailure,
      "The last failed discovery; null if none failed since the last good one."
    )
  },
  "DiscoveryFilesResponse"
)
export type DiscoveryFiles = typeof DiscoveryFiles.Type

/** How code is written here: the patterns found in it, or one of its guides. */
export const Convention = record("Convention", {
  slug: field(Schema.String, "Identifier of the convention."),
  title: nullable(Schema.String, "Title of the convention."),
  description: nullable(Schema.String, "What the convention is about."),
  content: field(Schema.String, "Text of the convention, in Markdown.")
})

const KnownPattern = Schema.Struct({
  name: field(Schema.String, "Name that reads the whole pattern."),
  title: field(Schema.String, "Title of the pattern.")
})

/** An open observation to know before changing the repository. */
export const Directive = record("Directive", {
  ref: ObservationRef,
  kind: field(Kind, "Kind of the observation."),
  priority: field(Priority, "Severity, from P0 (most severe) to P3."),
  category: field(Category, "Quality of the code that is at risk."),
  title: field(Schema.String, "Title of the observation."),
  rule_id: field(Schema.String, "ID of the rule: `tool.rule`."),
  file_path: field(Schema.String, "File of its main location."),
  line_start: field(Count, "First line of its main location."),
  suggested_change: nullable(Schema.String, "A proposed change, as a unified diff or as text.")
})
export type Directive = typeof Directive.Type

const discoveredCommit = nullable(Schema.String, "Commit that the discovery inspected; null if there was none.")

export const RepositoryKnowledge = record("RepositoryKnowledge", {
  repo_name: RepoName,
  ...lastDiscovery,
  commit_sha: discoveredCommit,
  profile: nullable(JsonObject, "Languages, frameworks, entry points, pipelines, licence, size and activity."),
  principles: nullable(Schema.String, "Stated, enforced and inferred rules, in Markdown."),
  conventions: field(Schema.Array(Convention), "Overview, domain and patterns found in the code, and guides."),
  patterns: field(Schema.Array(KnownPattern), "Patterns found in the code, each readable by its name."),
  directives: field(Schema.Array(Directive), "Open P0 and P1 observations, most severe first."),
  directives_truncated: field(Schema.Boolean, "Whether there are more directives than listed.")
})
export type RepositoryKnowledge = typeof RepositoryKnowledge.Type

/** Source of a rule: a document states it, a compiler, linter or formatter enforces it, or most of the code follows it. */
export const RuleOrigin = Schema.Literal("stated", "enforced", "inferred")

export const Support = Schema.Struct({
  count: field(Count, "Locations that follow it."),
  of: field(Count, "Locations that were counted.")
})

export const CitedLocation = Schema.Struct({
  file_path: field(Schema.String, "Path from the repository's root."),
  line: field(Count, "Line, counted from 1.")
})

export const ApplicableRule = record("ApplicableRule", {
  origin: field(RuleOrigin, "`stated` in a document, `enforced` by a tool, or `inferred` from most of the code."),
  text: field(Schema.String, "The rule in Markdown; quotations from the repository are in “ ”."),
  support: nullable(Support, "How many locations follow it; null if they were not counted."),
  deviates: field(Schema.Boolean, "Whether this file is one of those that do not follow it."),
  cited: field(Schema.Array(CitedLocation), "Locations that show the rule.")
})

const canonical = {
  name: field(Schema.String, "Name of the pattern."),
  title: field(Schema.String, "Title of the pattern."),
  shape: field(Schema.String, "The most common way, in Markdown."),
  support: field(Support, "How many locations follow it."),
  file_path: field(Schema.String, "File of a typical location."),
  line_start: field(Count, "First line of the typical location."),
  line_end: field(Count, "Last line of the typical location."),
  symbol: nullable(Schema.String, "Symbol around the typical location; null where there is none.")
}

export const CanonicalPattern = record("CanonicalPattern", {
  repo_name: RepoName,
  commit_sha: field(Schema.String, "Commit that the discovery inspected."),
  ...canonical,
  snippet: nullable(Schema.String, "Code of the typical location, quoted from the repository."),
  deviations: field(
    Schema.Array(
      Schema.Struct({
        shape: field(Schema.String, "The other way, in Markdown."),
        count: field(Count, "How many locations follow it."),
        file_path: field(Schema.String, "File of its first location."),
        line: field(Count, "Line of its first location.")
      })
    ),
    "Other ways, each with its first location."
  )
})
export type CanonicalPattern = typeof CanonicalPattern.Type

export const ApplicableRules = record("ApplicableRules", {
  repo_name: RepoName,
  file_path: field(Schema.String, "The requested file."),
  path_known: pathKnown,
  commit_sha: discoveredCommit,
  rules: field(Schema.Array(ApplicableRule), "Rules that apply to the file, most specific first."),
  patterns: field(Schema.Array(record("PatternSummary", canonical)), "Patterns that apply to the file."),
  directives: field(Schema.Array(Directive), "Open observations in this file.")
})
export type ApplicableRules = typeof ApplicableRules.Type

export const HowToGuides = record("HowToGuides", {
  repo_name: RepoName,
  commit_sha: discoveredCommit,
  guides: field(Schema.Array(DiscoveryGuideFile), "Guides to install, build, test, run and deploy."),
  skills: field(Schema.Array(DiscoverySkillFile), "Recipes for recurring changes.")
})
export type HowToGuides = typeof HowToGuides.Type

export const PatternName = described(
  text(1, 80),
  "Name of a pattern, as the repository's knowledge lists them, such as `route`, `data_access`, `error`, `test` or `logging`."
)

export class PatternNotFound extends notFound("PatternNotFound", "not_found") {}
