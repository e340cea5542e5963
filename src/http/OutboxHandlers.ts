import { Effect } from "effect"
import { Outbox } from "../services/outbox/Outbox.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const OutboxHandlers = group(
  Api,
  "outbox",
  Effect.fnUntraced(function* (handlers) {
    const outbox = yield* Outbox
    return handlers.handle("list", ({ urlParams }) => outbox.list(urlParams))
  })
)
