import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { Actor } from "./Job.ts"
import { RepoName } from "./Repository.ts"
import { ContextSecretWarning } from "./TeamContext.ts"
import { Count, described, field, Instant, nullable, oneOf, optional, text } from "./Text.ts"

/** Characters of the guidance of a workspace or a repository. */
export const maxGuidance = 8192

export const settingNames = ["audit_suggestions", "automatic_discovery", "fix_runner", "review_instructions"] as const
export const SettingName = oneOf(...settingNames)
export type SettingName = typeof SettingName.Type

export const SettingValue = Schema.Union(Schema.Boolean, Schema.String).annotations({
  jsonSchema: { anyOf: [{ type: "boolean" }, { type: "string" }] }
})
export type SettingValue = typeof SettingValue.Type

/** What proposes the edits of a fix. */
export const fixRunners = ["rules", "agent", "rules_then_agent"] as const
export const FixRunner = oneOf(...fixRunners)
export type FixRunner = typeof FixRunner.Type

interface SettingText {
  readonly fallback: boolean | string
  readonly description: string
  /** The only ones allowed. */
  readonly values?: ReadonlyArray<string>
}

export const settings: Readonly<Record<SettingName, SettingText>> = {
  audit_suggestions: { fallback: false, description: "Whether audits also record suggestions." },
  automatic_discovery: { fallback: true, description: "Whether registering a repository queues its discovery." },
  fix_runner: {
    fallback: "rules",
    description:
      "What proposes fixes: `rules` (fixers of the rules), `agent` (the operator's coding agent) or `rules_then_agent`.",
    values: fixRunners
  },
  review_instructions: {
    fallback: "",
    description:
      "Instructions for reviews of every repository: free text and directives; a repository may have its own."
  }
}

const changed = {
  changed_at: nullable(Instant, "When it last changed; null if it never did."),
  changed_by: nullable(Actor, "Who changed it last; null if it never changed.")
}

const settingName = field(SettingName, "Name of the setting.")
const settingValue = field(
  SettingValue,
  "`true` or `false`, a value of `fix_runner`, or the text of `review_instructions`."
)

export const Setting = record("Setting", {
  name: settingName,
  value: settingValue,
  default: field(SettingValue, "Value while nothing is set."),
  description: field(Schema.String, "What the setting controls."),
  ...changed
})
export type Setting = typeof Setting.Type

export const Settings = record("Settings", { data: field(Schema.Array(Setting), "All settings of the workspace.") })

export const SetSetting = closed({ value: settingValue }, "SetSettingRequest", { value: true })
export const SettingPath = Schema.Struct({ name: settingName })

export const guidanceText = described(
  text(0, maxGuidance).annotations({ jsonSchema: { type: "string", maxLength: maxGuidance } }),
  `Markdown of at most ${maxGuidance} characters; replaces the whole text, and an empty one removes it.`
)
export const reviewInstructionsText = described(
  text(0, maxGuidance).annotations({ jsonSchema: { type: "string", maxLength: maxGuidance } }),
  `Free text of at most ${maxGuidance} characters with lines \`ignore paths:\`, \`ignore rules:\`, \`focus rules:\`, \`max comments:\`; replaces the whole.`
)
export const SetReviewInstructions = closed({ text: reviewInstructionsText }, "SetReviewInstructionsRequest", {
  text: "ignore paths: docs/, **/*.generated.ts\nfocus rules: sql_injection\nmax comments: 10\n\nLook twice at payments."
})

export const SetGuidance = closed({ text: guidanceText }, "SetGuidanceRequest", {
  text: "Money is counted in cents, as integers. Ask #platform before you add a dependency."
})
export type SetGuidance = typeof SetGuidance.Type

const warnings = {
  secret_warnings: optional(
    Schema.Array(ContextSecretWarning),
    "Values that look like credentials; only in the response to a write."
  )
}

const textEtag = field(Schema.String, "Changes with the text that is set here: the value for `If-Match`.")

/** What everyone who works in the workspace should know: the first entry of every context digest. */
export const WorkspaceGuidance = record("WorkspaceGuidance", {
  text: field(Schema.String, "The guidance, in Markdown; empty if there is none."),
  etag: textEtag,
  ...changed,
  ...warnings
})
export type WorkspaceGuidance = typeof WorkspaceGuidance.Type

/** What everyone who works on one repository should know. */
export const RepositoryGuidance = record("RepositoryGuidance", {
  repo_name: RepoName,
  text: field(Schema.String, "The guidance, in Markdown; empty if there is none."),
  etag: textEtag,
  ...changed,
  ...warnings
})
export type RepositoryGuidance = typeof RepositoryGuidance.Type

/** What review instructions direct, of the repository's and the workspace's together. */
export const ReviewDirectives = record("ReviewDirectives", {
  ignore_paths: field(Schema.Array(Schema.String), "Paths whose findings reviews leave out."),
  ignore_rules: field(Schema.Array(Schema.String), "Rules and tools whose findings reviews leave out."),
  focus_rules: field(Schema.Array(Schema.String), "Rules and tools whose findings come first."),
  max_comments: nullable(Count, "Most comments of a review; null for the product's own ceiling."),
  text: field(Schema.String, "The rest: free text, for an agent that takes part in reviews.")
})
export type ReviewDirectives = typeof ReviewDirectives.Type

/** Instructions that reviews follow: the repository's own, then the workspace's. */
export const ReviewInstructions = record("ReviewInstructions", {
  repo_name: RepoName,
  repository: field(Schema.String, "The repository's own instructions; empty if there are none."),
  etag: textEtag,
  workspace: field(
    Schema.String,
    "The workspace's instructions (setting `review_instructions`); empty if there are none."
  ),
  effective: field(Schema.String, "What reviews follow: both, the repository's first."),
  directives: field(ReviewDirectives, "How reviews read them."),
  ...changed,
  ...warnings
})
export type ReviewInstructions = typeof ReviewInstructions.Type

export const repositoryTexts = ["guidance", "review_instructions"] as const
export type RepositoryText = (typeof repositoryTexts)[number]
