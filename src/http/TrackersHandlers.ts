import { Effect } from "effect"
import { Trackers } from "../services/tickets/Trackers.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const TrackersHandlers = group(
  Api,
  "trackers",
  Effect.fnUntraced(function* (handlers) {
    const trackers = yield* Trackers
    return handlers
      .handle("list", ({ urlParams }) => trackers.list(urlParams))
      .handle("set", ({ path, payload }) => trackers.set(path.kind, payload))
      .handle("remove", ({ path, urlParams }) => trackers.remove(path.kind, urlParams.repository))
  })
)
