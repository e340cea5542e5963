import { Schema } from "effect"
import {
  AddressNotAllowed,
  BadRequest,
  CsrfRejected,
  DatabaseUnavailable,
  ExpiredApiKey,
  FeatureNotEnabled,
  InsufficientScope,
  InternalError,
  InvalidApiKey,
  InvalidCursor,
  InvalidPayload,
  InvalidSession,
  KeyRequired,
  LoneSurrogate,
  MethodNotAllowed,
  MissingApiKey,
  NulByte,
  PayloadTooLarge,
  PlanRestricted,
  RateLimited,
  RevokedApiKey,
  ServerBusy,
  SessionRequired,
  UnknownHost,
  UnsupportedMediaType,
  WorkspaceSuspended
} from "../schema/Errors.ts"
import { FixTargetsWorkflowFile, ObservationNotFixable } from "../schema/Fix.ts"
import { ClaimLost, IssueNotFound } from "../schema/Issue.ts"
import { QueueLimitReached, WorkflowNotEntitled } from "../schema/Job.ts"
import { ObservationClosed, ObservationNotFound } from "../schema/Observation.ts"
import { ProjectAccessRequired, ProjectNotFound } from "../schema/Project.ts"
import {
  AmbiguousRepository,
  RepositoryNoLongerPublic,
  RepositoryNotFound,
  RepositoryUnusable,
  RepositoryUnverified
} from "../schema/Repository.ts"
import { CreditExhausted, JobCostCap, SpendCeilingReached, SpendPaused } from "../schema/Spend.ts"
import {
  BlankField,
  ContextEntryNotFound,
  FieldTooLarge,
  KeyNotAddressable,
  KeyPadded,
  KeyReserved,
  KeyTooLong,
  LabelsInvalid,
  MalformedEtag,
  PreconditionRequired,
  ScopeInvalid,
  SecretDetected,
  TagsInvalid,
  VersionConflict
} from "../schema/TeamContext.ts"
import {
  NoTicketIntegration,
  TicketRejected,
  TrackerAddressRejected,
  TrackerCredentialsRejected,
  TrackerProjectNotFound,
  TrackerUnavailable
} from "../schema/Tracker.ts"
import { onWire } from "./wire.ts"

// One constant for the errors of one cause: endpoints name causes, not lists of classes.

/** The request is malformed, whatever it asks for. */
export const RequestErrors = onWire(
  InvalidPayload,
  NulByte,
  LoneSurrogate,
  BadRequest,
  MethodNotAllowed,
  PayloadTooLarge
)

export const ServerErrors = onWire(InternalError, DatabaseUnavailable, ServerBusy)

/** The guard does not admit the request to its operation. */
export const AdmissionErrors = onWire(
  MissingApiKey,
  InvalidApiKey,
  ExpiredApiKey,
  RevokedApiKey,
  AddressNotAllowed,
  WorkspaceSuspended,
  InvalidSession,
  KeyRequired,
  SessionRequired,
  InsufficientScope,
  UnknownHost,
  CsrfRejected,
  PlanRestricted,
  FeatureNotEnabled,
  RateLimited,
  SpendCeilingReached,
  UnsupportedMediaType
)

/** A workflow that the caller or the workspace may not run. */
export const WorkflowErrors = onWire(WorkflowNotEntitled, PlanRestricted, FeatureNotEnabled, InsufficientScope)

/** Money or a limit speaks against a new job. */
export const SpendErrors = onWire(QueueLimitReached, SpendPaused, JobCostCap, CreditExhausted, SpendCeilingReached)

/** Any of the reasons not to start a job. */
export const JobStartErrors = Schema.Union(WorkflowErrors, SpendErrors)

/** The path names no registered repository. */
export const RepositoryErrors = onWire(RepositoryNotFound)

/** A page of something that belongs to the repository in the path. */
export const RepositoryPageErrors = onWire(RepositoryNotFound, InvalidCursor)

/** The slug in a query names no repository, or several. */
export const RepositoryFilterErrors = onWire(RepositoryNotFound, AmbiguousRepository)

/** The remote cannot be used as it is. */
export const RemoteErrors = onWire(RepositoryUnusable, RepositoryNoLongerPublic, RepositoryUnverified)

/** A change that needs an open observation. */
export const OpenObservationErrors = onWire(ObservationNotFound, ObservationClosed)

/** An observation that cannot be fixed now. */
export const FixTargetErrors = onWire(
  ObservationNotFound,
  ObservationNotFixable,
  FixTargetsWorkflowFile,
  RepositoryNotFound
)

/** An observation that cannot be published, or a tracker that does not take it. */
export const TicketErrors = onWire(
  ObservationNotFound,
  ObservationClosed,
  NoTicketIntegration,
  TrackerAddressRejected,
  TrackerCredentialsRejected,
  TrackerProjectNotFound,
  TicketRejected,
  TrackerUnavailable
)

/** A change of an area, a space or a project. */
export const ProjectChangeErrors = onWire(ProjectNotFound, ProjectAccessRequired)

/** A change of an issue; a fence that it carries may be stale. */
export const IssueChangeErrors = onWire(IssueNotFound, ProjectAccessRequired, ClaimLost)

export const ContextKeyErrors = onWire(KeyTooLong, KeyReserved, KeyNotAddressable, KeyPadded)

export const ContextFieldErrors = onWire(
  FieldTooLarge,
  SecretDetected,
  ScopeInvalid,
  TagsInvalid,
  LabelsInvalid,
  BlankField
)

/** A write to the context of a level that the caller may not change. */
export const ContextAccessErrors = onWire(ProjectNotFound, ProjectAccessRequired, InsufficientScope)

/** The ETag is missing, malformed or not the current one. */
export const ContextVersionErrors = onWire(ContextEntryNotFound, VersionConflict, MalformedEtag, PreconditionRequired)
