import { operation } from "../Operation.ts"

// Keys cannot manage keys: all of these need a signed-in person.

export const createKey = operation({
  name: "keys.create",
  summary: "Create an API key; the full key is shown once.",
  scopes: [],
  access: "write",
  only: "session"
})
export const listKeys = operation({
  name: "keys.list",
  summary: "List API keys.",
  scopes: [],
  access: "read",
  only: "session"
})
export const readKey = operation({
  name: "keys.read",
  summary: "Read one API key's record.",
  scopes: [],
  access: "read",
  only: "session"
})
export const updateKey = operation({
  name: "keys.update",
  summary: "Rename an API key or tighten its limits and scopes.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const revokeKey = operation({
  name: "keys.revoke",
  summary: "Revoke an API key.",
  scopes: [],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
