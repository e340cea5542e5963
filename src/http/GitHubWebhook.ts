import type { IncomingMessage } from "node:http"
import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { GitHubDeliveries } from "../services/github/GitHubDeliveries.ts"
import { readBytes } from "../services/support/jsonBody.ts"

/** GitHub's own bound is 25 MB, for pushes of thousands of commits; these are found without a delivery, too. */
const maxBytes = 5 * 1024 * 1024

const header = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

/** `POST /api/webhooks/github`: authenticated by the signature of each delivery, and by nothing else. */
export const GitHubWebhook = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const deliveries = yield* GitHubDeliveries
    yield* router.post(
      "/api/webhooks/github",
      Effect.gen(function* () {
        const source = (yield* HttpServerRequest.HttpServerRequest).source as IncomingMessage
        const status = yield* deliveries.accept({
          signature: header(source, "x-hub-signature-256"),
          delivery_id: header(source, "x-github-delivery"),
          event: header(source, "x-github-event"),
          body: yield* readBytes(source, maxBytes)
        })
        return yield* HttpServerResponse.json({ status }, { status: 202 })
      })
    )
  })
)
