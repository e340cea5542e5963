import { operation } from "../Operation.ts"

// `manage_tenant_settings` is a scope of admins and owners only.
const scopes = ["manage_tenant_settings"] as const

export const listTrackers = operation({
  name: "trackers.list",
  summary: "List the ticket trackers of the workspace and its repositories, without their tokens.",
  scopes,
  access: "read",
  only: "session"
})
export const setTracker = operation({
  name: "trackers.set",
  summary: "Set the ticket tracker of the workspace or of a repository; it replaces the one before.",
  scopes,
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const deleteTracker = operation({
  name: "trackers.delete",
  summary: "Remove the ticket tracker of the workspace or of a repository, with its token.",
  scopes,
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
