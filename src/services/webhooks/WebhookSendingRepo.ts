import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { plansOf } from "../../schema/Feature.ts"
import { DeliveryId, WebhookId, WorkspaceId } from "../../schema/Ids.ts"
import { Priority } from "../../schema/Observation.ts"
import { Count, Instant, JsonObject, Uuid } from "../../schema/Text.ts"
import { countRows, rows, run } from "../support/rows.ts"
import { transactional } from "../support/transactional.ts"

/** A delivery that one sender has taken; `attempts` counts this one, and distinguishes it from a later one. */
export const ClaimedDelivery = Schema.Struct({
  id: DeliveryId,
  workspace_id: WorkspaceId,
  webhook_id: WebhookId,
  attempts: Count,
  event_id: Uuid,
  type: Schema.String,
  at: Instant,
  data: JsonObject,
  min_priority: Schema.NullOr(Priority),
  url: Schema.String,
  sealed_secret: Schema.String,
  /** Null, or expired. */
  sealed_previous_secret: Schema.NullOr(Schema.String),
  is_failing: Schema.Boolean
})
export type ClaimedDelivery = typeof ClaimedDelivery.Type

/** What one attempt came to. */
export interface AttemptResult {
  readonly delivery: Pick<ClaimedDelivery, "id" | "workspace_id" | "webhook_id" | "attempts">
  readonly at: string
  readonly status_code: number | null
  readonly duration_ms: number
}

interface ClaimRequest {
  readonly now: string
  readonly until: string
  /** How many deliveries to endpoints that work, and to those that fail, may be taken. */
  readonly working: number
  readonly failing: number
  /** How many an endpoint may have under way, in all processes. */
  readonly perEndpoint: number
}

/** Looked at in one claim, of each endpoint. */
const candidates = 50

/**
 * Deliveries as senders see them. Of each object the first pending delivery is due; the later ones are parked, without a
 * next attempt, until it ends.
 */
