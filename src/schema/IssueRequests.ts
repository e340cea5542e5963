import { Schema } from "effect"
import { TriageFilter } from "./BulkTriage.ts"
import { closed } from "./closed.ts"
import { IssueCloseReason, IssueNumberFromRef, IssueStatus, issueStatuses, RelationKind } from "./Issue.ts"
import { ObservationNumberFromRef, Priority } from "./Observation.ts"
import { pageQuery } from "./Page.ts"
import { ProjectSlug } from "./Project.ts"
import {
  booleanQuery,
  field,
  integer,
  list,
  oneOf,
  optional,
  optionalOrNull,
  patterned,
  someOf,
  text,
  textWithin
} from "./Text.ts"

export const issueLimits = {
  title: 200,
  /** Bytes. */
  body_md: 64 * 1024,
  /** Bytes. */
  note: 16 * 1024,
  labels: 20,
  label: 64,
  repos: 50,
  criteria: 50,
  criterion: 1000,
  observations: 100,
  findings: 100,
  reason: 2000,
  search: 400,
  url: 2000,
  agent_label: 200
} as const

export const defaultLeaseMinutes = 30
export const maxLeaseMinutes = 24 * 60

const title = text(1, issueLimits.title)
  .pipe(Schema.filter((s) => (s.trim() === "" ? "must have a visible character" : undefined)))
  .annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: issueLimits.title } })

const body = textWithin(0, issueLimits.body_md)

export const IssueLabel = patterned(
  1,
  issueLimits.label,
  /^[^\s,](?:[^,\p{Cc}]*[^\s,])?$/u,
  "must not have commas, line breaks or spaces at its ends"
)

const labels = list(IssueLabel, 0, issueLimits.labels)
const repos = list(text(1, 500), 0, issueLimits.repos)
/** `me`, a member's e-mail address, or null. */
const assignee = text(1, 320)
const Fence = integer(0)

export const CriterionText = text(1, issueLimits.criterion)

const texts = {
  title: `Title, at most ${issueLimits.title} characters.`,
  body_md: `Text in Markdown, at most ${issueLimits.body_md} bytes.`,
  labels: `Labels, at most ${issueLimits.labels} of ${issueLimits.label} characters.`,
  repos: "Repository branches that it is about: `repo@branch` or `owner/repo@branch`.",
  assignee: "`me`, a member's e-mail address, or null for no one."
}

/** The fence of a holder's write. */
export const fence = optional(Fence, "Fence of your claim; a stale one is rejected with `claim_lost`.")
const note = optional(textWithin(1, issueLimits.note), `Note, at most ${issueLimits.note} bytes of Markdown.`)

export const newIssue = {
  project: field(ProjectSlug, "Slug of the area, space or project to file it in."),
  title: field(title, texts.title),
  body_md: optional(body, texts.body_md),
  priority: optional(Priority, "Urgency, from P0 (most urgent) to P3; default P2."),
  labels: optional(labels, texts.labels),
  repos: optional(repos, texts.repos),
  assignee: optionalOrNull(assignee, texts.assignee),
  acceptance_criteria: optional(
    list(CriterionText, 0, issueLimits.criteria),
    `What must hold for it to be done, at most ${issueLimits.criteria} texts, in order.`
  ),
  observations: optional(
    list(ObservationNumberFromRef, 0, issueLimits.observations),
    "Observations that it is about, such as `OBS-12`."
  )
}
export const FileIssue = closed(newIssue, "FileIssueRequest", {
  project: "checkout",
  title: "Sign the session cookie",
  body_md: "The cookie of the basket can be forged.",
  priority: "P1",
  labels: ["security"],
  repos: ["acme/shop@main"],
  assignee: "me",
  acceptance_criteria: ["A forged cookie is rejected."]
})
export type FileIssue = typeof FileIssue.Type

export const FindingsGrouping = oneOf("none", "rule", "file")
export type FindingsGrouping = typeof FindingsGrouping.Type

export const fromFindings = {
  project: field(ProjectSlug, "Slug of the area, space or project to file them in."),
  refs: optional(
    list(ObservationNumberFromRef, 1, issueLimits.findings),
    `References of observations, at most ${issueLimits.findings}; a repeated one counts once.`
  ),
  filter: optional(TriageFilter, "Instead of `refs`: the observations that match all of these filters of the list."),
  group_by: optional(
    FindingsGrouping,
    "`none` files one issue for each observation, the default; `rule` and `file` one for each rule or file."
  )
}
const previewing = {
  preview: optional(Schema.Boolean, "True: file nothing, and return how many issues it would file and their titles.")
}
export const FileIssuesFromFindings = closed({ ...fromFindings, ...previewing }, "FileIssuesFromFindingsRequest", {
  project: "checkout",
  refs: [ObservationNumberFromRef.to.make(12)],
  group_by: "rule"
})
export type FileIssuesFromFindings = typeof FileIssuesFromFindings.Type

export const issueChanges = {
  title: optional(title, texts.title),
  body_md: optional(body, texts.body_md),
  priority: optional(Priority, "Urgency, from P0 (most urgent) to P3."),
  labels: optional(labels, `${texts.labels} They replace those that it has.`),
  repos: optional(repos, `${texts.repos} They replace those that it has.`),
  assignee: optionalOrNull(assignee, texts.assignee),
  project: optional(ProjectSlug, "Slug of the area, space or project to move it to.")
}
export const UpdateIssue = closed(issueChanges, "UpdateIssueRequest", { priority: "P0", labels: ["security", "web"] })
export type UpdateIssue = typeof UpdateIssue.Type

