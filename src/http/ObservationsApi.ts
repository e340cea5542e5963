import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { FeatureNotEnabled, InsufficientScope, InvalidCursor } from "../schema/Errors.ts"
import {
  FixableObservation,
  FixObservationResponse,
  FixRequest,
  FixTargetsWorkflowFile,
  NoOpenFixPr,
  NoTicketIntegration,
  ObservationNotFixable,
  RequestFix,
  ReviseFix,
  RevisionLimitReached
} from "../schema/Fix.ts"
import { JobNotFound, QueueLimitReached, WorkflowNotEntitled } from "../schema/Job.ts"
import {
  Complete,
  Dismiss,
  Observation,
  ObservationClosed,
  ObservationExplanation,
  ObservationNotFound,
  ObservationOpen,
  ObservationPath,
  ObservationsQuery,
  PendingMigrationsQuery,
  RecentQuery,
  Reopen,
  SearchQuery
} from "../schema/Observation.ts"
import { observations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { AmbiguousRepository, RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { CreditExhausted, JobCostCap, SpendCeilingReached, SpendPaused } from "../schema/Spend.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const ObservationsPage = page("ObservationsPage", Observation)

export const ObservationsApi = HttpApiGroup.make("observations")
  .add(
    HttpApiEndpoint.get("list", "/api/observations")
      .annotateContext(serves(observations.listObservations))
      .setUrlParams(ObservationsQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor))
      .addError(onWire(AmbiguousRepository))
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("search", "/api/observations/search")
      .annotateContext(serves(observations.searchObservations))
      .setUrlParams(SearchQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor))
      .addError(onWire(AmbiguousRepository))
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("pendingMigrations", "/api/observations/pending-migrations")
      .annotateContext(serves(observations.listPendingMigrations))
      .setUrlParams(PendingMigrationsQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor))
      .addError(onWire(AmbiguousRepository))
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("recent", "/api/repos/:github_org/:github_repo/:github_base_branch/recent-findings")
      .annotateContext(serves(observations.listRecentObservations))
      .setPath(RepositoryPath)
      .setUrlParams(RecentQuery)
      .addSuccess(ObservationsPage)
      .addError(onWire(InvalidCursor))
      .addError(onWire(RepositoryNotFound))
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
      .annotateContext(serves(observations.dismissObservation))
      .setPath(ObservationPath)
      .setPayload(Dismiss)
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(ObservationClosed))
  )
  .add(
    HttpApiEndpoint.post("reopen", "/api/observations/:ref/reopen")
      .annotateContext(serves(observations.reopenObservation))
      .setPath(ObservationPath)
      .setPayload(Reopen)
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(ObservationOpen))
  )
  .add(
    HttpApiEndpoint.post("complete", "/api/observations/:ref/complete")
      .annotateContext(serves(observations.completeObservation))
      .setPath(ObservationPath)
      .setPayload(Schema.NullOr(Complete))
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(ObservationClosed))
  )
  .add(
    HttpApiEndpoint.post("acknowledge", "/api/observations/:ref/acknowledge")
      .annotateContext(serves(observations.acknowledgeObservation))
      .setPath(ObservationPath)
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(ObservationClosed))
  )
  .add(
    HttpApiEndpoint.post("fix", "/api/observations/:ref/fix")
      .annotateContext(serves(observations.fixObservation))
      .setPath(ObservationPath)
      .setPayload(Schema.NullOr(FixRequest))
      .addSuccess(FixObservationResponse)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(ObservationNotFixable))
      .addError(onWire(FixTargetsWorkflowFile))
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(WorkflowNotEntitled))
      .addError(onWire(FeatureNotEnabled))
      .addError(onWire(QueueLimitReached))
      .addError(onWire(SpendPaused))
      .addError(onWire(JobCostCap))
      .addError(onWire(CreditExhausted))
      .addError(onWire(SpendCeilingReached))
      .addError(onWire(InsufficientScope))
  )
  .add(
    HttpApiEndpoint.post("requestFix", "/api/observations/:ref/fix-request")
      .annotateContext(serves(observations.requestFix))
      .setPath(ObservationPath)
      .setPayload(RequestFix)
      .addSuccess(FixObservationResponse)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(JobNotFound))
      .addError(onWire(ObservationNotFixable))
      .addError(onWire(FixTargetsWorkflowFile))
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(WorkflowNotEntitled))
      .addError(onWire(FeatureNotEnabled))
      .addError(onWire(InsufficientScope))
  )
  .add(
    HttpApiEndpoint.post("reviseFix", "/api/observations/:ref/fix-revision")
      .annotateContext(serves(observations.reviseFix))
      .setPath(ObservationPath)
      .setPayload(ReviseFix)
      .addSuccess(FixObservationResponse)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(NoOpenFixPr))
      .addError(onWire(RevisionLimitReached))
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(WorkflowNotEntitled))
      .addError(onWire(FeatureNotEnabled))
      .addError(onWire(QueueLimitReached))
      .addError(onWire(SpendPaused))
      .addError(onWire(JobCostCap))
      .addError(onWire(CreditExhausted))
      .addError(onWire(SpendCeilingReached))
      .addError(onWire(InsufficientScope))
  )
  .add(
    HttpApiEndpoint.post("publishTicket", "/api/observations/:ref/publish-ticket")
      .annotateContext(serves(observations.publishTicket))
      .setPath(ObservationPath)
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound))
      .addError(onWire(NoTicketIntegration))
  )
  .middleware(Authorization)
