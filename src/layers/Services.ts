import { Effect, Layer } from "effect"
import { Cursors } from "../services/access/Cursors.ts"
import { Features } from "../services/access/Features.ts"
import { FeaturesRepo } from "../services/access/FeaturesRepo.ts"
import { Guard } from "../services/access/Guard.ts"
import { IdentitiesRepo } from "../services/access/IdentitiesRepo.ts"
import { KeyCredentials } from "../services/access/KeyCredentials.ts"
import { Keys } from "../services/access/Keys.ts"
import { KeysRepo } from "../services/access/KeysRepo.ts"
import { LiveCallersRepo } from "../services/access/LiveCallersRepo.ts"
import { OpenStreams } from "../services/access/OpenStreams.ts"
import { PasswordPolicy } from "../services/access/PasswordPolicy.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { SessionsRepo } from "../services/access/SessionsRepo.ts"
import { SignInLimits } from "../services/access/SignInLimits.ts"
import { Site } from "../services/access/Site.ts"
import { Spend } from "../services/access/Spend.ts"
import { SpendRepo } from "../services/access/SpendRepo.ts"
import { AuditLog } from "../services/audit_log/AuditLog.ts"
import { AuditLogReader } from "../services/audit_log/AuditLogReader.ts"
import { AuditLogRepo } from "../services/audit_log/AuditLogRepo.ts"
import { ContextEntries } from "../services/context/ContextEntries.ts"
import { ContextEntryStates } from "../services/context/ContextEntryStates.ts"
import { ContextEntryWriter } from "../services/context/ContextEntryWriter.ts"
import { OrganizationContext } from "../services/context/OrganizationContext.ts"
import { TeamContext } from "../services/context/TeamContext.ts"
import { TeamContextRepo } from "../services/context/TeamContextRepo.ts"
import { Credentials } from "../services/credentials/Credentials.ts"
import { CredentialsRepo } from "../services/credentials/CredentialsRepo.ts"
import { Discoveries } from "../services/discovery/Discoveries.ts"
import { DiscoveriesRepo } from "../services/discovery/DiscoveriesRepo.ts"
import { FixAttempts, FixJobsLive } from "../services/fixes/FixAttempts.ts"
import { FixAttemptsRepo } from "../services/fixes/FixAttemptsRepo.ts"
import { Fixes } from "../services/fixes/Fixes.ts"
import { FixPrs } from "../services/fixes/FixPrs.ts"
import { FixPrWatch } from "../services/fixes/FixPrWatch.ts"
import { FixRecordsRepo } from "../services/fixes/FixRecordsRepo.ts"
import { FixWithdrawals } from "../services/fixes/FixWithdrawals.ts"
import { PullRequestHost } from "../services/fixes/PullRequestHost.ts"
import { Forecasts } from "../services/forecasts/Forecasts.ts"
import { ForecastsRepo } from "../services/forecasts/ForecastsRepo.ts"
import { GitHubDeliveries } from "../services/github/GitHubDeliveries.ts"
import { GitHubDeliveriesRepo } from "../services/github/GitHubDeliveriesRepo.ts"
import { GitHubEvents } from "../services/github/GitHubEvents.ts"
import { IdempotencyRepo } from "../services/jobs/IdempotencyRepo.ts"
import { JobArtifacts } from "../services/jobs/JobArtifacts.ts"
import { JobArtifactsRepo } from "../services/jobs/JobArtifactsRepo.ts"
import { JobEvents } from "../services/jobs/JobEvents.ts"
import { JobEventsRepo } from "../services/jobs/JobEventsRepo.ts"
import { Jobs } from "../services/jobs/Jobs.ts"
import { JobsRepo } from "../services/jobs/JobsRepo.ts"
import { StagesRepo } from "../services/jobs/StagesRepo.ts"
import { Submissions } from "../services/jobs/Submissions.ts"
import { Notices } from "../services/notices/Notices.ts"
import { NoticesRepo } from "../services/notices/NoticesRepo.ts"
import { NoticeWriter } from "../services/notices/NoticeWriter.ts"
import { BulkTriage } from "../services/observations/BulkTriage.ts"
import { BulkTriageRepo } from "../services/observations/BulkTriageRepo.ts"
import { Facets } from "../services/observations/Facets.ts"
import { FacetsRepo } from "../services/observations/FacetsRepo.ts"
import { ObservationCode } from "../services/observations/ObservationCode.ts"
import { ObservationFiltersRepo } from "../services/observations/ObservationFiltersRepo.ts"
import { ObservationListRepo } from "../services/observations/ObservationListRepo.ts"
import { ObservationQueries } from "../services/observations/ObservationQueries.ts"
import { ObservationRecorder } from "../services/observations/ObservationRecorder.ts"
import { ObservationStateRepo } from "../services/observations/ObservationStateRepo.ts"
import { Observations } from "../services/observations/Observations.ts"
import { ObservationsRepo } from "../services/observations/ObservationsRepo.ts"
import { RecordingRepo } from "../services/observations/RecordingRepo.ts"
import { Revalidation } from "../services/observations/Revalidation.ts"
import { RevalidationRepo } from "../services/observations/RevalidationRepo.ts"
import { RuleOutcomesRepo } from "../services/observations/RuleOutcomesRepo.ts"
import { Outbox } from "../services/outbox/Outbox.ts"
import { OutboxRepo } from "../services/outbox/OutboxRepo.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { OverviewsRepo } from "../services/overview/OverviewsRepo.ts"
import { RepositoryBriefs } from "../services/overview/RepositoryBriefs.ts"
import { Todo } from "../services/overview/Todo.ts"
import { TodoRepo } from "../services/overview/TodoRepo.ts"
import { Trends } from "../services/overview/Trends.ts"
import { TrendsRepo } from "../services/overview/TrendsRepo.ts"
import { Account } from "../services/people/Account.ts"
import { AccountRepo } from "../services/people/AccountRepo.ts"
import { Invitations } from "../services/people/Invitations.ts"
import { InvitationsRepo } from "../services/people/InvitationsRepo.ts"
import { LinkRequests } from "../services/people/LinkRequests.ts"
import { Members } from "../services/people/Members.ts"
import { MembersRepo } from "../services/people/MembersRepo.ts"
import { ProviderAccounts } from "../services/people/ProviderAccounts.ts"
import { SingleSignOn } from "../services/people/SingleSignOn.ts"
import { Workflows } from "../services/ports/Workflows.ts"
import { Projects } from "../services/projects/Projects.ts"
import { ProjectsRepo } from "../services/projects/ProjectsRepo.ts"
import { RepositoryLifecycle } from "../services/registration/RepositoryLifecycle.ts"
import { ResetRepo } from "../services/registration/ResetRepo.ts"
import { KnownPathsRepo } from "../services/repositories/KnownPathsRepo.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { RepositoriesRepo } from "../services/repositories/RepositoriesRepo.ts"
import { RepositoryCommands } from "../services/repositories/RepositoryCommands.ts"
import { RepositoryCommandsRepo } from "../services/repositories/RepositoryCommandsRepo.ts"
import { Reviews } from "../services/reviews/Reviews.ts"
import { ReviewsRepo } from "../services/reviews/ReviewsRepo.ts"
import { FixSettings } from "../services/settings/FixSettings.ts"
import { RepositoryTexts } from "../services/settings/RepositoryTexts.ts"
import { RuleSettings } from "../services/settings/RuleSettings.ts"
import { RuleSettingsRepo } from "../services/settings/RuleSettingsRepo.ts"
import { Settings } from "../services/settings/Settings.ts"
import { SettingsRepo } from "../services/settings/SettingsRepo.ts"
import { ServerSecrets } from "../services/support/ServerSecrets.ts"
import { TicketCommentsRepo } from "../services/tickets/TicketCommentsRepo.ts"
import { Tickets } from "../services/tickets/Tickets.ts"
import { TicketsRepo } from "../services/tickets/TicketsRepo.ts"
import { Trackers } from "../services/tickets/Trackers.ts"
import { TrackersRepo } from "../services/tickets/TrackersRepo.ts"
import { Views } from "../services/views/Views.ts"
import { ViewsRepo } from "../services/views/ViewsRepo.ts"
import { AgentBriefs } from "../services/workflows/AgentBriefs.ts"
import { AuditWorkflows } from "../services/workflows/Audit.ts"
import { DiscoverWorkflow } from "../services/workflows/Discover.ts"
import { FixWorkflow } from "../services/workflows/Fix.ts"
import { FixChecks } from "../services/workflows/FixChecks.ts"
import { FixCommands } from "../services/workflows/FixCommands.ts"
import { FixEdits } from "../services/workflows/FixEdits.ts"
import { FixPublication } from "../services/workflows/FixPublication.ts"
import { FixRounds } from "../services/workflows/FixRounds.ts"
import { FixSubjects } from "../services/workflows/FixSubjects.ts"
import { RevalidateWorkflow } from "../services/workflows/Revalidate.ts"
import { ReviewWorkflow } from "../services/workflows/Review.ts"
import { Scanning } from "../services/workflows/Scanning.ts"

