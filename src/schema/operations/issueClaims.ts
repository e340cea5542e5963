import { operation } from "../Operation.ts"

export const claimIssue = operation({
  name: "issues.claim",
  summary: "Claim an issue for a time: no one else can until you release it or the lease ends.",
  scopes: ["manage_issues"],
  access: "write",
  idempotent: true
})
export const renewClaim = operation({
  name: "issues.renew_claim",
  summary: "Give your claim of an issue a new end.",
  scopes: ["manage_issues"],
  access: "write",
  idempotent: true
})
export const releaseIssue = operation({
  name: "issues.release",
  summary: "End your claim of an issue, or as a manager anyone's.",
  scopes: ["manage_issues"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const addCriterion = operation({
  name: "issues.add_criterion",
  summary: "Add an acceptance criterion to an issue.",
  scopes: ["manage_issues"],
  access: "write"
})
export const setCriterionMet = operation({
  name: "issues.set_criterion_met",
  summary: "Mark an acceptance criterion of an issue as met, or as not met.",
  scopes: ["manage_issues"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const attachPullRequest = operation({
  name: "issues.attach_pr",
  summary: "Attach a pull request to an issue by its URL.",
  scopes: ["manage_issues"],
  access: "write",
  idempotent: true
})
