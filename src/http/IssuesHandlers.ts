import { Effect } from "effect"
import { Issue } from "../schema/Issue.ts"
import { IssueEdits } from "../services/issues/IssueEdits.ts"
import { IssueFiling } from "../services/issues/IssueFiling.ts"
import { IssueStatuses } from "../services/issues/IssueStatuses.ts"
import { Issues } from "../services/issues/Issues.ts"
import { Api } from "./Api.ts"
import { ifMatch, quoted } from "./etag.ts"
import { group } from "./group.ts"
import { respond } from "./wire.ts"

/** With the version of the issue, for the next change. */
const withEtag = (issue: Issue, status = 200) => respond(Issue, issue, { status, headers: quoted(issue.etag) })

export const IssuesHandlers = group(
  Api,
  "issues",
  Effect.fnUntraced(function* (handlers) {
    const issues = yield* Issues
    const filing = yield* IssueFiling
    const edits = yield* IssueEdits
    const statuses = yield* IssueStatuses
    return handlers
      .handle("list", ({ urlParams }) => issues.list(urlParams))
      .handle("file", ({ payload }) => Effect.flatMap(filing.file(payload), (issue) => withEtag(issue, 201)))
      .handle("get", ({ path }) => Effect.flatMap(issues.get(path.ref), (issue) => withEtag(issue)))
      .handle("update", ({ path, payload, headers }) =>
        Effect.flatMap(edits.update(path.ref, payload, ifMatch(headers)), (issue) => withEtag(issue))
      )
      .handle("events", ({ path, urlParams }) => issues.events(path.ref, urlParams))
      .handle("status", ({ path, payload }) => statuses.update(path.ref, payload))
      .handle("close", ({ path, payload }) => statuses.close(path.ref, payload))
      .handle("reopen", ({ path, payload }) => statuses.reopen(path.ref, payload))
      .handle("note", ({ path, payload }) => statuses.note(path.ref, payload))
  })
)
