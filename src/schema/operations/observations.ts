import { operation } from "../Operation.ts"

const triage = { name: "observation_triage", rpm: 60 } // dismiss, reopen, complete, acknowledge: one counter
const fix = { name: "observation_fix", rpm: 30 } // fix, fix-request, fix-revision: one counter

export const listObservations = operation({
  name: "observations.list",
  summary: "List observations with filters, newest first.",
  scopes: ["view_observations"],
  access: "read"
})
export const readObservation = operation({
  name: "observations.read",
  summary: "Read one observation with its locations, evidence and history.",
  scopes: ["view_observations"],
  access: "read"
})
export const searchObservations = operation({
  name: "observations.search",
  summary: "Search findings by full text. Accepts the same filters as the list of observations.",
  scopes: ["view_observations"],
  access: "read"
})
export const listRecentObservations = operation({
  name: "observations.recent",
  summary: "List the open findings that touch a file of a repository, newest first.",
  scopes: ["view_observations"],
  access: "read"
})
export const explainObservation = operation({
  name: "observations.explain",
  summary: "Explain an observation: what is wrong, why, how to fix it, evidence, similar ones and history.",
  scopes: ["view_observations"],
  access: "read"
})
export const listPendingMigrations = operation({
  name: "observations.pending_migrations",
  summary: "List open suggestions about migrations; empty unless audit suggestions are on.",
  scopes: ["view_observations"],
  access: "read"
})
export const readFacets = operation({
  name: "observations.facets",
  summary: "Count the values that observations have for each filter, the most frequent ones first.",
  scopes: ["view_observations"],
  access: "read"
})
export const readCode = operation({
  name: "observations.code",
  summary: "Read the code that an observation is about, as it was when it was last seen.",
  scopes: ["view_observations"],
  access: "read"
})
export const dismissObservation = operation({
  name: "observations.dismiss",
  summary: "Dismiss an open observation with a category and a note.",
  scopes: ["triage_observations"],
  access: "write",
  destructive: true,
  idempotent: true,
  bucket: triage
})
export const reopenObservation = operation({
  name: "observations.reopen",
  summary: "Reopen a closed observation with a reason.",
  scopes: ["triage_observations"],
  access: "write",
  idempotent: true,
  bucket: triage
})
export const completeObservation = operation({
  name: "observations.complete",
  summary: "Close an open observation as completed, with an optional proof link and note.",
  scopes: ["triage_observations"],
  access: "write",
  destructive: true,
  idempotent: true,
  bucket: triage
})
export const acknowledgeObservation = operation({
  name: "observations.acknowledge",
  summary: "Acknowledge an open observation; it stays open.",
  scopes: ["triage_observations"],
  access: "write",
  idempotent: true,
  bucket: triage
})
export const triageMany = operation({
  name: "observations.triage_many",
  summary: "Dismiss, acknowledge, complete or reopen up to 1,000 observations, or preview that.",
  scopes: ["triage_observations"],
  access: "write",
  destructive: true
})
export const undoTriage = operation({
  name: "observations.undo_triage",
  summary: "Undo a change of many observations within 10 minutes.",
  scopes: ["triage_observations"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const fixObservation = operation({
  name: "observations.fix",
  summary: "Start a fix of an open finding: an attempt and a fix job that opens a pull request.",
  scopes: ["submit_fix_jobs"],
  access: "spend",
  openWorld: true,
  bucket: fix
})
export const requestFix = operation({
  name: "observations.request_fix",
  summary: "Start a fix of an open finding with an already queued fix job.",
  scopes: ["submit_fix_jobs"],
  access: "spend",
  idempotent: true,
  openWorld: true,
  bucket: fix
})
export const reviseFix = operation({
  name: "observations.revise_fix",
  summary: "Request a revision of an observation's open fix pull request.",
  scopes: ["submit_fix_jobs"],
  access: "spend",
  openWorld: true,
  bucket: fix
})
export const listFixPrs = operation({
  name: "fixes.list",
  summary: "List the fix pull requests of all repositories, newest first.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readFixDiff = operation({
  name: "observations.fix_diff",
  summary: "Read the change that the newest fix of an observation makes, as a unified diff.",
  scopes: ["view_observations"],
  access: "read"
})
export const withdrawFix = operation({
  name: "observations.withdraw_fix",
  summary: "Withdraw an observation's open fix pull request: close it unmerged.",
  scopes: ["submit_fix_jobs"],
  access: "write",
  destructive: true,
  openWorld: true
})
export const publishTicket = operation({
  name: "observations.publish_ticket",
  summary: "Publish an observation to the repository's ticket tracker.",
  scopes: ["triage_observations"],
  access: "write",
  idempotent: true,
  openWorld: true,
  bucket: { name: "observation_publish_ticket", rpm: 30 }
})
