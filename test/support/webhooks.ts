import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import * as Webhooks from "../../src/layers/Webhooks.ts"
import { WebhookSender } from "../../src/services/webhooks/WebhookSender.ts"
import { WebhookSendingRepo } from "../../src/services/webhooks/WebhookSendingRepo.ts"
import { aServer } from "./gitServer.ts"
import { LocalOutboundHttp } from "./outbound.ts"

/** Endpoints as the service calls them, which may be on this machine. */
export const WebhooksLive = Layer.provide(Webhooks.transport, LocalOutboundHttp)

/** The sender, without its loop. */
export const SenderLive = Layer.provide(WebhookSender.Default, WebhookSendingRepo.Default)

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of the body. */
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What an endpoint does with a request. */
export type Reaction = (request: Received, response: ServerResponse) => void

const answering =
  (status: number): Reaction =>
  (_, response) => {
    response.writeHead(status).end()
  }

const whole = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** An endpoint that keeps what it gets and accepts it, unless it is set to react in another way. */
export const aReceiver = Effect.gen(function* () {
  const received: Array<Received> = []
  const accepted: Array<Received> = []
  const state: { react: Reaction } = { react: answering(200) }
  const waiting: Array<{ readonly isEnough: () => boolean; readonly done: Deferred.Deferred<void> }> = []
  const look = () => {
    for (const { isEnough, done } of waiting) if (isEnough()) Deferred.unsafeDone(done, Effect.void)
  }
  const until = (list: ReadonlyArray<Received>, n: number) =>
    Effect.flatMap(Deferred.make<void>(), (done) => {
      waiting.push({ isEnough: () => list.length >= n, done })
      look()
      return Deferred.await(done)
    })
  const port = yield* aServer((request, response) => {
    whole(request).then((text) => {
      const parsed = JSON.parse(text) as Pick<Received, "type" | "data">
      const one = { ...parsed, path: request.url ?? "", headers: request.headers, text }
      received.push(one)
      response.on("finish", () => {
        if (response.statusCode < 300) accepted.push(one)
        look()
      })
      look()
      state.react(one, response)
    })
  })
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    accepted,
    /** Waits for that many requests. */
    untilReceived: (n: number) => until(received, n),
    untilAccepted: (n: number) => until(accepted, n),
    react: (reaction: Reaction | number) =>
      Effect.sync(() => {
        state.react = typeof reaction === "number" ? answering(reaction) : reaction
      })
  }
})

/** Throws unless the public library accepts the request as signed with the secret, whenever it was sent. */
export const verify = (secret: string, { headers, text }: Received): void => {
  const at = Number(headers["webhook-timestamp"]) * 1000
  const real = Date.now
  Date.now = () => at
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
  } finally {
    Date.now = real
  }
}

export const sendDue = Effect.flatMap(WebhookSender, (sender) => sender.tick())

export interface StoredDelivery {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly attempts: number
  readonly status_code: number | null
  readonly error: string | null
  readonly next_attempt_at: string | null
}

/** In the order in which they were written. */
export const deliveriesTo = (webhook_id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<StoredDelivery>`
      SELECT d.id, e.type, d.status, d.attempts, d.status_code, d.error, d.next_attempt_at
      FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
      WHERE d.webhook_id = ${webhook_id} ORDER BY d.position`
  )
