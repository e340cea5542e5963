import { operation } from "../Operation.ts"

// A scope of admins and the owner only; and mails are for people, not for programs.
export const listMails = operation({
  name: "outbox.list",
  summary: "List the workspace's e-mails: pending, sent and failed.",
  scopes: ["manage_tenant_settings"],
  access: "read",
  only: "session"
})
