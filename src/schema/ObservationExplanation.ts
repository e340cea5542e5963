import { Schema } from "effect"
import { record } from "./closed.ts"
import { Location, ObservationRef, ObservationStatus, Priority } from "./Observation.ts"
import { RepoName } from "./Repository.ts"
import { field, nullable } from "./Text.ts"

export const SimilarObservation = record("SimilarObservation", {
  ref: ObservationRef,
  title: field(Schema.String, "Title of the similar observation."),
  status: field(ObservationStatus, "`new` while it is open."),
  priority: field(Priority, "Severity, from P0 (most severe) to P3."),
  file_path: field(Schema.String, "File of its main location.")
})
export type SimilarObservation = typeof SimilarObservation.Type

/** Code that a rule reports, and the same code corrected. */
export const CodeExample = record("CodeExample", {
  path: field(Schema.String, "Path of the example's file; the language follows from it."),
  bad: field(Schema.String, "Code that the rule reports."),
  good: field(Schema.String, "The same code, corrected."),
  other_files: field(
    Schema.Array(
      Schema.Struct({
        path: field(Schema.String, "Path of the file."),
        content: field(Schema.String, "Its text.")
      })
    ),
    "Further files of both, for rules that need more than one."
  )
})
export type CodeExample = typeof CodeExample.Type

/** An observation in words, for a person or an agent that decides what to do about it. */
export const ObservationExplanation = record("ObservationExplanation", {
  ref: ObservationRef,
  repo_name: RepoName,
  title: field(Schema.String, "Title of the observation."),
  summary: field(Schema.String, "What it is and its current state, in a few sentences."),
  what: field(Schema.String, "What is wrong in this code."),
  how_it_comes_about: nullable(Schema.String, "Steps that lead to the problem; null where one location shows it."),
  why_and_how_to_fix: nullable(Schema.String, "Why the rule matters and how to fix it."),
  example: nullable(CodeExample, "The rule's own example, not of this repository; null where the rule has none."),
  suggested_change: nullable(Schema.String, "A proposed change, as a unified diff or as text."),
  snippet: nullable(Schema.String, "Lines of code around the first location, secrets redacted."),
  locations: field(Schema.Array(Location), "Where the observation is in the code, the main location first."),
  evidence: field(
    Schema.String,
    "What was checked before it was recorded, and what was decided about its rule in this workspace."
  ),
  similar: field(
    Schema.Array(SimilarObservation),
    "Other observations of the same rule in the repository, open ones first; at most ten."
  ),
  history: field(Schema.Array(Schema.String), "One sentence for each event, oldest first."),
  next_steps: field(Schema.Array(Schema.String), "What can be done next, one sentence each.")
})
export type ObservationExplanation = typeof ObservationExplanation.Type
