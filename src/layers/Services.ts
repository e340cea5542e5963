import { Effect, Layer } from "effect"
import { Cursors } from "../services/access/Cursors.ts"
import { Features } from "../services/access/Features.ts"
import { Guard } from "../services/access/Guard.ts"
import { KeyCredentials } from "../services/access/KeyCredentials.ts"
import { Keys } from "../services/access/Keys.ts"
import { OpenStreams } from "../services/access/OpenStreams.ts"
import { PasswordPolicy } from "../services/access/PasswordPolicy.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { SignInLimits } from "../services/access/SignInLimits.ts"
import { Spend } from "../services/access/Spend.ts"
import { AuditLog } from "../services/audit_log/AuditLog.ts"
import { AuditLogReader } from "../services/audit_log/AuditLogReader.ts"
import { ChangeBranches } from "../services/change_reviews/ChangeBranches.ts"
import { ChangeCriteria } from "../services/change_reviews/ChangeCriteria.ts"
import { ChangeReviews } from "../services/change_reviews/ChangeReviews.ts"
import { ChangeScans } from "../services/change_reviews/ChangeScans.ts"
import { LatestHeads } from "../services/change_reviews/LatestHeads.ts"
import { ContextEntries } from "../services/context/ContextEntries.ts"
import { ContextEntryStates } from "../services/context/ContextEntryStates.ts"
import { ContextEntryWriter } from "../services/context/ContextEntryWriter.ts"
import { OrganizationContext } from "../services/context/OrganizationContext.ts"
import { TeamContext } from "../services/context/TeamContext.ts"
import { Credentials } from "../services/credentials/Credentials.ts"
import { Discoveries } from "../services/discovery/Discoveries.ts"
import { Fixes } from "../services/fixes/Fixes.ts"
import { FixPrs } from "../services/fixes/FixPrs.ts"
import { FixPrWatch } from "../services/fixes/FixPrWatch.ts"
import { FixWithdrawals } from "../services/fixes/FixWithdrawals.ts"
import { PullRequestHost } from "../services/fixes/PullRequestHost.ts"
import { Forecasts } from "../services/forecasts/Forecasts.ts"
import { GitHubDeliveries } from "../services/github/GitHubDeliveries.ts"
import { GitHubEvents } from "../services/github/GitHubEvents.ts"
import { IssueClaims } from "../services/issues/IssueClaims.ts"
import { IssueCriteria } from "../services/issues/IssueCriteria.ts"
import { IssueEdits } from "../services/issues/IssueEdits.ts"
import { IssueEvents } from "../services/issues/IssueEvents.ts"
import { IssueFiling } from "../services/issues/IssueFiling.ts"
import { IssueLeases } from "../services/issues/IssueLeases.ts"
import { IssueNames } from "../services/issues/IssueNames.ts"
import { IssuePullRequests } from "../services/issues/IssuePullRequests.ts"
import { IssuePullRequestWatch } from "../services/issues/IssuePullRequestWatch.ts"
import { IssueRelations } from "../services/issues/IssueRelations.ts"
import { IssueStatuses } from "../services/issues/IssueStatuses.ts"
import { Issues } from "../services/issues/Issues.ts"
import { IssuesFromFindings } from "../services/issues/IssuesFromFindings.ts"
import { IssueWriter } from "../services/issues/IssueWriter.ts"
import { JobArtifacts } from "../services/jobs/JobArtifacts.ts"
import { JobEvents } from "../services/jobs/JobEvents.ts"
import { Jobs } from "../services/jobs/Jobs.ts"
import { Submissions } from "../services/jobs/Submissions.ts"
import { MissionDecisions } from "../services/missions/MissionDecisions.ts"
import { MissionPlanner } from "../services/missions/MissionPlanner.ts"
import { MissionReads } from "../services/missions/MissionReads.ts"
import { Missions } from "../services/missions/Missions.ts"
import { MissionRuns } from "../services/missions/run/MissionRuns.ts"
import { Notices } from "../services/notices/Notices.ts"
import { BulkTriage } from "../services/observations/BulkTriage.ts"
import { Facets } from "../services/observations/Facets.ts"
import { ObservationCode } from "../services/observations/ObservationCode.ts"
import { ObservationQueries } from "../services/observations/ObservationQueries.ts"
import { ObservationRecorder } from "../services/observations/ObservationRecorder.ts"
import { Observations } from "../services/observations/Observations.ts"
import { Revalidation } from "../services/observations/Revalidation.ts"
import { Outbox } from "../services/outbox/Outbox.ts"
import { Doctor } from "../services/overview/Doctor.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { RepositoryBriefs } from "../services/overview/RepositoryBriefs.ts"
import { Scores } from "../services/overview/Scores.ts"
import { Todo } from "../services/overview/Todo.ts"
import { Trends } from "../services/overview/Trends.ts"
import { WorkspaceLimits } from "../services/overview/WorkspaceLimits.ts"
import { Account } from "../services/people/Account.ts"
import { Invitations } from "../services/people/Invitations.ts"
import { LinkRequests } from "../services/people/LinkRequests.ts"
import { Members } from "../services/people/Members.ts"
import { ProviderAccounts } from "../services/people/ProviderAccounts.ts"
import { SingleSignOn } from "../services/people/SingleSignOn.ts"
import { Workflows } from "../services/ports/Workflows.ts"
import { Projects } from "../services/projects/Projects.ts"
import { RepositoryLifecycle } from "../services/registration/RepositoryLifecycle.ts"
import { LocalRepositories } from "../services/repositories/LocalRepositories.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { RepositoryCommands } from "../services/repositories/RepositoryCommands.ts"
import { Reviews } from "../services/reviews/Reviews.ts"
import { FixSettings } from "../services/settings/FixSettings.ts"
import { RepositoryTexts } from "../services/settings/RepositoryTexts.ts"
import { RuleSettings } from "../services/settings/RuleSettings.ts"
import { Settings } from "../services/settings/Settings.ts"
import { ServerSecrets } from "../services/support/ServerSecrets.ts"
import { Tickets } from "../services/tickets/Tickets.ts"
import { Trackers } from "../services/tickets/Trackers.ts"
import { Views } from "../services/views/Views.ts"
import { WebhookDeliveries } from "../services/webhooks/WebhookDeliveries.ts"
import { Webhooks } from "../services/webhooks/Webhooks.ts"
import { AgentBriefs } from "../services/workflows/AgentBriefs.ts"
import { AuditWorkflows } from "../services/workflows/Audit.ts"
import { ChangeAgent } from "../services/workflows/ChangeAgent.ts"
import { ChangeReading } from "../services/workflows/ChangeReading.ts"
import { ChangeReviewWorkflow } from "../services/workflows/ChangeReview.ts"
import { ChangeVerdicts } from "../services/workflows/ChangeVerdicts.ts"
import { DiscoverWorkflow } from "../services/workflows/Discover.ts"
import { FixWorkflow } from "../services/workflows/Fix.ts"
import { FixChecks } from "../services/workflows/FixChecks.ts"
import { FixCommands } from "../services/workflows/FixCommands.ts"
import { FixEdits } from "../services/workflows/FixEdits.ts"
import { FixPublication } from "../services/workflows/FixPublication.ts"
import { FixRounds } from "../services/workflows/FixRounds.ts"
import { FixStages } from "../services/workflows/FixStages.ts"
import { FixSubjects } from "../services/workflows/FixSubjects.ts"
import { MissionPullRequestWorkflow } from "../services/workflows/MissionPullRequest.ts"
import { MissionStepWorkflow } from "../services/workflows/MissionStep.ts"
import { RevalidateWorkflow } from "../services/workflows/Revalidate.ts"
import { ReviewWorkflow } from "../services/workflows/Review.ts"
import { Scanning } from "../services/workflows/Scanning.ts"
import { ReposLive } from "./Repos.ts"

