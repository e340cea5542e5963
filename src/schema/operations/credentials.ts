import { operation } from "../Operation.ts"

// Who may read what the workspace's repositories hold is decided by signed-in admins.
const scopes = ["manage_tenant_settings"] as const

export const listCredentials = operation({
  name: "credentials.list",
  summary: "List the credentials of private remotes, without their secrets.",
  scopes,
  access: "read",
  only: "session"
})
export const createCredential = operation({
  name: "credentials.create",
  summary: "Store a credential for the private remotes of a host or of one repository.",
  scopes,
  access: "write",
  only: "session"
})
export const deleteCredential = operation({
  name: "credentials.delete",
  summary: "Delete a credential of private remotes.",
  scopes,
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
