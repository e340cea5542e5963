import { operation } from "../Operation.ts"

const read = ["view_repositories"] as const
const write = ["manage_tenant_settings"] as const

export const readOverview = operation({
  name: "workspace.overview",
  summary: "Read how the workspace stands: repositories, open observations, jobs, fix pull requests.",
  scopes: read,
  access: "read"
})
export const readTodo = operation({
  name: "workspace.todo",
  summary: "List what a person should look at next: grave findings, failed jobs, proposals, fixes in review.",
  scopes: read,
  access: "read"
})
export const readGuidance = operation({
  name: "workspace.guidance",
  summary: "Read what everybody who works in the workspace should know.",
  scopes: read,
  access: "read"
})
export const setGuidance = operation({
  name: "workspace.set_guidance",
  summary: "Replace what everybody who works in the workspace should know; an empty text removes it.",
  scopes: write,
  access: "write"
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
  access: "write"
})
export const clearSetting = operation({
  name: "workspace.clear_setting",
  summary: "Give one of the workspace's settings its default again.",
  scopes: write,
  access: "write"
})
