import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { Actor } from "./Job.ts"
import { Category, Domain, Kind, observationFilters, Priority } from "./Observation.ts"
import { RepoName } from "./Repository.ts"
import { Amount, Count, described, field, Instant, nullable, oneOf, optional, text } from "./Text.ts"

export const RuleState = oneOf("on", "off", "default")
export type RuleState = typeof RuleState.Type

/** Decisions after which the share of right ones is said. */
export const minDecidedForProposal = 30

const ruleName = described(
  text(1, 200),
  "A rule (`tool.rule`) or a tool, as `GET /api/rules` and `docs/audit-tools.md` list them."
)

/** What people decided about the observations of a rule. */
export const RuleOutcomes = record("RuleOutcomes", {
  decided: field(Count, "Number of observations that are fixed, completed or dismissed."),
  false_positive: field(Count, "How many of them were dismissed as `false_positive`."),
  confidence: nullable(Amount, "Share of the others, from 0 to 1; null while nothing was decided.")
})
export type RuleOutcomes = typeof RuleOutcomes.Type

const MeasuredShare = record("RuleMeasurement", {
  right: field(Count, "Findings on code that the rule was not written for that were right."),
  arguable: field(Count, "Those that were arguable."),
  wrong: field(Count, "Those that were wrong.")
})

export const AuditRule = record("AuditRule", {
  rule: field(Schema.String, "ID of the rule: `tool.rule`."),
  tool: field(Schema.String, "The tool it belongs to."),
  title: field(Schema.String, "Title of the rule."),
  suite: field(oneOf("standard", "full"), "`standard`: both audits run it; `full`: only `audit`."),
  kind: field(Kind, "Kind of what it reports."),
  priority: field(Priority, "Priority by its consequence."),
  category: field(Category, "Category."),
  domain: field(Domain, "Domain."),
  cwe: field(Schema.Array(Schema.Int), "Weaknesses by their CWE numbers."),
  languages: field(Schema.Array(Schema.String), "Languages it supports."),
  confidence: field(Amount, "Share of its findings that are expected to be right, from 0 to 1."),
  measured: nullable(MeasuredShare, "What was read of it; null for a rule that was not measured yet."),
  default_state: field(oneOf("on", "off"), "Whether it is reported where nothing is set."),
  state: field(oneOf("on", "off"), "Whether it is reported: by the settings of the repository or the workspace."),
  outcomes: field(RuleOutcomes, "What people decided about its observations here.")
})
export type AuditRule = typeof AuditRule.Type

export const AuditRules = record("AuditRules", { data: field(Schema.Array(AuditRule), "The rules, by ID.") })

export const RuleListQuery = closed({
  repo: observationFilters.repo,
  tool: optional(text(1, 100), "Only rules of this tool.")
})
export type RuleListQuery = typeof RuleListQuery.Type

export const RuleSetting = record("RuleSetting", {
  rule: field(Schema.String, "The rule or tool."),
  repo_name: nullable(RepoName, "The repository it is set for; null for all of the workspace."),
  state: field(RuleState, "`off`: counted and not reported. `on`: reported, also where it is off by default."),
  reason: nullable(Schema.String, "Why it is off."),
  changed_at: nullable(Instant, "When it was set; null for a default."),
  changed_by: nullable(Actor, "Who set it; null for a default.")
})
export type RuleSetting = typeof RuleSetting.Type

export const RuleSettings = record("RuleSettings", {
  data: field(Schema.Array(RuleSetting), "What is set, for the workspace first.")
})

export const RulePath = Schema.Struct({ rule: field(ruleName, "The rule or tool.") })

export const ruleReason = described(text(3, 500), "Why it is switched off: needed for `off`.")

export const SetRuleSetting = closed(
  {
    state: field(RuleState, "`on`, `off`, or `default` to remove what is set."),
    repo: observationFilters.repo,
    reason: optional(ruleReason)
  },
  "SetRuleSettingRequest",
  { state: "off", reason: "The generated clients of this workspace trip it everywhere." }
)
export type SetRuleSetting = typeof SetRuleSetting.Type

export const MuteProposal = record("MuteProposal", {
  rule: field(Schema.String, "ID of the rule."),
  title: field(Schema.String, "Title of the rule."),
  ...RuleOutcomes.fields,
  text: field(Schema.String, "The proposal in words, and how to accept it.")
})
export type MuteProposal = typeof MuteProposal.Type

export const MuteProposals = record("MuteProposals", {
  data: field(
    Schema.Array(MuteProposal),
    `Rules that were right less than half of the time over at least ${minDecidedForProposal} decisions, the least right first.`
  )
})