// What is plugged into what. Still open: SqlClient, CodeHost, WorkTrees, AgentRunner, SecretKey,
// TicketTrackers, WebhookTransport, Notifications, RateLimiter, AuditSettings.

const people = Layer.mergeAll(
  Account.Default,
  Invitations.Default,
  LinkRequests.Default,
  Members.Default,
  Layer.provide(SingleSignOn.Default, ProviderAccounts.Default)
)

const access = Layer.merge(Guard.Default, people).pipe(
  Layer.provideMerge(Layer.merge(Keys.Default, Sessions.Default)),
  Layer.provide(SignInLimits.Default),
  Layer.provideMerge(PasswordPolicy.Default),
  Layer.provideMerge(KeyCredentials.Default)
)

/** The workflows that edit code, through the same gates. */
const fixWorkflows = Layer.mergeAll(
  FixWorkflow.Default,
  MissionStepWorkflow.Default,
  MissionPullRequestWorkflow.Default
).pipe(
  Layer.provide(Layer.merge(FixPublication.Default, FixStages.Default)),
  Layer.provide(Layer.mergeAll(FixRounds.Default, FixSubjects.Default, FixPrs.Default)),
  Layer.provide(Layer.mergeAll(FixChecks.Default, FixEdits.Default)),
  Layer.provide(Layer.mergeAll(AgentBriefs.Default, FixCommands.Default, FixSettings.Default)),
  Layer.provide(RepositoryCommands.Default),
  Layer.provide(Layer.merge(TeamContext.Default, OrganizationContext.Default)),
  Layer.provide(Projects.Default)
)

const changeReviewWorkflow = ChangeReviewWorkflow.Default.pipe(
  Layer.provide(ChangeVerdicts.Default),
  Layer.provide(Layer.merge(ChangeReading.Default, ChangeAgent.Default)),
  Layer.provide(ChangeScans.Default)
)

