import { Effect, Schema } from "effect"
import { ClosedIssue, Issue, IssueEvent, IssueEventsPage, IssueNumberFromRef } from "../schema/Issue.ts"
import {
  closing,
  issueChanges,
  issueFilters,
  issueFlags,
  newIssue,
  noting,
  reopening,
  statusChange
} from "../schema/IssueRequests.ts"
import { issues as operations } from "../schema/operations/index.ts"
import { described, field, optional } from "../schema/Text.ts"
import { IssueEdits } from "../services/issues/IssueEdits.ts"
import { IssueFiling } from "../services/issues/IssueFiling.ts"
import { IssueStatuses } from "../services/issues/IssueStatuses.ts"
import { Issues } from "../services/issues/Issues.ts"
import { seenVersion } from "../services/support/seenVersion.ts"
import { pageWithin } from "./answerSize.ts"
import { pageArgs } from "./args.ts"
import { IssueRow, IssueRowsPage, issueEventRow, issueRow } from "./issueAnswers.ts"
import { tool } from "./Tool.ts"

export const issueArg = { ref: field(IssueNumberFromRef, "Issue, such as `ISS-12`.") }

const expected_etag = {
  expected_etag: optional(
    described(Schema.String, "The issue's `etag` as you read it; left out, the change applies to whatever it is now.")
  )
}

export const IssuesTools = Effect.map(
  Effect.all([Issues, IssueFiling, IssueEdits, IssueStatuses]),
  ([issues, filing, edits, statuses]) => [
    tool({
      name: "list_issues",
      title: "List issues",
      description:
        "List or search issues (ISS-N), one line each; `ready` lists the work to claim. Use get_issue for one.",
      operation: operations.listIssues,
      args: { ...issueFilters, ...issueFlags, ...pageArgs(20) },
      result: IssueRowsPage,
      run: ({ limit = 20, ...query }) =>
        pageWithin(IssueRow, limit, (limit) =>
          Effect.map(issues.list({ ...query, limit }), (page) => ({ ...page, data: page.data.map(issueRow) }))
        )
    }),
    tool({
      name: "get_issue",
      title: "Get issue",
      description:
        "Read one issue with its text, claim, criteria and relations. Use list_issue_events for its history.",
      operation: operations.readIssue,
      args: issueArg,
      result: Issue,
      run: ({ ref }) => issues.get(ref)
    }),
    tool({
      name: "list_issue_events",
      title: "List issue events",
      description: "List changes and notes of an issue, newest first. Use note_issue to add a note.",
      operation: operations.listIssueEvents,
      args: { ...issueArg, ...pageArgs(20) },
      result: IssueEventsPage,
      run: ({ ref, limit = 20, ...query }) =>
        pageWithin(IssueEvent, limit, (limit) =>
          Effect.map(issues.events(ref, { ...query, limit }), (page) => ({
            ...page,
            data: page.data.map(issueEventRow)
          }))
        )
    }),
    tool({
      name: "file_issue",
      title: "File issue",
      description: "File an issue in an area, a space or a project. Use update_issue_fields to change it.",
      operation: operations.fileIssue,
      args: newIssue,
      result: Issue,
      run: (args) => filing.file(args)
    }),
    tool({
      name: "update_issue_fields",
      title: "Update issue fields",
      description: "Change what an issue says. Use update_issue_status to move it, note_issue to comment on it.",
      operation: operations.updateIssue,
      args: { ...issueArg, ...expected_etag, ...issueChanges },
      result: Issue,
      run: ({ ref, expected_etag, ...changes }) =>
        edits.update(ref, changes, expected_etag === undefined ? null : seenVersion(expected_etag, "expected_etag"))
    }),
    tool({
      name: "update_issue_status",
      title: "Update issue status",
      description:
        "Move an issue to another status. Use close_issue to end it with a reason, reopen_issue to undo that.",
      operation: operations.updateIssueStatus,
      args: { ...issueArg, ...statusChange },
      result: Issue,
      run: ({ ref, ...change }) => statuses.update(ref, change)
    }),
    tool({
      name: "close_issue",
      title: "Close issue",
      description: "Close an issue with a reason; returns what it unblocked. Use reopen_issue to undo it.",
      operation: operations.closeIssue,
      args: { ...issueArg, ...closing },
      result: ClosedIssue,
      run: ({ ref, ...closing }) => statuses.close(ref, closing)
    }),
    tool({
      name: "reopen_issue",
      title: "Reopen issue",
      description: "Reopen a closed issue. Use update_issue_status for issues that are not closed.",
      operation: operations.reopenIssue,
      args: { ...issueArg, ...reopening },
      result: Issue,
      run: ({ ref, ...reopening }) => statuses.reopen(ref, reopening)
    }),
    tool({
      name: "note_issue",
      title: "Note issue",
      description: "Add a note to an issue's history. Use update_issue_fields to change what it says.",
      operation: operations.noteIssue,
      args: { ...issueArg, ...noting },
      result: IssueEvent,
      run: ({ ref, ...noting }) => statuses.note(ref, noting)
    })
  ]
)
