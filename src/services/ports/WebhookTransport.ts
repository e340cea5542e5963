import { Context, type Effect, Schema } from "effect"

/**
 * `address_refused`: the operator does not let the service call there. `unanswered`: anything else that kept a status from
 * coming. The message names the host, and nothing that was sent.
 */
export class WebhookTransportError extends Schema.TaggedError<WebhookTransportError>()("WebhookTransportError", {
  reason: Schema.Literal("address_refused", "unanswered"),
  message: Schema.String
}) {}

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts to addresses that people give: each is checked, resolved once and connected to as it was checked. */
export class WebhookTransport extends Context.Tag("WebhookTransport")<
  WebhookTransport,
  {
    /** Fails for an address that is never called. A name that is unknown now may be known when something is sent. */
    readonly check: (url: string) => Effect.Effect<void, WebhookTransportError>
    /** The status that it was answered with, within a limit of time; redirects are not followed, bodies not read. */
    readonly post: (request: WebhookRequest) => Effect.Effect<number, WebhookTransportError>
  }
>() {}
