import { operation } from "../Operation.ts"

// What only admins and the owner hold; and mails are for people, not for programs.
export const listMails = operation({
  name: "outbox.list",
  summary: "List the e-mails of the workspace: waiting, sent and given up.",
  scopes: ["manage_tenant_settings"],
  access: "read",
  only: "session"
})
