import { Schema } from "effect"
import { conflict, notFound, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { DeliveryId, WebhookId } from "./Ids.ts"
import { Actor } from "./Job.ts"
import { Priority } from "./Observation.ts"
import {
  Count,
  described,
  field,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  optionalOrNull,
  text,
  Uuid
} from "./Text.ts"

/** Endpoints that a workspace may have. */
export const maxWebhooks = 50
const maxUrl = 2000
const maxRepositories = 100
const maxDescription = 500

/** What an endpoint may subscribe to. */
export const webhookEventTypes = [
  "job.completed",
  "job.failed",
  "job.cancelled",
  "observation.created",
  "observation.closed",
  "observation.reopened",
  "fix_pr.opened",
  "fix_pr.updated",
  "fix_pr.merged",
  "fix_pr.closed",
  "context_entry.proposed",
  "context_entry.confirmed",
  "issue.created",
  "issue.updated",
  "issue.closed",
  "mission.waiting",
  "mission.completed",
  "mission.failed"
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Sent on request only, to one endpoint, whatever it subscribes to. */
export const testEventType = "webhook.test"

const Subscription = oneOf(...webhookEventTypes, "*")

/** Why a text is no address of an endpoint, in words. */
const urlProblem = (address: string): string | undefined => {
  if (!/^https?:\/\/[^\s]+$/.test(address) || !URL.canParse(address))
    return "must be an address that starts with https://"
  const { username, password, hash } = new URL(address)
  if (username !== "" || password !== "")
    return "must be without user name and password; the signature identifies the sender"
  return hash !== "" ? "must be without a fragment" : undefined
}

const EndpointUrl = text(1, maxUrl)
  .pipe(Schema.filter((address) => urlProblem(address)))
  .annotations({ jsonSchema: { type: "string", format: "uri", minLength: 1, maxLength: maxUrl } })

const url = described(EndpointUrl, "Address that events are posted to, over https.")
const events = described(
  list(Subscription, 1, webhookEventTypes.length + 1),
  "Types of events to send; `*` for all of them, those of later versions too."
)
const description = described(text(1, maxDescription), "What the endpoint is for.")
const repos = described(
  list(text(1, 500), 1, maxRepositories),
  "Slugs of repository branches, `repo@branch` or `owner/repo@branch`: only events about these are sent."
)
const min_priority = described(
  Priority,
  "Only observations, fix pull requests and issues of this priority or a more severe one; other events have no priority."
)

export const WebhookPath = Schema.Struct({ webhook_id: field(WebhookId, "ID of the endpoint.") })
export const DeliveryPath = Schema.Struct({
  ...WebhookPath.fields,
  delivery_id: field(DeliveryId, "ID of the delivery.")
})

const fields = {
  id: field(WebhookId, "ID of the endpoint."),
  url: field(Schema.String, "Address that events are posted to."),
  events: field(Schema.Array(Schema.String), "Types of events that are sent; `*` for all of them."),
  description: nullable(Schema.String, "What the endpoint is for."),
  repos: nullable(
    Schema.Array(Schema.String),
    "Slugs `owner/repo@branch` of the repositories whose events are sent; null for the whole workspace."
  ),
  min_priority: nullable(Priority, "The least severe priority that is sent; null for every one."),
  active: field(
    Schema.Boolean,
    "Whether events are written and sent. Deliveries that wait are sent once it is active again."
  ),
  disabled_reason: nullable(Schema.String, "Why the service made it inactive; null otherwise."),
  failing_since: nullable(Instant, "Time of the first failure since the last success; null while deliveries succeed."),
  previous_secret_expires_at: nullable(
    Instant,
    "Until when the secret before the last rotation signs, too; null where none does."
  ),
  created_by: field(Actor, "Who made the endpoint."),
  created_at: field(Instant, "When it was made."),
  updated_at: field(Instant, "When it last changed.")
}

const example = {
  id: WebhookId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d72"),
  url: "https://hooks.example.org/assay",
  events: ["job.failed", "observation.created"],
  description: "Pages the engineer on call.",
  repos: ["acme/api@main"],
  min_priority: "P1" as const,
  active: true,
  disabled_reason: null,
  failing_since: null,
  previous_secret_expires_at: null,
  created_by: { kind: "user" as const, label: "ada@example.org", api_key_id: null, user_id: null },
  created_at: "2026-11-20T09:30:00.120Z",
  updated_at: "2026-11-20T09:30:00.120Z"
}

export const Webhook = record("Webhook", fields, example)
export type Webhook = typeof Webhook.Type

/** The only response that has the secret. */
export const WebhookWithSecret = record(
  "WebhookWithSecret",
  { ...fields, secret: field(Schema.String, "Signs each request, by Standard Webhooks. It is shown this once.") },
  { ...example, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" }
)
export type WebhookWithSecret = typeof WebhookWithSecret.Type

export const CreateWebhook = closed(
  {
    url,
    events,
    description: optional(description),
    repos: optional(repos),
    min_priority: optional(min_priority)
  },
  "CreateWebhookRequest",
  {
    url: "https://hooks.example.org/assay",
    events: ["job.failed", "observation.created"],
    repos: ["acme/api@main"],
    min_priority: "P1"
  }
)
export type CreateWebhook = typeof CreateWebhook.Type

export const UpdateWebhook = closed(
  {
    url: optional(url),
    events: optional(events),
    description: optionalOrNull(description, "What the endpoint is for; null for nothing."),
    repos: optionalOrNull(repos, "Slugs of the repositories whose events are sent; null for the whole workspace."),
    min_priority: optionalOrNull(min_priority, "The least severe priority that is sent; null for every one."),
    active: optional(Schema.Boolean, "Whether events are written and sent.")
  },
  "UpdateWebhookRequest",
  { active: false }
)
export type UpdateWebhook = typeof UpdateWebhook.Type

export const DeliveryStatus = oneOf("pending", "delivered", "failed")

export const Delivery = record(
  "WebhookDelivery",
  {
    id: field(DeliveryId, "ID of the delivery."),
    event_id: field(Uuid, "ID of the event, sent as `webhook-id`: the same in every attempt and to every endpoint."),
    type: field(Schema.String, "Type of the event."),
    status: field(
      DeliveryStatus,
      "`pending` until the endpoint answers with success or no attempt is left; then `delivered` or `failed`."
    ),
    attempt: field(Count, "Attempts so far; 0 before the first one."),
    status_code: nullable(Count, "Status that the endpoint answered the last attempt with; null where it did not."),
    error: nullable(Schema.String, "Why the last attempt failed; null after a success."),
    duration_ms: nullable(Count, "How long the last attempt took."),
    at: field(Instant, "Time of the last attempt; before the first one, of the event."),
    next_attempt_at: nullable(
      Instant,
      "When the next attempt is due; null when none is, or while an earlier delivery about the same object is pending."
    )
  },
  {
    id: DeliveryId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d73"),
    event_id: "01a1f84d-c1ea-70a9-a51e-fdfa95578d74",
    type: "job.failed",
    status: "pending",
    attempt: 2,
    status_code: 503,
    error: "hooks.example.org answered 503.",
    duration_ms: 84,
    at: "2026-11-20T09:31:02.511Z",
    next_attempt_at: "2026-11-20T09:36:11.004Z"
  }
)
export type Delivery = typeof Delivery.Type

export class WebhookNotFound extends notFound("WebhookNotFound", "not_found") {}
export class DeliveryNotFound extends notFound("DeliveryNotFound", "not_found") {}
export class WebhookLimitReached extends conflict("WebhookLimitReached", "webhook_limit_reached") {}
/** Nothing is sent to an inactive endpoint, not even on request. */
export class WebhookInactive extends conflict("WebhookInactive", "webhook_inactive") {}
/** The service may not call the endpoint's address. */
export class WebhookAddressRejected extends unprocessable("WebhookAddressRejected", "address_refused") {}
