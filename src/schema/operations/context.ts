import { operation } from "../Operation.ts"

const read = ["view_context"] as const
const write = ["manage_context"] as const

export const listEntries = operation({
  name: "context.list",
  summary: "List context entries that apply to the workspace.",
  scopes: read,
  access: "read"
})
export const readDigest = operation({
  name: "context.digest",
  summary: "Read the digest of the context: one line per entry, in reading order.",
  scopes: read,
  access: "read"
})
export const readRepositoryDigest = operation({
  name: "context.repository_digest",
  summary: "Read the digest of the most specific project, space or area that holds a repository.",
  scopes: read,
  access: "read"
})
export const readEntry = operation({
  name: "context.read",
  summary: "Read one context entry in full.",
  scopes: read,
  access: "read"
})
export const readHistory = operation({
  name: "context.history",
  summary: "List the changes of a context entry, newest first, with the values before each one.",
  scopes: read,
  access: "read"
})
export const createEntry = operation({
  name: "context.create",
  summary: "Create a context entry; one written with an API key is proposed until a person confirms it.",
  scopes: write,
  access: "write",
  idempotent: true
})
export const putEntry = operation({
  name: "context.put",
  summary: "Create a context entry, or replace it as a whole.",
  scopes: write,
  access: "write",
  destructive: true,
  idempotent: true
})
export const patchEntry = operation({
  name: "context.patch",
  summary: "Change parts of a context entry.",
  scopes: write,
  access: "write",
  destructive: true,
  idempotent: true
})
export const disableEntry = operation({
  name: "context.disable",
  summary: "Disable a context entry with a reason; it stays in the history and frees its key.",
  scopes: write,
  access: "write",
  destructive: true,
  idempotent: true
})
export const restoreEntry = operation({
  name: "context.restore",
  summary: "Restore the most recently disabled context entry of a key.",
  scopes: write,
  access: "write",
  idempotent: true
})
export const confirmEntry = operation({
  name: "context.confirm",
  summary: "Confirm a proposed context entry, which makes it live.",
  scopes: write,
  access: "write",
  idempotent: true,
  only: "session"
})
export const corroborateEntry = operation({
  name: "context.corroborate",
  summary: "Corroborate another key's proposed context entry.",
  scopes: ["corroborate_context", "view_context"],
  access: "write",
  idempotent: true,
  only: "key"
})
