import { Schema } from "effect"
import { Uuid } from "./Text.ts"

// An id of one kind is not accepted where another is expected.

export const WorkspaceId = Uuid.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type
export const UserId = Uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type
export const CredentialId = Uuid.pipe(Schema.brand("CredentialId"))
export type CredentialId = typeof CredentialId.Type
export const KeyId = Uuid.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type
export const RepositoryId = Uuid.pipe(Schema.brand("RepositoryId"))
export type RepositoryId = typeof RepositoryId.Type
export const ProjectId = Uuid.pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type
export const JobId = Uuid.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type
export const ObservationId = Uuid.pipe(Schema.brand("ObservationId"))
export type ObservationId = typeof ObservationId.Type
export const AttemptId = Uuid.pipe(Schema.brand("AttemptId"))
export type AttemptId = typeof AttemptId.Type
export const ArtifactId = Uuid.pipe(Schema.brand("ArtifactId"))
export type ArtifactId = typeof ArtifactId.Type
export const EntryId = Uuid.pipe(Schema.brand("EntryId"))
export type EntryId = typeof EntryId.Type
export const InvitationId = Uuid.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type
export const SessionId = Uuid.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type
export const ViewId = Uuid.pipe(Schema.brand("ViewId"))
export type ViewId = typeof ViewId.Type
export const NoticeId = Uuid.pipe(Schema.brand("NoticeId"))
export type NoticeId = typeof NoticeId.Type
export const TrackerId = Uuid.pipe(Schema.brand("TrackerId"))
export type TrackerId = typeof TrackerId.Type
export const TicketId = Uuid.pipe(Schema.brand("TicketId"))
export type TicketId = typeof TicketId.Type
export const ChangeReviewId = Uuid.pipe(Schema.brand("ChangeReviewId"))
export type ChangeReviewId = typeof ChangeReviewId.Type
export const IssueId = Uuid.pipe(Schema.brand("IssueId"))
export type IssueId = typeof IssueId.Type
export const CriterionId = Uuid.pipe(Schema.brand("CriterionId"))
export type CriterionId = typeof CriterionId.Type
export const MissionId = Uuid.pipe(Schema.brand("MissionId"))
export type MissionId = typeof MissionId.Type
export const MissionStepId = Uuid.pipe(Schema.brand("MissionStepId"))
export type MissionStepId = typeof MissionStepId.Type
export const IssueCriterionId = Uuid.pipe(Schema.brand("IssueCriterionId"))
export type IssueCriterionId = typeof IssueCriterionId.Type
export const WebhookId = Uuid.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type
export const DeliveryId = Uuid.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type
