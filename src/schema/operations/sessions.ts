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
  only: "session"
})
export const signOut = operation({
  name: "sessions.sign_out",
  summary: "End the signed-in session.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const signOutElsewhere = operation({
  name: "sessions.sign_out_elsewhere",
  summary: "End all other sessions of the signed-in user.",
  scopes: [],
  access: "write",
  only: "session"
})
