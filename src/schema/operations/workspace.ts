import { operation } from "../Operation.ts"

const read = ["view_repositories"] as const
const write = ["manage_tenant_settings"] as const

export const readOverview = operation({
  name: "workspace.overview",
  summary: "Read the state of the workspace: repositories, open observations, jobs, fix pull requests.",
  scopes: read,
  access: "read"
})
export const readTodo = operation({
  name: "workspace.todo",
  summary: "List what a person should look at next: severe findings, failed jobs, proposals, fixes in review.",
  scopes: read,
  access: "read"
})
export const readGuidance = operation({
  name: "workspace.guidance",
  summary: "Read the guidance for everyone who works in the workspace.",
  scopes: read,
  access: "read"
})
export const setGuidance = operation({
  name: "workspace.set_guidance",
  summary: "Replace the guidance for everyone who works in the workspace; an empty text removes it.",
  scopes: write,
  access: "write",
  destructive: true,
  idempotent: true
})
export const readSettings = operation({
  name: "workspace.settings",
  summary: "List the workspace's settings with their values and defaults.",
  scopes: read,
  access: "read"
})
export const setSetting = operation({
  name: "workspace.set_setting",
  summary: "Set one of the workspace's settings.",
  scopes: write,
  access: "write",
  destructive: true,
  idempotent: true
})
export const clearSetting = operation({
  name: "workspace.clear_setting",
  summary: "Reset one of the workspace's settings to its default.",
  scopes: write,
  access: "write",
  destructive: true,
  idempotent: true
})
// Scopes of admins and the owner only. What the whole workspace spends counts repositories that others may not see.
export const readLimits = operation({
  name: "workspace.limits",
  summary: "Read the workspace's plan, features, ceilings and spend.",
  scopes: write,
  access: "read",
  only: "session"
})
export const readDoctor = operation({
  name: "workspace.doctor",
  summary: "Check the installation: settings, machine, database, mail and proxies, with what to do.",
  scopes: write,
  access: "read",
  only: "session"
})