export const statusChange = { status: field(IssueStatus, "Status to move it to."), fence }
export const UpdateIssueStatus = closed(statusChange, "UpdateIssueStatusRequest", { status: "in_review" })
export type UpdateIssueStatus = typeof UpdateIssueStatus.Type

export const closing = {
  reason: field(IssueCloseReason, "`completed`, `cancelled` or `duplicate`."),
  duplicate_of: optional(IssueNumberFromRef, "With `duplicate`, required: the issue that it duplicates."),
  note,
  fence
}
export const CloseIssue = closed(closing, "CloseIssueRequest", { reason: "completed", note: "Released with 2.4." })
export type CloseIssue = typeof CloseIssue.Type

export const reopening = { reason: field(text(1, issueLimits.reason), "Why it is open again.") }
export const ReopenIssue = closed(reopening, "ReopenIssueRequest", { reason: "It came back with 2.5." })
export type ReopenIssue = typeof ReopenIssue.Type

const leaseMinutes = optional(
  integer(1, maxLeaseMinutes),
  `Minutes until the claim ends unless it is renewed; default ${defaultLeaseMinutes}.`
)

export const claiming = {
  lease_minutes: leaseMinutes,
  agent_label: optional(text(1, issueLimits.agent_label), "Name of the working agent, shown as the holder.")
}
export const ClaimIssue = closed(claiming, "ClaimIssueRequest", { lease_minutes: 60, agent_label: "nightly-1" })
export type ClaimIssue = typeof ClaimIssue.Type

export const renewing = { fence: field(Fence, "Fence of your claim."), lease_minutes: leaseMinutes }
export const RenewClaim = closed(renewing, "RenewClaimRequest", { fence: 3, lease_minutes: 60 })
export type RenewClaim = typeof RenewClaim.Type

export const releasing = { fence: optional(Fence, "Fence of your claim; managers of the project may leave it out.") }
export const ReleaseIssue = closed(releasing, "ReleaseIssueRequest", { fence: 3 })
export type ReleaseIssue = typeof ReleaseIssue.Type

export const noting = {
  body_md: field(textWithin(1, issueLimits.note), `Note in Markdown, at most ${issueLimits.note} bytes.`),
  fence
}
export const NoteIssue = closed(noting, "NoteIssueRequest", { body_md: "The cookie is signed; tests are next." })
export type NoteIssue = typeof NoteIssue.Type

export const relating = {
  kind: field(RelationKind, "`blocks`, `relates_to`, `duplicates`, `parent_of` or `discovered_from`."),
  other: field(IssueNumberFromRef, "The other issue: this one blocks it, duplicates it, is its parent.")
}
export const RelateIssues = closed(relating, "RelateIssuesRequest", {
  kind: "blocks",
  other: IssueNumberFromRef.to.make(13)
})
export type RelateIssues = typeof RelateIssues.Type

export const pullRequest = {
  url: field(
    patterned(
      8,
      issueLimits.url,
      /^https?:\/\/[^\s/?#@]+\/[^\s]+$/,
      "must be the URL of a pull request, without a user"
    ),
    "URL of the pull request."
  )
}
export const AttachPullRequest = closed(pullRequest, "AttachPullRequestRequest", {
  url: "https://github.com/acme/shop/pull/7"
})
export type AttachPullRequest = typeof AttachPullRequest.Type

export const newCriterion = { text: field(CriterionText, "What must hold for the issue to be done.") }
export const AddCriterion = closed(newCriterion, "AddAcceptanceCriterionRequest", {
  text: "A forged cookie is rejected."
})
export type AddCriterion = typeof AddCriterion.Type

export const criterionMet = {
  met: field(Schema.Boolean, "Whether it holds."),
  note: optional(textWithin(1, issueLimits.note), "How that was verified."),
  fence
}
export const SetCriterionMet = closed(criterionMet, "SetAcceptanceCriterionMetRequest", { met: true })
export type SetCriterionMet = typeof SetCriterionMet.Type

/** Filters of the list, but for the flag, whose type differs between a query and a tool. */
export const issueFilters = {
  status: optional(someOf(issueStatuses), "Only issues with one of these statuses, separated by commas."),
  project: optional(Schema.String, "Only issues of this area, space or project and the levels below."),
  repo: optional(Schema.String, "Only issues about this repository branch: `repo@branch` or `owner/repo@branch`."),
  assignee: optional(text(1, 320), "`me`, `none`, or a member's e-mail address."),
  labels: optional(
    text(1, issueLimits.labels * (issueLimits.label + 1)),
    "Only issues that have all of these labels, separated by commas."
  ),
  priority: optional(
    someOf(["P0", "P1", "P2", "P3"]),
    "Only issues with one of these priorities, separated by commas."
  ),
  q: optional(
    text(1, issueLimits.search),
    "Search words in title and text; quoted phrases, `or` and `-word` work as in web search."
  )
}
const ready = "True: only what can be worked on now, that is open, unclaimed and not blocked, the most urgent first."
export const issueFlags = { ready: optional(Schema.Boolean, ready) }
export const IssuesQuery = closed({ ...issueFilters, ready: optional(booleanQuery, ready), ...pageQuery })
export type IssuesQuery = typeof IssuesQuery.Type
export const IssueEventsQuery = closed(pageQuery)
