import { operation } from "../Operation.ts"

const scopes = ["view_observations"] as const

export const listViews = operation({
  name: "views.list",
  summary: "List saved views of the list of observations: one's own, and those shared with the workspace.",
  scopes,
  access: "read",
  only: "session"
})
export const createView = operation({
  name: "views.create",
  summary: "Save a view of the list of observations.",
  scopes,
  access: "write",
  only: "session"
})
export const updateView = operation({
  name: "views.update",
  summary: "Rename, change, share or unshare a view.",
  scopes,
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const deleteView = operation({
  name: "views.delete",
  summary: "Delete a view.",
  scopes,
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
