import { Schema, Struct } from "effect"
import { IssueEvent, type IssueSummary, IssueSummary as Summary } from "../schema/Issue.ts"
import { page } from "../schema/Page.ts"
import { Count, field, nullable } from "../schema/Text.ts"
import { recordWithin } from "./answerSize.ts"

// What the issue tools return: a list for choosing, one issue for working on it.

const maxRow = 2000
const maxEvent = 6000

/** One line of a list: what an agent chooses by. */
export const IssueRow = Schema.Struct({
  ...Struct.pick(
    Summary.fields,
    "ref",
    "title",
    "status",
    "priority",
    "labels",
    "project",
    "repos",
    "blocked_by",
    "observations",
    "updated_at",
    "etag"
  ),
  assignee: nullable(Schema.String, "E-mail address or key of who is to do it; null for no one."),
  claimed_by: nullable(Schema.String, "Who works on it now; null while it is free."),
  criteria_met: field(Count, "Number of acceptance criteria that are met."),
  criteria_total: field(Count, "Number of acceptance criteria.")
})
export const IssueRowsPage = page("IssueRowsPage", IssueRow)

const nameOf = ({ assignee }: IssueSummary): string | null =>
  assignee === null ? null : assignee.api_key === null ? assignee.email : `key ${assignee.api_key.name}`

export const issueRow = (issue: IssueSummary): typeof IssueRow.Type =>
  recordWithin(
    {
      ref: issue.ref,
      title: issue.title,
      status: issue.status,
      priority: issue.priority,
      labels: issue.labels,
      project: issue.project,
      repos: issue.repos,
      blocked_by: issue.blocked_by,
      observations: issue.observations,
      updated_at: issue.updated_at,
      etag: issue.etag,
      assignee: nameOf(issue),
      claimed_by: issue.claim === null ? null : (issue.claim.holder.label ?? issue.claim.holder.kind),
      criteria_met: issue.acceptance_criteria.filter(({ met }) => met).length,
      criteria_total: issue.acceptance_criteria.length
    },
    maxRow
  )

/** An event with as much of its note as a list can hold. */
export const issueEventRow = (event: IssueEvent): IssueEvent => recordWithin(event, maxEvent)
