import { Layer } from "effect"
import { FeaturesRepo } from "../services/access/FeaturesRepo.ts"
import { IdentitiesRepo } from "../services/access/IdentitiesRepo.ts"
import { KeysRepo } from "../services/access/KeysRepo.ts"
import { LiveCallersRepo } from "../services/access/LiveCallersRepo.ts"
import { SessionsRepo } from "../services/access/SessionsRepo.ts"
import { Site } from "../services/access/Site.ts"
import { SpendRepo } from "../services/access/SpendRepo.ts"
import { AuditLogRepo } from "../services/audit_log/AuditLogRepo.ts"
import { ChangeReviewsRepo } from "../services/change_reviews/ChangeReviewsRepo.ts"
import { ChangeScansRepo } from "../services/change_reviews/ChangeScansRepo.ts"
import { TeamContextRepo } from "../services/context/TeamContextRepo.ts"
import { CredentialsRepo } from "../services/credentials/CredentialsRepo.ts"
import { DiscoveriesRepo } from "../services/discovery/DiscoveriesRepo.ts"
import { FixAttempts, FixJobsLive } from "../services/fixes/FixAttempts.ts"
import { FixAttemptsRepo } from "../services/fixes/FixAttemptsRepo.ts"
import { FixRecordsRepo } from "../services/fixes/FixRecordsRepo.ts"
import { ObservationDetailRepo } from "../services/fixes/ObservationDetailRepo.ts"
import { ForecastsRepo } from "../services/forecasts/ForecastsRepo.ts"
import { GitHubDeliveriesRepo } from "../services/github/GitHubDeliveriesRepo.ts"
import { IssueClaimsRepo } from "../services/issues/IssueClaimsRepo.ts"
import { IssueColumnsRepo } from "../services/issues/IssueColumnsRepo.ts"
import { IssueCriteriaRepo } from "../services/issues/IssueCriteriaRepo.ts"
import { IssueEventsRepo } from "../services/issues/IssueEventsRepo.ts"
import { IssueFilingRepo } from "../services/issues/IssueFilingRepo.ts"
import { IssueListRepo } from "../services/issues/IssueListRepo.ts"
import { IssuePullRequestsRepo } from "../services/issues/IssuePullRequestsRepo.ts"
import { IssuePullRequestWatchRepo } from "../services/issues/IssuePullRequestWatchRepo.ts"
import { IssueRelationsRepo } from "../services/issues/IssueRelationsRepo.ts"
import { IssueStatusRepo } from "../services/issues/IssueStatusRepo.ts"
import { IssuesFromFindingsRepo } from "../services/issues/IssuesFromFindingsRepo.ts"
import { IssuesRepo } from "../services/issues/IssuesRepo.ts"
import { IdempotencyRepo } from "../services/jobs/IdempotencyRepo.ts"
import { JobAdmissionRepo } from "../services/jobs/JobAdmissionRepo.ts"
import { JobArtifactsRepo } from "../services/jobs/JobArtifactsRepo.ts"
import { JobClaimsRepo } from "../services/jobs/JobClaimsRepo.ts"
import { JobEventsRepo } from "../services/jobs/JobEventsRepo.ts"
import { JobsRepo } from "../services/jobs/JobsRepo.ts"
import { StagesRepo } from "../services/jobs/StagesRepo.ts"
import { MissionNotices } from "../services/missions/MissionNotices.ts"
import { MissionReadsRepo } from "../services/missions/MissionReadsRepo.ts"
import { MissionStates } from "../services/missions/MissionStates.ts"
import { MissionsRepo } from "../services/missions/MissionsRepo.ts"
import { MissionEnds, MissionJobsLive } from "../services/missions/run/MissionEnds.ts"
import { MissionRunLive } from "../services/missions/run/MissionRuns.ts"
import { MissionRunsRepo } from "../services/missions/run/MissionRunsRepo.ts"
import { NoticesRepo } from "../services/notices/NoticesRepo.ts"
import { NoticeWriter } from "../services/notices/NoticeWriter.ts"
import { BulkTriageRepo } from "../services/observations/BulkTriageRepo.ts"
import { FacetsRepo } from "../services/observations/FacetsRepo.ts"
import { ObservationFiltersRepo } from "../services/observations/ObservationFiltersRepo.ts"
import { ObservationListRepo } from "../services/observations/ObservationListRepo.ts"
import { ObservationStateRepo } from "../services/observations/ObservationStateRepo.ts"
import { ObservationsRepo } from "../services/observations/ObservationsRepo.ts"
import { RecordingRepo } from "../services/observations/RecordingRepo.ts"
import { RevalidationRepo } from "../services/observations/RevalidationRepo.ts"
import { RuleOutcomesRepo } from "../services/observations/RuleOutcomesRepo.ts"
import { MailWriter } from "../services/outbox/MailWriter.ts"
import { OutboxRepo } from "../services/outbox/OutboxRepo.ts"
import { LimitsRepo } from "../services/overview/LimitsRepo.ts"
import { OverviewsRepo } from "../services/overview/OverviewsRepo.ts"
import { ScoresRepo } from "../services/overview/ScoresRepo.ts"
import { TodoRepo } from "../services/overview/TodoRepo.ts"
import { TrendsRepo } from "../services/overview/TrendsRepo.ts"
import { AccountRepo } from "../services/people/AccountRepo.ts"
import { InvitationsRepo } from "../services/people/InvitationsRepo.ts"
import { MembersRepo } from "../services/people/MembersRepo.ts"
import { ProjectsRepo } from "../services/projects/ProjectsRepo.ts"
import { ResetRepo } from "../services/registration/ResetRepo.ts"
import { KnownPathsRepo } from "../services/repositories/KnownPathsRepo.ts"
import { RepositoriesRepo } from "../services/repositories/RepositoriesRepo.ts"
import { RepositoryCommandsRepo } from "../services/repositories/RepositoryCommandsRepo.ts"
import { ReviewsRepo } from "../services/reviews/ReviewsRepo.ts"
import { RuleSettingsRepo } from "../services/settings/RuleSettingsRepo.ts"
import { SettingsRepo } from "../services/settings/SettingsRepo.ts"
import { TicketCommentsRepo } from "../services/tickets/TicketCommentsRepo.ts"
import { TicketsRepo } from "../services/tickets/TicketsRepo.ts"
import { TrackersRepo } from "../services/tickets/TrackersRepo.ts"
import { ViewsRepo } from "../services/views/ViewsRepo.ts"
import { WebhookDeliveriesRepo } from "../services/webhooks/WebhookDeliveriesRepo.ts"
import { WebhooksRepo } from "../services/webhooks/WebhooksRepo.ts"

