import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { Actor } from "./Job.ts"
import { ContextSecretWarning } from "./TeamContext.ts"
import { Instant, oneOf, optional, text } from "./Text.ts"

/** In a workspace's features: `assay workspace set … --feature audit_suggestions=on` switches the same. */
export const suggestionsFeature = "audit_suggestions"

/** Characters of a text that a workspace or a repository tells everybody who works on it. */
export const maxGuidance = 8192

export const settingNames = ["audit_suggestions", "automatic_discovery", "review_instructions"] as const
export const SettingName = oneOf(...settingNames)
export type SettingName = typeof SettingName.Type

export const SettingValue = Schema.Union(Schema.Boolean, Schema.String).annotations({
  jsonSchema: { type: ["boolean", "string"], description: "true or false, or the text of review_instructions." }
})
export type SettingValue = typeof SettingValue.Type

export const settings: Readonly<
  Record<SettingName, { readonly fallback: boolean | string; readonly description: string }>
> = {
  audit_suggestions: { fallback: false, description: "Whether audits also record suggestions." },
  automatic_discovery: { fallback: true, description: "Whether registering a repository queues its discovery." },
  review_instructions: {
    fallback: "",
    description: "What reviews of every repository should heed, in Markdown; a repository may have its own."
  }
}

const changed = {
  changed_at: Schema.NullOr(Instant),
  changed_by: Schema.NullOr(Actor)
}

export const Setting = record("Setting", {
  name: SettingName,
  value: SettingValue,
  default: SettingValue,
  description: Schema.String,
  ...changed
})
export type Setting = typeof Setting.Type

export const Settings = record("Settings", { data: Schema.Array(Setting) })

export const SetSetting = closed({ value: SettingValue }, "SetSettingRequest")
export const SettingPath = Schema.Struct({ name: SettingName })

export const guidanceText = text(0, maxGuidance).annotations({
  jsonSchema: { type: "string", maxLength: maxGuidance, description: "Markdown; replaces the whole, empty removes it." }
})
export const SetGuidance = closed({ text: guidanceText }, "SetGuidanceRequest")
export type SetGuidance = typeof SetGuidance.Type

const warnings = { secret_warnings: optional(Schema.Array(ContextSecretWarning)) }

/** What everybody who works in the workspace should know: the first entry of every context digest. */
export const WorkspaceGuidance = record("WorkspaceGuidance", {
  text: Schema.String,
  changed_at: Schema.NullOr(Instant),
  changed_by: Schema.NullOr(Schema.String).annotations({ description: "Who wrote it, by name." }),
  ...warnings
})
export type WorkspaceGuidance = typeof WorkspaceGuidance.Type

/** What everybody who works on one repository should know. */
export const RepositoryGuidance = record("RepositoryGuidance", {
  repo_name: Schema.String,
  text: Schema.String,
  ...changed,
  ...warnings
})
export type RepositoryGuidance = typeof RepositoryGuidance.Type

/** What reviews heed: the repository's own text, and below it the workspace's. */
export const ReviewInstructions = record("ReviewInstructions", {
  repo_name: Schema.String,
  repository: Schema.String.annotations({ description: "The repository's own; empty: none." }),
  workspace: Schema.String.annotations({ description: "Of the setting review_instructions; empty: none." }),
  effective: Schema.String.annotations({ description: "What a review is told: both, the repository's first." }),
  ...changed,
  ...warnings
})
export type ReviewInstructions = typeof ReviewInstructions.Type

export const repositoryTexts = ["guidance", "review_instructions"] as const
export type RepositoryText = (typeof repositoryTexts)[number]
