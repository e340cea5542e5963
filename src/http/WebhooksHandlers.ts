import { Effect } from "effect"
import { WebhookDeliveries } from "../services/webhooks/WebhookDeliveries.ts"
import { Webhooks } from "../services/webhooks/Webhooks.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const WebhooksHandlers = group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const deliveries = yield* WebhookDeliveries
    return handlers
      .handle("list", ({ urlParams }) => webhooks.list(urlParams))
      .handle("create", ({ payload }) => webhooks.create(payload))
      .handle("get", ({ path }) => webhooks.get(path.webhook_id))
      .handle("update", ({ path, payload }) => webhooks.update(path.webhook_id, payload))
      .handle("remove", ({ path }) => webhooks.remove(path.webhook_id))
      .handle("rotateSecret", ({ path }) => webhooks.rotateSecret(path.webhook_id))
      .handle("test", ({ path }) => deliveries.test(path.webhook_id))
      .handle("deliveries", ({ path, urlParams }) => deliveries.list(path.webhook_id, urlParams))
      .handle("resend", ({ path }) => deliveries.resend(path.webhook_id, path.delivery_id))
  })
)
