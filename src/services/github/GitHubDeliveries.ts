import { createHmac, timingSafeEqual } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import { BadRequest, InvalidSignature } from "../../schema/Errors.ts"
import { asSystem } from "../access/Reach.ts"
import { ConfiguredGitHubApp } from "../ports/GitHubApp.ts"
import { Notifications } from "../ports/Notifications.ts"
import { now } from "../support/now.ts"
import { factsOf } from "./deliveryFacts.ts"
import { arrivalChannel, GitHubDeliveriesRepo } from "./GitHubDeliveriesRepo.ts"

/** A delivery as it came, unverified. */
export interface IncomingDelivery {
  readonly signature: string | undefined
  readonly delivery_id: string | undefined
  readonly event: string | undefined
  readonly body: Uint8Array
}

/** `duplicate`: accepted before. `ignored`: nothing that the service has to do with. */
export type Acceptance = "accepted" | "duplicate" | "ignored"

const deliveryId = /^[\w-]{1,100}$/
const eventName = /^\w{1,100}$/

/** Takes deliveries of the app's webhook; what they ask for is done after the answer, by `GitHubEvents`. */
export class GitHubDeliveries extends Effect.Service<GitHubDeliveries>()("GitHubDeliveries", {
  effect: Effect.gen(function* () {
    const repo = yield* GitHubDeliveriesRepo
    const app = yield* ConfiguredGitHubApp
    const notifications = yield* Notifications

    const verify = ({ signature, body }: IncomingDelivery) => {
      const secret = app?.webhookSecret ?? null
      if (secret === null) {
        return Effect.fail(
          new InvalidSignature({
            message: "No webhook of a GitHub App is configured: set ASSAY_GITHUB_WEBHOOK_SECRET."
          })
        )
      }
      return isSigned(body, signature, Redacted.value(secret))
        ? Effect.void
        : Effect.fail(
            new InvalidSignature({
              message:
                "X-Hub-Signature-256 is missing or wrong: the secret of the webhook and ASSAY_GITHUB_WEBHOOK_SECRET must be the same."
            })
          )
    }

    /** Keeps the delivery, once. Nothing of the body is read before its signature is verified. */
    const accept = Effect.fn("GitHubDeliveries.accept")(function* (delivery: IncomingDelivery) {
      yield* verify(delivery)
      const { delivery_id, event } = delivery
      if (delivery_id === undefined || event === undefined || !deliveryId.test(delivery_id) || !eventName.test(event)) {
        return yield* new BadRequest({ message: "The headers X-GitHub-Delivery and X-GitHub-Event are needed." })
      }
      const facts = factsOf(event, yield* parsed(delivery.body))
      if (Option.isNone(facts)) return "ignored" satisfies Acceptance
      const isNew = yield* asSystem(repo.accept({ delivery_id, event, facts: facts.value, at: yield* now }))
      if (isNew) yield* notifications.notify(arrivalChannel)
      return (isNew ? "accepted" : "duplicate") satisfies Acceptance
    })

    return { accept }
  })
}) {}

/** Compares in a time that does not depend on how much of the signature is right. */
export const isSigned = (body: Uint8Array, signature: string | undefined, secret: string): boolean => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`)
  const actual = Buffer.from(signature ?? "")
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const parsed = (body: Uint8Array): Effect.Effect<unknown, BadRequest> =>
  Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    catch: () => new BadRequest({ message: "The body is not JSON: choose the content type application/json." })
  })
