import { Effect } from "effect"
import { Views } from "../services/views/Views.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const ViewsHandlers = group(
  Api,
  "views",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* Views
    return handlers
      .handle("list", ({ urlParams }) => views.list(urlParams))
      .handle("create", ({ payload }) => views.create(payload))
      .handle("update", ({ path, payload }) => views.update(path.view_id, payload))
      .handle("remove", ({ path }) => views.remove(path.view_id))
  })
)
