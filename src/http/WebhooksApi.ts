import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import { webhooks } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import {
  CreateWebhook,
  Delivery,
  DeliveryNotFound,
  DeliveryPath,
  UpdateWebhook,
  Webhook,
  WebhookAddressRejected,
  WebhookInactive,
  WebhookLimitReached,
  WebhookNotFound,
  WebhookPath,
  WebhookWithSecret
} from "../schema/Webhook.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const WebhooksPage = page("WebhooksPage", Webhook)
export const DeliveriesPage = page("WebhookDeliveriesPage", Delivery)

export const WebhooksApi = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/api/webhooks")
      .annotateContext(
        serves(
          webhooks.listWebhooks,
          "Lists the webhook endpoints of the workspace, oldest first, without their secrets."
        )
      )
      .setUrlParams(closed(pageQuery))
      .addSuccess(WebhooksPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("create", "/api/webhooks")
      .annotateContext(
        serves(
          webhooks.createWebhook,
          "Registers an endpoint that events are posted to, signed by Standard Webhooks. The response alone has the secret. Without `repos` the endpoint gets the events of the whole workspace, restricted repositories included; with it, only events about those repositories."
        )
      )
      .setPayload(CreateWebhook)
      .addSuccess(WebhookWithSecret, { status: 201 })
      .addError(onWire(WebhookAddressRejected, WebhookLimitReached))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("get", "/api/webhooks/:webhook_id")
      .annotateContext(serves(webhooks.readWebhook, "Returns an endpoint, without its secret."))
      .setPath(WebhookPath)
      .addSuccess(Webhook)
      .addError(onWire(WebhookNotFound))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/webhooks/:webhook_id")
      .annotateContext(
        serves(
          webhooks.updateWebhook,
          "Changes an endpoint. While it is inactive no events are written for it; deliveries that wait are sent once it is active again."
        )
      )
      .setPath(WebhookPath)
      .setPayload(UpdateWebhook)
      .addSuccess(Webhook)
      .addError(onWire(WebhookNotFound, WebhookAddressRejected))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.del("remove", "/api/webhooks/:webhook_id")
      .annotateContext(
        serves(webhooks.deleteWebhook, "Deletes an endpoint with its deliveries; those that wait are not sent.")
      )
      .setPath(WebhookPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(WebhookNotFound))
  )
  .add(
    HttpApiEndpoint.post("rotateSecret", "/api/webhooks/:webhook_id/secret")
      .annotateContext(
        serves(
          webhooks.rotateSecret,
          "Gives the endpoint a new secret, which the response alone has. For 24 hours requests are signed with the old one, too: replace it within that time."
        )
      )
      .setPath(WebhookPath)
      .addSuccess(WebhookWithSecret)
      .addError(onWire(WebhookNotFound))
  )
  .add(
    HttpApiEndpoint.post("test", "/api/webhooks/:webhook_id/test")
      .annotateContext(
        serves(
          webhooks.testWebhook,
          "Sends an event `webhook.test` to the endpoint, whatever it subscribes to. The list of deliveries shows what it was answered with."
        )
      )
      .setPath(WebhookPath)
      .addSuccess(Delivery, { status: 202 })
      .addError(onWire(WebhookNotFound, WebhookInactive))
  )
  .add(
    HttpApiEndpoint.get("deliveries", "/api/webhooks/:webhook_id/deliveries")
      .annotateContext(
        serves(
          webhooks.listDeliveries,
          "Lists the deliveries to an endpoint, newest first, each with its last attempt. They are kept for 30 days."
        )
      )
      .setPath(WebhookPath)
      .setUrlParams(closed(pageQuery))
      .addSuccess(DeliveriesPage)
      .addError(onWire(WebhookNotFound, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("resend", "/api/webhooks/:webhook_id/deliveries/:delivery_id/resend")
      .annotateContext(
        serves(
          webhooks.resendDelivery,
          "Sends an event again: a delivery that has ended once more, as another one with the same `webhook-id`; one that waits now, together with the earlier ones about the same object that it waits for."
        )
      )
      .setPath(DeliveryPath)
      .addSuccess(Delivery, { status: 202 })
      .addError(onWire(WebhookNotFound, DeliveryNotFound, WebhookInactive))
  )
  .annotate(OpenApi.Description, "Webhook endpoints that events of the workspace are posted to.")
  .middleware(Authorization)