/** Below the jobs: however one ends, its attempt ends with it. */
export const FixAttemptsLive = FixJobsLive.pipe(
  Layer.provideMerge(FixAttempts.Default),
  Layer.provideMerge(Layer.merge(FixAttemptsRepo.Default, ObservationStateRepo.Default))
)

/** Below the jobs, too: what the end of a mission's job changes, and whom that waits on. */
export const MissionStatesLive = MissionStates.Default.pipe(
  Layer.provideMerge(MissionNotices.Default),
  Layer.provideMerge(Layer.mergeAll(NoticeWriter.Default, MailWriter.Default, Site.Default)),
  Layer.provideMerge(Layer.mergeAll(MissionsRepo.Default, NoticesRepo.Default, OutboxRepo.Default))
)

/** What a job's end means to its mission; and what decisions on missions wake. */
export const MissionJobsBelow = Layer.merge(MissionJobsLive, MissionRunLive).pipe(
  Layer.provideMerge(MissionEnds.Default),
  Layer.provideMerge(MissionRunsRepo.Default),
  Layer.provideMerge(Layer.merge(FixAttemptsLive, MissionStatesLive))
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
  JobClaimsRepo.Default,
  JobAdmissionRepo.Default,
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
  ChangeReviewsRepo.Default,
  ChangeScansRepo.Default,
  FixRecordsRepo.Default,
  ObservationDetailRepo.Default,
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
  WebhooksRepo.Default,
  WebhookDeliveriesRepo.Default,
  ProjectsRepo.Default,
  IssuesRepo.Default,
  MissionReadsRepo.Default,
  IssueEventsRepo.Default,
  IssueClaimsRepo.Default,
  IssueCriteriaRepo.Default,
  IssuePullRequestsRepo.Default,
  IssueFilingRepo.Default,
  IssueListRepo.Default,
  IssueStatusRepo.Default,
  IssuePullRequestWatchRepo.Default,
  IssueRelationsRepo.Default,
  IssuesFromFindingsRepo.Default,
  TeamContextRepo.Default,
  OverviewsRepo.Default,
  LimitsRepo.Default,
  ScoresRepo.Default,
  TodoRepo.Default,
  TrendsRepo.Default,
  SettingsRepo.Default,
  RuleSettingsRepo.Default,
  RuleOutcomesRepo.Default
).pipe(
  Layer.provideMerge(MissionJobsBelow),
  Layer.provideMerge(Layer.mergeAll(JobEventsRepo.Default, ObservationFiltersRepo.Default, IssueColumnsRepo.Default))
)
