import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ObservationId, RepositoryId, TicketId, WorkspaceId } from "../../schema/Ids.ts"
import { CloseReason, DismissalCategory, ObservationStatus } from "../../schema/Observation.ts"
import { Count, Instant, Uuid } from "../../schema/Text.ts"
import { TrackerKind } from "../../schema/Tracker.ts"
import { countRows, firstRow, run } from "../support/rows.ts"

/** A comment that one sender has taken, and its ticket; `attempts` counts this one. */
export const ClaimedComment = Schema.Struct({
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  observation_id: ObservationId,
  id: Uuid,
  ref: Schema.String,
  status: ObservationStatus,
  close_reason: Schema.NullOr(CloseReason),
  dismissal_category: Schema.NullOr(DismissalCategory),
  note: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  at: Instant,
  attempts: Count,
  kind: TrackerKind,
  base_url: Schema.String,
  project: Schema.String,
  ticket_id: TicketId,
  ticket_key: Schema.String,
  ticket_url: Schema.String
})
export type ClaimedComment = typeof ClaimedComment.Type

/** The attempt that a sender works on. */
type Attempt = Pick<ClaimedComment, "workspace_id" | "id" | "attempts">

export class TicketCommentsRepo extends Effect.Service<TicketCommentsRepo>()("TicketCommentsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Takes the comment that has been due longest; those of one ticket are sent one after another. */
    const claimDue = (request: { readonly now: string; readonly until: string }) =>
      firstRow(
        ClaimedComment,
        sql`UPDATE ticket_comments c SET attempts = c.attempts + 1, next_attempt_at = ${request.until}
          FROM tickets t, observations o
          WHERE t.observation_id = c.observation_id AND o.id = c.observation_id AND c.id = (
            SELECT due.id FROM ticket_comments due
            WHERE due.delivery = 'pending' AND due.next_attempt_at <= ${request.now} AND NOT EXISTS (
              SELECT FROM ticket_comments earlier WHERE earlier.observation_id = due.observation_id
                AND earlier.delivery = 'pending' AND (earlier.at, earlier.id) < (due.at, due.id))
            ORDER BY due.next_attempt_at, due.id LIMIT 1 FOR UPDATE SKIP LOCKED
          )
          RETURNING c.workspace_id, c.repository_id, c.observation_id, c.id, 'OBS-' || o.number AS ref, c.status,
            c.close_reason, c.dismissal_category, c.note, c.url, c.at, c.attempts, t.kind, t.base_url, t.project,
            t.id AS ticket_id, t.key AS ticket_key, t.url AS ticket_url`
      )

    const markSent = (comment: Attempt & { readonly at: string }) =>
      run(sql`UPDATE ticket_comments SET delivery = 'sent', sent_at = ${comment.at}, error = NULL
        WHERE workspace_id = ${comment.workspace_id} AND id = ${comment.id} AND attempts = ${comment.attempts}`)

    /** `next` null: no more attempts. */
    const markFailed = (comment: Attempt & { readonly error: string; readonly next: string | null }) =>
      run(sql`UPDATE ticket_comments SET error = ${comment.error},
          delivery = CASE WHEN ${comment.next}::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
          next_attempt_at = coalesce(${comment.next}::timestamptz, next_attempt_at)
        WHERE workspace_id = ${comment.workspace_id} AND id = ${comment.id} AND attempts = ${comment.attempts}`)

    /** Gives up what is older than `before` and due; `error` where none is known. */
    const giveUp = (request: { readonly now: string; readonly before: string; readonly error: string }) =>
      countRows(sql`UPDATE ticket_comments SET delivery = 'failed', error = coalesce(error, ${request.error})
        WHERE delivery = 'pending' AND next_attempt_at <= ${request.now} AND at < ${request.before} RETURNING id`)

    return { claimDue, markSent, markFailed, giveUp }
  })
}) {}
