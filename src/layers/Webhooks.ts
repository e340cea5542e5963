import { Effect, Layer } from "effect"
import { WebhookTransport, WebhookTransportError } from "../services/ports/WebhookTransport.ts"
import { WebhookSender } from "../services/webhooks/WebhookSender.ts"
import { WebhookSendingRepo } from "../services/webhooks/WebhookSendingRepo.ts"
import { OutboundFailure, OutboundHttp } from "./OutboundHttp.ts"

/** How long an endpoint may take to answer, all in all. */
const defaultPatienceMillis = 15_000

const failed = (reason: WebhookTransportError["reason"], message: string) =>
  new WebhookTransportError({ reason, message })

const failureOf = (url: string, error: unknown, patienceMillis: number): WebhookTransportError => {
  const failure = error instanceof TypeError ? error.cause : error
  if (failure instanceof OutboundFailure) {
    const isRejected = failure.reason === "address_refused" || failure.reason === "protocol_refused"
    return failed(isRejected ? "address_refused" : "unanswered", failure.message)
  }
  return failed("unanswered", `${new URL(url).host} did not answer within ${patienceMillis / 1000} seconds.`)
}

/** Calls to the addresses that admins of workspaces give. */
export const transportWith = (patienceMillis: number) =>
  Layer.effect(
    WebhookTransport,
    Effect.map(OutboundHttp, ({ open, check }) => {
      const calling = <A>(url: string, call: (signal: AbortSignal) => Promise<A>) =>
        Effect.tryPromise({ try: call, catch: (error) => failureOf(url, error, patienceMillis) })
      return {
        check: (url) =>
          Effect.catchIf(
            calling(url, () => check(url)),
            ({ reason }) => reason === "unanswered",
            () => Effect.void
          ),
        post: ({ url, headers, body }) =>
          calling(url, async (interrupted) => {
            const signal = AbortSignal.any([interrupted, AbortSignal.timeout(patienceMillis)])
            const answer = await open(url, { method: "POST", headers, body, signal })
            // The status says it all; what follows may be endless.
            answer.body.on("error", () => undefined).destroy()
            return answer.status
          })
      }
    })
  )

export const transport = transportWith(defaultPatienceMillis)

/** What sends events to endpoints. */
export const sender = Layer.scopedDiscard(Effect.flatMap(WebhookSender, ({ loop }) => Effect.forkScoped(loop))).pipe(
  Layer.provide(Layer.provide(WebhookSender.Default, WebhookSendingRepo.Default))
)
