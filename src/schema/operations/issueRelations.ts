import { operation } from "../Operation.ts"

export const relateIssues = operation({
  name: "issues.relate",
  summary: "Relate an issue to another one: it blocks, duplicates or is the parent of it, for example.",
  scopes: ["manage_issues"],
  access: "write",
  idempotent: true
})
export const unrelateIssues = operation({
  name: "issues.unrelate",
  summary: "Remove a relation of an issue to another one.",
  scopes: ["manage_issues"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const fileFromFindings = operation({
  name: "issues.file_from_findings",
  summary: "File issues for observations that have no open issue yet.",
  scopes: ["manage_issues"],
  access: "write",
  idempotent: true
})
