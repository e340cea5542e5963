import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Outbox } from "../services/outbox/Outbox.ts"
import { Api } from "./Api.ts"

export const OutboxHandlers = HttpApiBuilder.group(
  Api,
  "outbox",
  Effect.fnUntraced(function* (handlers) {
    const outbox = yield* Outbox
    return handlers.handle("list", ({ urlParams }) => outbox.list(urlParams))
  })
)