// What is plugged into what. Still open: SqlClient, CodeHost, WorkTrees, AgentRunner, SecretKey,
// TicketTrackers, Notifications, RateLimiter, AuditSettings.

/** Below the jobs: however one ends, its attempt ends with it. */
export const FixAttemptsLive = FixJobsLive.pipe(
  Layer.provideMerge(FixAttempts.Default),
  Layer.provideMerge(Layer.merge(FixAttemptsRepo.Default, ObservationStateRepo.Default))
)

export const ReposLive = Layer.mergeAll(
  GitHubDeliveriesRepo.Default,
  AuditLogRepo.Default,
  KeysRepo.Default,
  LiveCallersRepo.Default,
  FeaturesRepo.Default,
  SessionsRepo.Default,
  AccountRepo.Default,
  InvitationsRepo.Default,
  MembersRepo.Default,
  RepositoriesRepo.Default,
  RepositoryCommandsRepo.Default,
  KnownPathsRepo.Default,
  JobsRepo.Default,
  StagesRepo.Default,
  JobArtifactsRepo.Default,
  IdempotencyRepo.Default,
  ObservationsRepo.Default,
  ObservationListRepo.Default,
  BulkTriageRepo.Default,
  FacetsRepo.Default,
  RecordingRepo.Default,
  RevalidationRepo.Default,
  ReviewsRepo.Default,
  FixRecordsRepo.Default,
  ResetRepo.Default,
  DiscoveriesRepo.Default,
  ForecastsRepo.Default,
  SpendRepo.Default,
  IdentitiesRepo.Default,
  OutboxRepo.Default,
  NoticesRepo.Default,
  ViewsRepo.Default,
  CredentialsRepo.Default,
  TrackersRepo.Default,
  TicketsRepo.Default,
  TicketCommentsRepo.Default,
  ProjectsRepo.Default,
  TeamContextRepo.Default,
  OverviewsRepo.Default,
  TodoRepo.Default,
  TrendsRepo.Default,
  SettingsRepo.Default,
  RuleSettingsRepo.Default,
  RuleOutcomesRepo.Default
).pipe(
  Layer.provideMerge(FixAttemptsLive),
  Layer.provideMerge(Layer.merge(JobEventsRepo.Default, ObservationFiltersRepo.Default))
)

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

