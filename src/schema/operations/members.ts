import { operation } from "../Operation.ts"

// Who belongs to a workspace is decided by signed-in people. `manage_tenant_settings` is a scope of admins and owners only.

export const listMembers = operation({
  name: "members.list",
  summary: "List the members of the workspace.",
  scopes: [],
  access: "read",
  only: "session"
})
export const updateMember = operation({
  name: "members.update",
  summary: "Change the role of a member.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
// Anyone may leave: the service knows whom the call removes.
export const removeMember = operation({
  name: "members.remove",
  summary: "Remove a member from the workspace, or leave it.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const createInvitation = operation({
  name: "members.invite",
  summary: "Invite a person by e-mail address and role; the link is shown once.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  only: "session"
})
export const listInvitations = operation({
  name: "members.invitations",
  summary: "List the invitations that were not accepted yet.",
  scopes: ["manage_tenant_settings"],
  access: "read",
  only: "session"
})
export const withdrawInvitation = operation({
  name: "members.withdraw_invitation",
  summary: "Withdraw an invitation; its link stops working.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
