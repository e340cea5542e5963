import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { DeliveryId, WebhookId, WorkspaceId } from "../../schema/Ids.ts"
import { Count, type JsonObject } from "../../schema/Text.ts"
import { Delivery, testEventType } from "../../schema/Webhook.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

/** A delivery, and where it stands in the order of its endpoint. */
export const DeliveryRow = Schema.Struct({ ...Delivery.fields, position: Count })
export type DeliveryRow = typeof DeliveryRow.Type

interface DeliveryKey {
  readonly workspace_id: WorkspaceId
  readonly webhook_id: WebhookId
  readonly id: DeliveryId
}

/** `pg_notify` says here that there may be something to send; so does the trigger that writes events. */
export const deliveryChannel = "webhook_deliveries"

const newestFirst = keyset("DESC", { "d.position": "bigint" })

/** Deliveries as people see and repeat them. */
export class WebhookDeliveriesRepo extends Effect.Service<WebhookDeliveriesRepo>()("WebhookDeliveriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const deliveriesOf = ({ workspace_id, webhook_id }: Omit<DeliveryKey, "id">) =>
      sql`SELECT d.id, d.event_id, e.type, d.status, d.attempts AS attempt, d.status_code, d.error, d.duration_ms,
          coalesce(d.attempted_at, d.created_at) AS at, d.next_attempt_at, d.position
        FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
        WHERE d.workspace_id = ${workspace_id} AND d.webhook_id = ${webhook_id}`

    const list = (request: Omit<DeliveryKey, "id"> & { readonly after: Position | null; readonly limit: number }) =>
      rows(
        DeliveryRow,
        sql`${deliveriesOf(request)} AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    const find = (key: DeliveryKey) => firstRow(DeliveryRow, sql`${deliveriesOf(key)} AND d.id = ${key.id}`)

    /** No sender ends it until the transaction does. */
    const lock = (key: DeliveryKey) =>
      firstRow(DeliveryRow, sql`${deliveriesOf(key)} AND d.id = ${key.id} FOR UPDATE OF d`)

    const wake = run(sql`SELECT pg_notify(${deliveryChannel}, '')`)

    /** The test event, and its delivery, which waits for no other one. */
    const insertTest = (
      request: DeliveryKey & { readonly event_id: string; readonly data: JsonObject; readonly at: string }
    ) =>
      Effect.zipRight(
        run(sql`INSERT INTO webhook_events (id, workspace_id, type, at, data)
          VALUES (${request.event_id}, ${request.workspace_id}, ${testEventType}, ${request.at}, ${jsonb(request.data)})`),
        run(sql`INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, created_at, next_attempt_at)
          VALUES (${request.id}, ${request.workspace_id}, ${request.webhook_id}, ${request.event_id}, ${request.at},
            ${request.at})`)
      ).pipe(Effect.zipRight(wake))

    /** Due at once, with those about the same objects that it waits for, where no sender has them. */
    const bringForward = (request: DeliveryKey & { readonly at: string }) =>
      Effect.zipRight(
        run(sql`UPDATE webhook_deliveries d SET next_attempt_at = ${request.at}
          WHERE d.workspace_id = ${request.workspace_id} AND d.webhook_id = ${request.webhook_id}
            AND d.status = 'pending' AND d.next_attempt_at > ${request.at}
            AND (d.held_until IS NULL OR d.held_until <= ${request.at})
            AND (d.id = ${request.id} OR d.id IN (
              SELECT earlier.delivery_id FROM webhook_turns mine
              JOIN webhook_turns earlier ON earlier.webhook_id = mine.webhook_id AND earlier.object = mine.object
                AND earlier.position < mine.position
              WHERE mine.delivery_id = ${request.id}))`),
        wake
      )

    /** The same event once more, at the end of the order. */
    const repeat = (request: DeliveryKey & { readonly copy: DeliveryId; readonly at: string }) =>
      Effect.zipRight(
        run(sql`INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, min_priority, created_at,
            next_attempt_at)
          SELECT ${request.copy}::uuid, workspace_id, webhook_id, event_id, min_priority, ${request.at}::timestamptz,
            ${request.at}::timestamptz
          FROM webhook_deliveries
          WHERE workspace_id = ${request.workspace_id} AND webhook_id = ${request.webhook_id} AND id = ${request.id}`),
        wake
      )

    return { list, find, lock, insertTest, bringForward, repeat }
  })
}) {}
