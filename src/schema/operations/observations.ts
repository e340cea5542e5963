import { operation } from "../Operation.ts"

const triage = { name: "observation_triage", rpm: 60 } // dismiss, reopen, complete, acknowledge: one counter

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
export const dismissObservation = operation({
  name: "observations.dismiss",
  summary: "Dismiss an open observation with a category and a note.",
  scopes: ["triage_observations"],
  access: "write",
  bucket: triage
})
export const reopenObservation = operation({
  name: "observations.reopen",
  summary: "Reopen a closed observation with a reason.",
  scopes: ["triage_observations"],
  access: "write",
  bucket: triage
})
export const completeObservation = operation({
  name: "observations.complete",
  summary: "Close an open observation as completed, with an optional proof link and note.",
  scopes: ["triage_observations"],
  access: "write",
  bucket: triage
})
export const acknowledgeObservation = operation({
  name: "observations.acknowledge",
  summary: "Acknowledge an open observation; it stays open.",
  scopes: ["triage_observations"],
  access: "write",
  bucket: triage
})
export const fixObservation = operation({
  name: "observations.fix",
  summary: "Start a fix of an open finding: an attempt and a fix job that opens a pull request.",
  scopes: ["submit_fix_jobs"],
  access: "spend",
  bucket: { name: "observation_fix", rpm: 30 }
})
export const publishTicket = operation({
  name: "observations.publish_ticket",
  summary: "Publish an observation to the repository's ticket tracker.",
  scopes: ["triage_observations"],
  access: "write",
  bucket: { name: "observation_publish_ticket", rpm: 30 }
})
