import { operation } from "../Operation.ts"

const beta = "change_reviews" as const

export const listChangeReviews = operation({
  name: "change_reviews.list",
  summary: "List change reviews with their branches and criteria, the one that changed last first.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const readChangeReview = operation({
  name: "change_reviews.read",
  summary: "Read one change review: readiness, verdict and evidence of each criterion, and whether it is stale.",
  scopes: ["view_jobs"],
  access: "read",
  openWorld: true,
  beta
})
export const findChangeReview = operation({
  name: "change_reviews.find",
  summary: "Find the newest change review that a branch or a pull request is part of.",
  scopes: ["view_jobs"],
  access: "read",
  openWorld: true,
  beta
})
export const listReadiness = operation({
  name: "change_reviews.readiness",
  summary: "List the readiness of change reviews with how many criteria are met.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const setCriteria = operation({
  name: "change_reviews.set_criteria",
  summary: "Set what a change must do or be, and judge what is new; a ticket key without a review gets one.",
  scopes: ["submit_audit_jobs"],
  access: "spend",
  reserves: true,
  destructive: true,
  idempotent: true,
  openWorld: true,
  beta
})
export const startChangeReview = operation({
  name: "change_reviews.start",
  summary: "Start a review of 1 to 10 pushed branches, which spends credit and posts nothing elsewhere.",
  scopes: ["submit_audit_jobs"],
  access: "spend",
  reserves: true,
  idempotent: true,
  openWorld: true,
  beta
})
export const refreshChangeReview = operation({
  name: "change_reviews.refresh",
  summary: "Judge a change review again where its branches have newer commits, which spends credit.",
  scopes: ["submit_audit_jobs"],
  access: "spend",
  reserves: true,
  idempotent: true,
  openWorld: true,
  beta
})
