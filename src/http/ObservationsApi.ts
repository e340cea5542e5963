import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { record } from "../schema/closed.ts"
import { InvalidCursor, InvalidPayload } from "../schema/Errors.ts"
import { openObservation } from "../schema/examples/observations.ts"
import {
  FixableObservation,
  FixObservationResponse,
  FixRequest,
  NoOpenFixPr,
  RequestFix,
  ReviseFix,
  RevisionLimitReached
} from "../schema/Fix.ts"
import { JobNotFound } from "../schema/Job.ts"
import {
  ClosedObservation,
  Complete,
  Dismiss,
  Observation,
  ObservationNotFound,
  ObservationOpen,
  ObservationPath,
  ObservationsQuery,
  PendingMigrationsQuery,
  pathKnown,
  RecentQuery,
  Reopen,
  SearchQuery
} from "../schema/Observation.ts"
import { ObservationExplanation } from "../schema/ObservationExplanation.ts"
import { observations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { Authorization } from "./Authorization.ts"
import {
  FixTargetErrors,
  JobStartErrors,
  OpenObservationErrors,
  RepositoryFilterErrors,
  RepositoryPageErrors,
  TicketErrors,
  WorkflowErrors
} from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const ObservationsPage = page("ObservationsPage", Observation)
export const RecentFindingsPage = record(
  "RecentFindingsPage",
  { ...ObservationsPage.fields, path_known: pathKnown },
  { data: [openObservation], next_cursor: null, has_more: false, path_known: true }
)

export const ObservationsApi = HttpApiGroup.make("observations")
  .add(
    HttpApiEndpoint.get("list", "/api/observations")
      .annotateContext(serves(observations.listObservations))
      .setUrlParams(ObservationsQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor, InvalidPayload))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("search", "/api/observations/search")
      .annotateContext(serves(observations.searchObservations))
      .setUrlParams(SearchQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor, InvalidPayload))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("pendingMigrations", "/api/observations/pending-migrations")
      .annotateContext(serves(observations.listPendingMigrations))
      .setUrlParams(PendingMigrationsQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor, InvalidPayload))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("recent", "/api/repos/:github_org/:github_repo/:github_base_branch/recent-findings")
      .annotateContext(serves(observations.listRecentObservations))
      .setPath(RepositoryPath)
      .setUrlParams(RecentQuery)
      .addSuccess(RecentFindingsPage)
      .addError(RepositoryPageErrors)
  )
  .add(
    HttpApiEndpoint.get("explain", "/api/observations/:ref/explanation")
      .annotateContext(serves(observations.explainObservation))
      .setPath(ObservationPath)
      .addSuccess(ObservationExplanation)
      .addError(onWire(ObservationNotFound))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/observations/:ref")
      .annotateContext(serves(observations.readObservation))
      .setPath(ObservationPath)
      .addSuccess(FixableObservation)
      .addError(onWire(ObservationNotFound))
  )
  .add(
    HttpApiEndpoint.post("dismiss", "/api/observations/:ref/dismiss")
      .annotateContext(
        serves(
          observations.dismissObservation,
          "Dismisses an open observation. `false_positive`, `wont_fix` and `out_of_scope` stay closed when an audit finds it again; the others reopen."
        )
      )
      .setPath(ObservationPath)
      .setPayload(Dismiss)
      .addSuccess(ClosedObservation)
      .addError(OpenObservationErrors)
  )
  .add(
    HttpApiEndpoint.post("reopen", "/api/observations/:ref/reopen")
      .annotateContext(serves(observations.reopenObservation))
      .setPath(ObservationPath)
      .setPayload(Reopen)
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound, ObservationOpen))
  )
  .add(
    HttpApiEndpoint.post("complete", "/api/observations/:ref/complete")
      .annotateContext(
        serves(observations.completeObservation, "Closes an open observation as completed. The body is optional.")
      )
      .setPath(ObservationPath)
      .setPayload(Schema.NullOr(Complete))
      .addSuccess(ClosedObservation)
      .addError(OpenObservationErrors)
  )
  .add(
    HttpApiEndpoint.post("acknowledge", "/api/observations/:ref/acknowledge")
      .annotateContext(serves(observations.acknowledgeObservation))
      .setPath(ObservationPath)
      .addSuccess(Observation)
      .addError(OpenObservationErrors)
  )
  .add(
    HttpApiEndpoint.post("fix", "/api/observations/:ref/fix")
      .annotateContext(
        serves(
          observations.fixObservation,
          "Starts a fix of an open finding: an attempt, and a fix job that opens a pull request once every gate has passed. `details.reason` of `observation_not_fixable` is kind, closed, in_flight, open_fix_pr or attempts_exhausted. The body is optional."
        )
      )
      .setPath(ObservationPath)
      .setPayload(Schema.NullOr(FixRequest))
      .addSuccess(FixObservationResponse)
      .addError(FixTargetErrors)
      .addError(JobStartErrors)
  )
  .add(
    HttpApiEndpoint.post("requestFix", "/api/observations/:ref/fix-request")
      .annotateContext(
        serves(
          observations.requestFix,
          "Starts a fix of an open finding with an already queued fix job. Asking again returns the same attempt."
        )
      )
      .setPath(ObservationPath)
      .setPayload(RequestFix)
      .addSuccess(FixObservationResponse)
      .addError(FixTargetErrors)
      .addError(onWire(JobNotFound))
      .addError(WorkflowErrors)
  )
  .add(
    HttpApiEndpoint.post("reviseFix", "/api/observations/:ref/fix-revision")
      .annotateContext(
        serves(
          observations.reviseFix,
          "Requests a revision of an observation's open fix pull request, which is pushed to the same branch. At most five."
        )
      )
      .setPath(ObservationPath)
      .setPayload(ReviseFix)
      .addSuccess(FixObservationResponse)
      .addError(onWire(ObservationNotFound, NoOpenFixPr, RevisionLimitReached, RepositoryNotFound))
      .addError(JobStartErrors)
  )
  .add(
    HttpApiEndpoint.post("publishTicket", "/api/observations/:ref/publish-ticket")
      .annotateContext(
        serves(
          observations.publishTicket,
          "Publishes an observation to the ticket tracker of its repository, or else of the workspace; `ticket_url` is the ticket. An observation has one ticket, however often and by however many this is called. Closing and reopening the observation adds a comment to it."
        )
      )
      .setPath(ObservationPath)
      .addSuccess(Observation)
      .addError(TicketErrors)
  )
  .annotate(OpenApi.Description, "What audits found, and its triage.")
  .middleware(Authorization)
