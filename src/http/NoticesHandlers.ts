import { Effect } from "effect"
import { Notices } from "../services/notices/Notices.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const NoticesHandlers = group(
  Api,
  "notices",
  Effect.fnUntraced(function* (handlers) {
    const notices = yield* Notices
    return handlers
      .handle("list", ({ urlParams }) => notices.list(urlParams))
      .handle("markRead", ({ payload }) => notices.markRead(payload))
  })
)
