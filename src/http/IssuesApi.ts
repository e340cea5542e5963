import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { InvalidCursor } from "../schema/Errors.ts"
import {
  ClosedIssue,
  IllegalTransition,
  Issue,
  IssueEvent,
  IssueEventsPage,
  IssueNotFound,
  IssuePath,
  IssuesPage,
  RelationInvalid
} from "../schema/Issue.ts"
import {
  CloseIssue,
  FileIssue,
  IssueEventsQuery,
  IssuesQuery,
  NoteIssue,
  ReopenIssue,
  UpdateIssue,
  UpdateIssueStatus
} from "../schema/IssueRequests.ts"
import { ObservationNotFound } from "../schema/Observation.ts"
import { issues } from "../schema/operations/index.ts"
import { MemberNotFound, ProjectNotFound } from "../schema/Project.ts"
import { MalformedEtag, PreconditionRequired, VersionConflict } from "../schema/TeamContext.ts"
import { Authorization } from "./Authorization.ts"
import { IssueChangeErrors, ProjectChangeErrors, RepositoryFilterErrors } from "./errors.ts"
import { IfMatch } from "./etag.ts"
import { onWire, serves } from "./wire.ts"

export const IssuesApi = HttpApiGroup.make("issues")
  .add(
    HttpApiEndpoint.get("list", "/api/issues")
      .annotateContext(serves(issues.listIssues))
      .setUrlParams(IssuesQuery)
      .addSuccess(IssuesPage)
      .addError(RepositoryFilterErrors)
      .addError(onWire(InvalidCursor, ProjectNotFound, MemberNotFound))
  )
  .add(
    HttpApiEndpoint.post("file", "/api/issues")
      .annotateContext(serves(issues.fileIssue))
      .setPayload(FileIssue)
      .addSuccess(Issue, { status: 201 })
      .addError(ProjectChangeErrors)
      .addError(RepositoryFilterErrors)
      .addError(onWire(MemberNotFound, ObservationNotFound))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/issues/:ref")
      .annotateContext(serves(issues.readIssue))
      .setPath(IssuePath)
      .addSuccess(Issue)
      .addError(onWire(IssueNotFound))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/issues/:ref")
      .annotateContext(serves(issues.updateIssue))
      .setPath(IssuePath)
      .setHeaders(IfMatch)
      .setPayload(UpdateIssue)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
      .addError(RepositoryFilterErrors)
      .addError(onWire(ProjectNotFound, MemberNotFound, VersionConflict, MalformedEtag, PreconditionRequired))
  )
  .add(
    HttpApiEndpoint.get("events", "/api/issues/:ref/events")
      .annotateContext(serves(issues.listIssueEvents))
      .setPath(IssuePath)
      .setUrlParams(IssueEventsQuery)
      .addSuccess(IssueEventsPage)
      .addError(onWire(IssueNotFound, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("status", "/api/issues/:ref/status")
      .annotateContext(serves(issues.updateIssueStatus))
      .setPath(IssuePath)
      .setPayload(UpdateIssueStatus)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
      .addError(onWire(IllegalTransition))
  )
  .add(
    HttpApiEndpoint.post("close", "/api/issues/:ref/close")
      .annotateContext(serves(issues.closeIssue))
      .setPath(IssuePath)
      .setPayload(CloseIssue)
      .addSuccess(ClosedIssue)
      .addError(IssueChangeErrors)
      .addError(onWire(IllegalTransition, RelationInvalid))
  )
  .add(
    HttpApiEndpoint.post("reopen", "/api/issues/:ref/reopen")
      .annotateContext(serves(issues.reopenIssue))
      .setPath(IssuePath)
      .setPayload(ReopenIssue)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
      .addError(onWire(IllegalTransition))
  )
  .add(
    HttpApiEndpoint.post("note", "/api/issues/:ref/notes")
      .annotateContext(serves(issues.noteIssue))
      .setPath(IssuePath)
      .setPayload(NoteIssue)
      .addSuccess(IssueEvent, { status: 201 })
      .addError(IssueChangeErrors)
  )
  .annotate(OpenApi.Description, "Issues: what is to be done, who works on it, and what happened to it.")
  .middleware(Authorization)