const fixWorkflow = FixWorkflow.Default.pipe(
  Layer.provide(Layer.mergeAll(FixPublication.Default, FixRounds.Default, FixSubjects.Default, FixPrs.Default)),
  Layer.provide(Layer.mergeAll(FixChecks.Default, FixEdits.Default)),
  Layer.provide(Layer.mergeAll(AgentBriefs.Default, FixCommands.Default, FixSettings.Default)),
  Layer.provide(RepositoryCommands.Default),
  Layer.provide(Layer.merge(TeamContext.Default, OrganizationContext.Default)),
  Layer.provide(Projects.Default)
)

const workflows = Layer.effect(
  Workflows,
  Effect.map(
    Effect.all([AuditWorkflows, DiscoverWorkflow, FixWorkflow, RevalidateWorkflow, ReviewWorkflow]),
    ([audits, ...others]) => new Map([...audits.all, ...others].map((workflow) => [workflow.name, workflow]))
  )
).pipe(
  Layer.provide(
    Layer.mergeAll(
      AuditWorkflows.Default,
      DiscoverWorkflow.Default,
      fixWorkflow,
      RevalidateWorkflow.Default,
      ReviewWorkflow.Default
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

const overviews = Layer.mergeAll(
  RepositoryBriefs.Default.pipe(Layer.provideMerge(Overviews.Default)),
  Todo.Default,
  Trends.Default,
  Settings.Default,
  RepositoryTexts.Default,
  OrganizationContext.Default
).pipe(Layer.provide(teamContext))

const repositories = Layer.mergeAll(
  Fixes.Default,
  FixWithdrawals.Default,
  Layer.provideMerge(Tickets.Default, Trackers.Default),
  RepositoryLifecycle.Default,
  teamContext,
  overviews,
  Views.Default,
  Credentials.Default,
  Reviews.Default,
  GitHubDeliveries.Default,
  GitHubEvents.Default
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
  Layer.provideMerge(Layer.mergeAll(OpenStreams.Default, Outbox.Default, Site.Default)),
  Layer.provideMerge(
    Layer.mergeAll(AuditLog.Default, Cursors.Default, Spend.Default, Features.Default, NoticeWriter.Default)
  ),
  Layer.provideMerge(ServerSecrets.Default),
  Layer.provideMerge(ReposLive)
)