export class WebhookSendingRepo extends Effect.Service<WebhookSendingRepo>()("WebhookSendingRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inTransaction = transactional(sql)

    /** Claims and ends of deliveries take turns: else one is parked behind another that ends meanwhile, and never woken. */
    const takeTurn = run(sql`SELECT pg_advisory_xact_lock(hashtextextended('assay/webhooks/send', 0))`)

    const endpoints = sql`webhooks w JOIN workspaces s ON s.id = w.workspace_id AND w.active AND s.suspended_at IS NULL
      AND 'webhooks' = ANY (s.features) AND s.plan = ANY (${[...plansOf("webhooks")]}::text[])`

    const dueOf = (now: string) => sql`SELECT d.id, d.position, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_attempt_at <= ${now}
      ORDER BY d.next_attempt_at, d.position LIMIT ${candidates} FOR UPDATE SKIP LOCKED`

    const waitsFor = sql`EXISTS (SELECT FROM webhook_turns mine
      JOIN webhook_turns earlier ON earlier.webhook_id = mine.webhook_id AND earlier.object = mine.object
        AND earlier.position < mine.position
      WHERE mine.delivery_id = due.id)`

    const parkSome = (now: string) =>
      countRows(sql`UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE id IN (
          SELECT due.id FROM ${endpoints} CROSS JOIN LATERAL (${dueOf(now)}) due WHERE ${waitsFor})
        RETURNING 1`)

    const take = ({ now, until, working, failing, perEndpoint }: ClaimRequest) =>
      rows(
        ClaimedDelivery,
        sql`WITH ready AS (
            SELECT due.*, w.id AS webhook_id, w.failing_since IS NOT NULL AS is_failing,
              row_number() OVER (PARTITION BY w.id ORDER BY due.next_attempt_at, due.position) + busy.n AS nth
            FROM ${endpoints}
            CROSS JOIN LATERAL (SELECT count(*) AS n FROM webhook_deliveries h
              WHERE h.webhook_id = w.id AND h.held_until > ${now}) busy
            CROSS JOIN LATERAL (${dueOf(now)}) due
            WHERE NOT ${waitsFor}
          ), allowed AS (
            SELECT id, is_failing, row_number() OVER (PARTITION BY is_failing ORDER BY nth, next_attempt_at, position) AS turn
            FROM ready WHERE nth <= CASE WHEN is_failing THEN 1 ELSE ${perEndpoint}::int END
          ), chosen AS (
            SELECT id, is_failing FROM allowed
            WHERE turn <= CASE WHEN is_failing THEN ${failing}::int ELSE ${working}::int END
          )
          UPDATE webhook_deliveries d SET attempts = d.attempts + 1, attempted_at = ${now}, held_until = ${until},
            next_attempt_at = ${until}
          FROM chosen c, webhook_events e, webhooks w
          WHERE d.id = c.id AND e.id = d.event_id AND w.id = d.webhook_id
          RETURNING d.id, d.workspace_id, d.webhook_id, d.attempts, d.event_id, e.type, e.at, e.data, d.min_priority,
            w.url, w.sealed_secret, c.is_failing,
            CASE WHEN w.previous_secret_expires_at > ${now} THEN w.sealed_previous_secret END AS sealed_previous_secret`
      )

    /** Takes what is due, within all limits; an endpoint that fails is called once at a time. */
    const claimDue = (request: ClaimRequest) =>
      takeTurn.pipe(
        Effect.zipRight(Effect.repeat(parkSome(request.now), { while: (parked) => parked > 0 })),
        Effect.zipRight(take(request)),
        inTransaction
      )

    const isAttempt = ({ id, workspace_id, attempts }: AttemptResult["delivery"]) =>
      sql`workspace_id = ${workspace_id} AND id = ${id} AND attempts = ${attempts} AND status = 'pending'`

    const result = ({ status_code, duration_ms }: AttemptResult) =>
      sql`status_code = ${status_code}::int, duration_ms = ${duration_ms}, held_until = NULL`

    /** Of each object it was about, the next delivery is due. */
    const wakeNext = ({ delivery: { id, workspace_id }, at }: AttemptResult) =>
      run(sql`WITH ended AS (
          DELETE FROM webhook_turns WHERE workspace_id = ${workspace_id} AND delivery_id = ${id}
          RETURNING webhook_id, object
        ), next AS (
          SELECT DISTINCT ON (t.webhook_id, t.object) t.delivery_id FROM ended e
          JOIN webhook_turns t ON t.webhook_id = e.webhook_id AND t.object = e.object AND t.delivery_id <> ${id}
          ORDER BY t.webhook_id, t.object, t.position
        )
        UPDATE webhook_deliveries d SET next_attempt_at = ${at} FROM next n
        WHERE d.id = n.delivery_id AND d.status = 'pending' AND d.next_attempt_at IS NULL`)

    const noteFailure = ({ delivery: { workspace_id, webhook_id }, at }: AttemptResult) =>
      run(sql`UPDATE webhooks SET failing_since = ${at}
        WHERE workspace_id = ${workspace_id} AND id = ${webhook_id} AND failing_since IS NULL`)

    const noteSuccess = ({ delivery: { workspace_id, webhook_id } }: AttemptResult) =>
      run(sql`UPDATE webhooks SET failing_since = NULL
        WHERE workspace_id = ${workspace_id} AND id = ${webhook_id} AND failing_since IS NOT NULL`)

    const ended = (attempt: AttemptResult, status: "delivered" | "failed", error: string | null) =>
      countRows(sql`UPDATE webhook_deliveries SET status = ${status}, error = ${error}, next_attempt_at = NULL,
          ${result(attempt)} WHERE ${isAttempt(attempt.delivery)} RETURNING 1`)

    /** Before its deliveries, as a deletion locks them. */
    const lockEndpoint = ({ workspace_id, webhook_id }: AttemptResult["delivery"]) =>
      run(sql`SELECT 1 FROM webhooks WHERE workspace_id = ${workspace_id} AND id = ${webhook_id} FOR NO KEY UPDATE`)

    /** `consequence` happens only where the attempt is still this sender's. */
    const whereHeld = ({ delivery }: AttemptResult, held: Effect.Effect<number>, consequence: Effect.Effect<unknown>) =>
      takeTurn.pipe(
        Effect.zipRight(lockEndpoint(delivery)),
        Effect.zipRight(held),
        Effect.tap((changed) => (changed === 0 ? Effect.void : consequence)),
        Effect.map((changed) => changed > 0),
        inTransaction
      )

    const markDelivered = (attempt: AttemptResult) =>
      whereHeld(attempt, ended(attempt, "delivered", null), Effect.zipRight(wakeNext(attempt), noteSuccess(attempt)))

    /** `next` null: no attempt is left. */
    const markFailed = (attempt: AttemptResult & { readonly error: string; readonly next: string | null }) =>
      attempt.next === null
        ? whereHeld(
            attempt,
            ended(attempt, "failed", attempt.error),
            Effect.zipRight(wakeNext(attempt), noteFailure(attempt))
          )
        : whereHeld(
            attempt,
            countRows(sql`UPDATE webhook_deliveries SET error = ${attempt.error}, next_attempt_at = ${attempt.next},
                ${result(attempt)} WHERE ${isAttempt(attempt.delivery)} RETURNING 1`),
            noteFailure(attempt)
          )

    /** Whether the endpoint was active until now. */
    const disable = ({ workspace_id, webhook_id }: AttemptResult["delivery"], reason: string, at: string) =>
      Effect.map(
        countRows(sql`UPDATE webhooks SET active = false, disabled_reason = ${reason}, updated_at = ${at}
          WHERE workspace_id = ${workspace_id} AND id = ${webhook_id} AND active RETURNING 1`),
        (changed) => changed > 0
      )

    /** An attempt that was stopped before its result was known: another sender makes it at once. */
    const release = ({ delivery, at }: Pick<AttemptResult, "delivery" | "at">) =>
      run(sql`UPDATE webhook_deliveries SET held_until = NULL, next_attempt_at = ${at}
        WHERE ${isAttempt(delivery)} AND held_until IS NOT NULL`)

    /** Forgets events with all their deliveries, and wakes what nothing is before any more. */
    const forget = (request: { readonly before: string; readonly at: string }) =>
      takeTurn.pipe(
        Effect.zipRight(run(sql`DELETE FROM webhook_events WHERE at < ${request.before}`)),
        Effect.zipRight(
          run(sql`UPDATE webhook_deliveries due SET next_attempt_at = ${request.at}
            WHERE due.status = 'pending' AND due.next_attempt_at IS NULL AND NOT ${waitsFor}`)
        ),
        inTransaction
      )

    return { claimDue, markDelivered, markFailed, disable, release, forget }
  })
}) {}
