import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { MailStatus, OutboxMail } from "../../schema/Outbox.ts"

export interface NewMail {
  readonly id: string
  readonly workspace_id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly created_at: string
}

/** A mail that one sender has taken; `attempts` counts this one, and tells it from a later one. */
export interface ClaimedMail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attempts: number
}

export class OutboxRepo extends Effect.Service<OutboxRepo>()("OutboxRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const insert = (mail: NewMail) =>
      Effect.orDie(
        Effect.asVoid(sql`
          INSERT INTO outbox_mails (id, workspace_id, "to", subject, text, created_at, next_attempt_at)
          VALUES (${mail.id}, ${mail.workspace_id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.created_at},
            ${mail.created_at})`)
      )

    const list = (request: {
      readonly workspace_id: string
      readonly status: MailStatus | null
      readonly after: readonly [string, string] | null
      readonly limit: number
    }) =>
      Effect.orDie(
        sql<OutboxMail>`
          SELECT id, "to", subject, text, status, attempts, error, created_at,
            CASE WHEN status = 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at
          FROM outbox_mails
          WHERE workspace_id = ${request.workspace_id}
            AND (${request.status}::text IS NULL OR status = ${request.status})
            AND (${request.after?.[0] ?? null}::timestamptz IS NULL
              OR (created_at, id) < (${request.after?.[0] ?? null}, ${request.after?.[1] ?? null}::uuid))
          ORDER BY created_at DESC, id DESC LIMIT ${request.limit + 1}`
      )

    /** Takes the mail that has been due longest, of several senders for one; the others pass it over until `until`. */
    const claimDue = (request: { readonly now: string; readonly until: string }) =>
      Effect.map(
        Effect.orDie(
          sql<ClaimedMail>`
            UPDATE outbox_mails SET attempts = attempts + 1, next_attempt_at = ${request.until}
            WHERE id = (
              SELECT id FROM outbox_mails WHERE status = 'pending' AND next_attempt_at <= ${request.now}
              ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            RETURNING id, "to", subject, text, attempts`
        ),
        (rows) => rows[0] ?? null
      )

    const markSent = (mail: { readonly id: string; readonly attempts: number; readonly at: string }) =>
      Effect.orDie(
        Effect.asVoid(sql`
          UPDATE outbox_mails SET status = 'sent', sent_at = ${mail.at}, error = NULL
          WHERE id = ${mail.id} AND attempts = ${mail.attempts} AND status = 'pending'`)
      )

    /** `next` null: no more attempts. */
    const markFailed = (mail: {
      readonly id: string
      readonly attempts: number
      readonly error: string
      readonly next: string | null
    }) =>
      Effect.orDie(
        Effect.asVoid(sql`
          UPDATE outbox_mails SET error = ${mail.error},
            status = CASE WHEN ${mail.next}::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
            next_attempt_at = coalesce(${mail.next}::timestamptz, next_attempt_at)
          WHERE id = ${mail.id} AND attempts = ${mail.attempts} AND status = 'pending'`)
      )

    /** Gives up what was written before `before` and is due; `error` where none is known. */
    const giveUp = (request: { readonly now: string; readonly before: string; readonly error: string }) =>
      Effect.map(
        Effect.orDie(
          sql`UPDATE outbox_mails SET status = 'failed', error = coalesce(error, ${request.error})
            WHERE status = 'pending' AND next_attempt_at <= ${request.now} AND created_at < ${request.before}
            RETURNING id`
        ),
        (rows) => rows.length
      )

    return { insert, list, claimDue, markSent, markFailed, giveUp }
  })
}) {}
