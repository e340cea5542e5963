import { operation } from "../Operation.ts"

export const listIssues = operation({
  name: "issues.list",
  summary: "List or search issues, or the ones that can be worked on now.",
  scopes: ["view_issues"],
  access: "read"
})
export const readIssue = operation({
  name: "issues.read",
  summary: "Read one issue with its claim, criteria, relations and pull requests.",
  scopes: ["view_issues"],
  access: "read"
})
export const listIssueEvents = operation({
  name: "issues.events",
  summary: "List the changes and notes of an issue, newest first.",
  scopes: ["view_issues"],
  access: "read"
})
export const fileIssue = operation({
  name: "issues.file",
  summary: "File an issue in an area, a space or a project.",
  scopes: ["manage_issues"],
  access: "write"
})
export const updateIssue = operation({
  name: "issues.update",
  summary: "Change what an issue says: title, text, priority, labels, repositories, assignee or project.",
  scopes: ["manage_issues"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const updateIssueStatus = operation({
  name: "issues.update_status",
  summary: "Move an issue to another status.",
  scopes: ["manage_issues"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const closeIssue = operation({
  name: "issues.close",
  summary: "Close an issue as completed, cancelled or a duplicate, and return what it unblocked.",
  scopes: ["manage_issues"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const reopenIssue = operation({
  name: "issues.reopen",
  summary: "Reopen a closed issue.",
  scopes: ["manage_issues"],
  access: "write",
  idempotent: true
})
export const noteIssue = operation({
  name: "issues.note",
  summary: "Add a note to the history of an issue.",
  scopes: ["manage_issues"],
  access: "write"
})