const workflows = Layer.effect(
  Workflows,
  Effect.map(
    Effect.all([
      AuditWorkflows,
      ChangeReviewWorkflow,
      DiscoverWorkflow,
      FixWorkflow,
      MissionPullRequestWorkflow,
      MissionStepWorkflow,
      RevalidateWorkflow,
      ReviewWorkflow
    ]),
    ([audits, ...others]) => new Map([...audits.all, ...others].map((workflow) => [workflow.name, workflow]))
  )
).pipe(
  Layer.provide(
    Layer.mergeAll(
      AuditWorkflows.Default,
      DiscoverWorkflow.Default,
      fixWorkflows,
      RevalidateWorkflow.Default,
      ReviewWorkflow.Default,
      changeReviewWorkflow
    )
  ),
  Layer.provide(
    Layer.mergeAll(
      Scanning.Default,
      ObservationRecorder.Default,
      Revalidation.Default,
      Discoveries.Default,
      RepositoryTexts.Default
    )
  )
)

/** Before the workflows: an audit looks at open fix pull requests before it records. */
const fixPrs = FixPrWatch.Default.pipe(Layer.provideMerge(PullRequestHost.Default), Layer.provideMerge(FixPrs.Default))

const teamContext = Layer.merge(ContextEntries.Default, ContextEntryStates.Default).pipe(
  Layer.provideMerge(ContextEntryWriter.Default),
  Layer.provideMerge(TeamContext.Default),
  Layer.provideMerge(Projects.Default)
)

/** Above the projects, whose roles they ask for. */
const issues = Layer.mergeAll(
  Issues.Default,
  IssueEdits.Default,
  IssueStatuses.Default,
  IssueClaims.Default,
  IssueCriteria.Default,
  IssuePullRequests.Default,
  IssuesFromFindings.Default,
  IssuePullRequestWatch.Default,
  IssueLeases.Default
).pipe(
  Layer.provideMerge(Layer.merge(IssueFiling.Default, IssueRelations.Default)),
  Layer.provideMerge(Layer.merge(IssueWriter.Default, IssueNames.Default)),
  Layer.provideMerge(IssueEvents.Default),
  Layer.provideMerge(Projects.Default)
)

/** Above the issues, which their goals name. */
const missions = Layer.merge(Missions.Default, MissionDecisions.Default).pipe(
  Layer.provideMerge(Layer.merge(MissionReads.Default, MissionPlanner.Default)),
  Layer.provide(issues)
)

/** Above the issues, whose acceptance criteria they can take. */
const changeReviews = ChangeReviews.Default.pipe(
  Layer.provide(Layer.merge(ChangeBranches.Default, ChangeCriteria.Default)),
  Layer.provide(LatestHeads.Default),
  Layer.provide(issues)
)

const overviews = Layer.mergeAll(
  RepositoryBriefs.Default.pipe(Layer.provideMerge(Overviews.Default), Layer.provideMerge(Scores.Default)),
  Todo.Default,
  Doctor.Default,
  WorkspaceLimits.Default,
  Trends.Default,
  Settings.Default,
  RepositoryTexts.Default,
  OrganizationContext.Default
).pipe(Layer.provide(Layer.merge(teamContext, missions)))

const repositories = Layer.mergeAll(
  Fixes.Default,
  FixWithdrawals.Default,
  MissionRuns.Default,
  Layer.provideMerge(Tickets.Default, Trackers.Default),
  RepositoryLifecycle.Default,
  LocalRepositories.Default,
  teamContext,
  issues,
  missions,
  overviews,
  Views.Default,
  Credentials.Default,
  Layer.provideMerge(WebhookDeliveries.Default, Webhooks.Default),
  Reviews.Default,
  changeReviews,
  GitHubDeliveries.Default,
  Layer.provide(GitHubEvents.Default, issues)
).pipe(
  Layer.provideMerge(Submissions.Default),
  Layer.provideMerge(
    Layer.mergeAll(
      Jobs.Default,
      Observations.Default,
      BulkTriage.Default,
      Facets.Default,
      ObservationCode.Default,
      Discoveries.Default
    )
  ),
  Layer.provideMerge(ObservationQueries.Default),
  Layer.provideMerge(Forecasts.Default),
  Layer.provideMerge(workflows),
  Layer.provideMerge(fixPrs),
  Layer.provideMerge(Layer.mergeAll(RepositoryCommands.Default, FixSettings.Default, RuleSettings.Default)),
  Layer.provideMerge(Repositories.Default)
)

export const ServicesLive = Layer.mergeAll(
  access,
  repositories,
  JobEvents.Default,
  Layer.provide(JobArtifacts.Default, repositories),
  AuditLogReader.Default,
  Notices.Default
).pipe(
  Layer.provideMerge(Layer.merge(OpenStreams.Default, Outbox.Default)),
  Layer.provideMerge(Layer.mergeAll(AuditLog.Default, Cursors.Default, Spend.Default, Features.Default)),
  Layer.provideMerge(ServerSecrets.Default),
  Layer.provideMerge(ReposLive)
)
