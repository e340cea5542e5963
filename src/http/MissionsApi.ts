import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { InvalidCursor, SessionRequired } from "../schema/Errors.ts"
import { IssueNotFound } from "../schema/Issue.ts"
import {
  AnswerMission,
  BudgetNotRaised,
  CreateMission,
  GoalEmpty,
  GoalNeedsAgent,
  GoalTooLarge,
  Mission,
  MissionEvent,
  MissionEventsQuery,
  MissionNotFound,
  MissionNumberFromText,
  MissionPath,
  MissionPullRequest,
  MissionSettings,
  MissionStepNotFound,
  MissionStepPath,
  MissionSummary,
  MissionsQuery,
  MissionsWaitingQuery,
  MissionTransitionRejected,
  RaiseMissionBudget,
  ResolvedMission,
  ResolveQuery,
  ResubmitMission,
  SendBackMission,
  SkipMissionStep
} from "../schema/Mission.ts"
import { missions } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { AmbiguousRepository, RepositoryNotFound, repositoryPath } from "../schema/Repository.ts"
import { field, optional } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const MissionsPage = page("MissionsPage", MissionSummary)
const MissionEventsPage = page("MissionEventsPage", MissionEvent)

const MissionOfRepositoryPath = Schema.Struct({
  ...repositoryPath,
  number: field(MissionNumberFromText, "Number of the mission: the N of `MSN-N`.")
})

const PlanErrors = onWire(
  GoalNeedsAgent,
  GoalEmpty,
  GoalTooLarge,
  IssueNotFound,
  RepositoryNotFound,
  AmbiguousRepository
)
/** A decision of a person. */
const DecisionErrors = onWire(SessionRequired, MissionNotFound, MissionTransitionRejected)

/** The version that the client has. */
const Known = Schema.Struct({
  "if-none-match": optional(Schema.String, "ETag of a copy that the caller has: 304 where it is still the newest.")
})

export const MissionsApi = HttpApiGroup.make("missions")
  .add(
    HttpApiEndpoint.get("list", "/api/missions")
      .annotateContext(serves(missions.listMissions))
      .setUrlParams(MissionsQuery)
      .addSuccess(MissionsPage)
      .addError(onWire(InvalidCursor))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.post("create", "/api/missions")
      .annotateContext(serves(missions.createMission))
      .setPayload(CreateMission)
      .addSuccess(Mission, { status: 201 })
      .addError(PlanErrors)
  )
  .add(
    HttpApiEndpoint.get("waiting", "/api/missions/waiting")
      .annotateContext(serves(missions.listMissionsWaitingOnMe))
      .setUrlParams(MissionsWaitingQuery)
      .addSuccess(MissionsPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("settings", "/api/missions/settings")
      .annotateContext(serves(missions.readMissionSettings))
      .addSuccess(MissionSettings)
  )
  .add(
    HttpApiEndpoint.get("resolve", "/api/missions/resolve")
      .annotateContext(serves(missions.resolveMission))
      .setUrlParams(ResolveQuery)
      .addSuccess(ResolvedMission)
      .addError(onWire(MissionNotFound))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("get", "/api/missions/:ref")
      .annotateContext(serves(missions.readMission))
      .setPath(MissionPath)
      .setHeaders(Known)
      .addSuccess(Mission)
      .addError(onWire(MissionNotFound))
  )
  .add(
    HttpApiEndpoint.get("getOfRepository", "/api/repos/:github_org/:github_repo/:github_base_branch/missions/:number")
      .annotateContext(serves(missions.readMissionOfRepository))
      .setPath(MissionOfRepositoryPath)
      .setHeaders(Known)
      .addSuccess(Mission)
      .addError(onWire(MissionNotFound, RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("events", "/api/missions/:ref/events")
      .annotateContext(serves(missions.listMissionEvents))
      .setPath(MissionPath)
      .setUrlParams(MissionEventsQuery)
      .addSuccess(MissionEventsPage)
      .addError(onWire(MissionNotFound, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("pullRequest", "/api/missions/:ref/pull-request")
      .annotateContext(serves(missions.readMissionPullRequest))
      .setPath(MissionPath)
      .addSuccess(MissionPullRequest)
      .addError(onWire(MissionNotFound))
  )
  .add(
    HttpApiEndpoint.post("resubmit", "/api/missions/:ref/resubmit")
      .annotateContext(serves(missions.resubmitMission))
      .setPath(MissionPath)
      .setPayload(ResubmitMission)
      .addSuccess(Mission)
      .addError(onWire(MissionNotFound, MissionTransitionRejected))
      .addError(PlanErrors)
  )
  .add(
    HttpApiEndpoint.post("pause", "/api/missions/:ref/pause")
      .annotateContext(serves(missions.pauseMission))
      .setPath(MissionPath)
      .addSuccess(Mission)
      .addError(onWire(MissionNotFound, MissionTransitionRejected))
  )
  .add(
    HttpApiEndpoint.post("approve", "/api/missions/:ref/approve")
      .annotateContext(serves(missions.approveMission))
      .setPath(MissionPath)
      .addSuccess(Mission)
      .addError(DecisionErrors)
  )
  .add(
    HttpApiEndpoint.post("sendBack", "/api/missions/:ref/send-back")
      .annotateContext(serves(missions.sendBackMission))
      .setPath(MissionPath)
      .setPayload(SendBackMission)
      .addSuccess(Mission)
      .addError(DecisionErrors)
  )
  .add(
    HttpApiEndpoint.post("raiseBudget", "/api/missions/:ref/budget")
      .annotateContext(serves(missions.raiseMissionBudget))
      .setPath(MissionPath)
      .setPayload(RaiseMissionBudget)
      .addSuccess(Mission)
      .addError(DecisionErrors)
      .addError(onWire(BudgetNotRaised))
  )
  .add(
    HttpApiEndpoint.post("skip", "/api/missions/:ref/steps/:step_id/skip")
      .annotateContext(serves(missions.skipMissionStep))
      .setPath(MissionStepPath)
      .setPayload(SkipMissionStep)
      .addSuccess(Mission)
      .addError(DecisionErrors)
      .addError(onWire(MissionStepNotFound))
  )
  .add(
    HttpApiEndpoint.post("retry", "/api/missions/:ref/steps/:step_id/retry")
      .annotateContext(serves(missions.retryMissionStep))
      .setPath(MissionStepPath)
      .addSuccess(Mission)
      .addError(DecisionErrors)
      .addError(onWire(MissionStepNotFound))
  )
  .add(
    HttpApiEndpoint.post("answer", "/api/missions/:ref/answer")
      .annotateContext(serves(missions.answerMission))
      .setPath(MissionPath)
      .setPayload(AnswerMission)
      .addSuccess(Mission)
      .addError(DecisionErrors)
  )
  .add(
    HttpApiEndpoint.post("resume", "/api/missions/:ref/resume")
      .annotateContext(serves(missions.resumeMission))
      .setPath(MissionPath)
      .addSuccess(Mission)
      .addError(DecisionErrors)
  )
  .add(
    HttpApiEndpoint.post("cancel", "/api/missions/:ref/cancel")
      .annotateContext(serves(missions.cancelMission))
      .setPath(MissionPath)
      .addSuccess(Mission)
      .addError(DecisionErrors)
  )
  .annotate(OpenApi.Description, "Missions: goals that are carried through step by step, under a person's eye.")
  .middleware(Authorization)
