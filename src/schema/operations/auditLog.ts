import { operation } from "../Operation.ts"

// A scope of admins and the owner only; and who did what is for people, not for programs.
export const listRecords = operation({
  name: "audit_log.list",
  summary: "List the changes that were made in the workspace: who, what, when, before and after.",
  scopes: ["manage_tenant_settings"],
  access: "read",
  only: "session"
})
