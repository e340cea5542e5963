import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { DeliveryId, type WebhookId } from "../../schema/Ids.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { Uuid } from "../../schema/Text.ts"
import { type Delivery, DeliveryNotFound } from "../../schema/Webhook.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type DeliveryRow, WebhookDeliveriesRepo } from "./WebhookDeliveriesRepo.ts"
import { Webhooks } from "./Webhooks.ts"

/** What was sent to an endpoint, and what is to be sent. */
export class WebhookDeliveries extends Effect.Service<WebhookDeliveries>()("WebhookDeliveries", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookDeliveriesRepo
    const webhooks = yield* Webhooks
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const list = Effect.fn("WebhookDeliveries.list")(function* (
      webhook_id: WebhookId,
      { limit = defaultPageSize, cursor }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("webhook_deliveries", { webhook_id }, cursor)
      yield* webhooks.get(webhook_id)
      const rows = yield* repo.list({ workspace_id, webhook_id, after, limit })
      const page = yield* cursors.page("webhook_deliveries", { webhook_id }, limit, rows, ({ position }) => [position])
      return { ...page, data: page.data.map(recordOf) }
    })

    const deliveryOf = Effect.fnUntraced(function* (webhook_id: WebhookId, id: DeliveryId) {
      const { workspace_id } = yield* Caller
      return Option.map(yield* repo.find({ workspace_id, webhook_id, id }), recordOf).pipe(Option.getOrThrow)
    })

    /** A test event to this endpoint, whatever it subscribes to. */
    const test = Effect.fn("WebhookDeliveries.test")(function* (webhook_id: WebhookId) {
      const { workspace_id } = yield* Caller
      yield* webhooks.lockActive(webhook_id)
      const [id, event_id] = [yield* newId(DeliveryId), yield* newId(Uuid)]
      const data = { workspace_id, webhook_id }
      yield* repo.insertTest({ workspace_id, webhook_id, id, event_id, data, at: yield* now })
      yield* auditLog.record({ object: { kind: "webhook", ref: webhook_id }, before: null, after: { event_id } })
      return yield* deliveryOf(webhook_id, id)
    }, inTransaction)

    /** One that is pending is due at once; one that has ended is sent once more, with the same `webhook-id`. */
    const resend = Effect.fn("WebhookDeliveries.resend")(function* (webhook_id: WebhookId, id: DeliveryId) {
      const { workspace_id } = yield* Caller
      yield* webhooks.lockActive(webhook_id)
      const key = { workspace_id, webhook_id, id }
      const row = Option.getOrNull(yield* repo.lock(key))
      if (row === null) return yield* new DeliveryNotFound({ message: `No delivery ${id} to this endpoint.` })
      const at = yield* now
      const isPending = row.status === "pending"
      const sent = isPending ? id : yield* newId(DeliveryId)
      if (isPending) yield* repo.bringForward({ ...key, at })
      else yield* repo.repeat({ ...key, copy: sent, at })
      const { event_id } = row
      yield* auditLog.record({
        object: { kind: "webhook", ref: webhook_id },
        before: null,
        after: { event_id, delivery_id: sent }
      })
      return yield* deliveryOf(webhook_id, sent)
    }, inTransaction)

    return { list, test, resend }
  })
}) {}

const recordOf = ({ position: _, ...row }: DeliveryRow): Delivery => row
