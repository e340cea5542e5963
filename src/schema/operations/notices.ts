import { operation } from "../Operation.ts"

// A person's own: no permission is needed, and no key has any.

export const listNotices = operation({
  name: "notices.list",
  summary: "List one's notices, newest first.",
  scopes: [],
  access: "read",
  only: "session"
})
export const readNotices = operation({
  name: "notices.mark_read",
  summary: "Mark some or all of one's notices as read.",
  scopes: [],
  access: "write",
  idempotent: true,
  only: "session"
})
