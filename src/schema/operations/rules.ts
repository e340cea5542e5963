import { operation } from "../Operation.ts"

export const listRules = operation({
  name: "rules.list",
  summary: "List the audit rules with their confidence, whether they are on, and what was decided about them here.",
  scopes: ["view_observations"],
  access: "read"
})
export const listSettings = operation({
  name: "rules.settings",
  summary: "List the rules that are switched on or off in the workspace and its repositories.",
  scopes: ["view_repositories"],
  access: "read"
})
export const setSetting = operation({
  name: "rules.set_setting",
  summary: "Switch a rule or a tool on or off, for the workspace or one of its repositories.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const listProposals = operation({
  name: "rules.proposals",
  summary: "List rules to mute: those that were wrong more often than right here.",
  scopes: ["view_observations"],
  access: "read"
})
