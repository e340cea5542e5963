import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { WorkspaceId } from "../../schema/Ids.ts"
import { MailStatus, OutboxMail } from "../../schema/Outbox.ts"
import { Uuid } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { countRows, firstRow, rows, run } from "../support/rows.ts"

export interface NewMail {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly sealed_link: Buffer | null
  readonly created_at: string
}

/** A mail that one sender has taken; `attempts` counts this one, and distinguishes it from a later one. */
export const ClaimedMail = Schema.Struct({
  workspace_id: WorkspaceId,
  id: Uuid,
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  sealed_link: Schema.NullOr(Schema.instanceOf(Buffer)),
  attempts: Schema.Number
})
export type ClaimedMail = typeof ClaimedMail.Type

/** The attempt that a sender works on. */
type Attempt = Pick<ClaimedMail, "workspace_id" | "id" | "attempts">

const newestFirst = keyset("DESC", { created_at: "timestamptz", id: "uuid" })

export class OutboxRepo extends Effect.Service<OutboxRepo>()("OutboxRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const insert = (mail: NewMail) =>
      run(sql`
          INSERT INTO outbox_mails (id, workspace_id, "to", subject, text, sealed_link, created_at, next_attempt_at)
          VALUES (${mail.id}, ${mail.workspace_id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.sealed_link},
            ${mail.created_at}, ${mail.created_at})`)

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly status: MailStatus | null
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        OutboxMail,
        sql`
          SELECT id, "to", subject, text, status, attempts, error, created_at,
            CASE WHEN status = 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at
          FROM outbox_mails
          WHERE workspace_id = ${request.workspace_id}
            AND (${request.status}::text IS NULL OR status = ${request.status})
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /** Takes the mail that has been due longest, of several senders for one; the others pass it over until `until`. */
    const claimDue = (request: { readonly now: string; readonly until: string }) =>
      firstRow(
        ClaimedMail,
        sql`
            UPDATE outbox_mails SET attempts = attempts + 1, next_attempt_at = ${request.until}
            WHERE id = (
              SELECT id FROM outbox_mails WHERE status = 'pending' AND next_attempt_at <= ${request.now}
              ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            RETURNING workspace_id, id, "to", subject, text, sealed_link, attempts`
      )

    const markSent = (mail: Attempt & { readonly at: string }) =>
      run(sql`
          UPDATE outbox_mails SET status = 'sent', sent_at = ${mail.at}, error = NULL, sealed_link = NULL
          WHERE workspace_id = ${mail.workspace_id} AND id = ${mail.id} AND attempts = ${mail.attempts} AND status = 'pending'`)

    /** `next` null: no more attempts. */
    const markFailed = (
      mail: Attempt & {
        readonly error: string
        readonly next: string | null
      }
    ) =>
      run(sql`
          UPDATE outbox_mails SET error = ${mail.error},
            status = CASE WHEN ${mail.next}::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
            sealed_link = CASE WHEN ${mail.next}::timestamptz IS NULL THEN NULL ELSE sealed_link END,
            next_attempt_at = coalesce(${mail.next}::timestamptz, next_attempt_at)
          WHERE workspace_id = ${mail.workspace_id} AND id = ${mail.id} AND attempts = ${mail.attempts} AND status = 'pending'`)

    /** Gives up what was written before `before` and is due; `error` where none is known. */
    const giveUp = (request: { readonly now: string; readonly before: string; readonly error: string }) =>
      countRows(sql`UPDATE outbox_mails SET status = 'failed', error = coalesce(error, ${request.error}), sealed_link = NULL
            WHERE status = 'pending' AND next_attempt_at <= ${request.now} AND created_at < ${request.before}
            RETURNING id`)

    return { insert, list, claimDue, markSent, markFailed, giveUp }
  })
}) {}
