import { operation } from "../Operation.ts"

// Signing in is limited per account and address by the service itself, not by a bucket of a key.

export const signIn = operation({
  name: "sessions.sign_in",
  summary: "Sign in with e-mail and password.",
  scopes: [],
  access: "write",
  only: "anyone"
})
export const useSignInLink = operation({
  name: "sessions.use_link",
  summary: "Sign in with a one-time link, and set a password with it.",
  scopes: [],
  access: "write",
  only: "anyone"
})
export const readSession = operation({
  name: "sessions.read",
  summary: "Read the signed-in user and their permissions.",
  scopes: [],
  access: "read",
  only: "session",
  whileSuspended: true
})
export const signOut = operation({
  name: "sessions.sign_out",
  summary: "End the signed-in session.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session",
  whileSuspended: true
})
export const signOutElsewhere = operation({
  name: "sessions.sign_out_elsewhere",
  summary: "End all other sessions of the signed-in user.",
  scopes: [],
  access: "write",
  only: "session"
})
export const acceptInvitation = operation({
  name: "sessions.accept_invitation",
  summary: "Join a workspace with an invitation, and sign in to it.",
  scopes: [],
  access: "write",
  only: "anyone"
})
export const requestLink = operation({
  name: "sessions.request_link",
  summary: "Have a one-time sign-in link sent by e-mail.",
  scopes: [],
  access: "write",
  only: "anyone"
})
export const listWorkspaces = operation({
  name: "sessions.workspaces",
  summary: "List the workspaces of the signed-in user.",
  scopes: [],
  access: "read",
  only: "session",
  whileSuspended: true
})
export const switchWorkspace = operation({
  name: "sessions.switch_workspace",
  summary: "Switch the session to another workspace of the user.",
  scopes: [],
  access: "write",
  idempotent: true,
  only: "session",
  whileSuspended: true
})
export const listSessions = operation({
  name: "sessions.list",
  summary: "List the signed-in user's own sessions.",
  scopes: [],
  access: "read",
  only: "session"
})
export const endSession = operation({
  name: "sessions.end",
  summary: "End one of the signed-in user's own sessions.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const changePassword = operation({
  name: "sessions.change_password",
  summary: "Replace the password of the signed-in user, who knows the present one.",
  scopes: [],
  access: "write",
  destructive: true,
  only: "session"
})
export const updateProfile = operation({
  name: "sessions.update_profile",
  summary: "Change the name and preferences of the signed-in user.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
