import { Effect } from "effect"
import { Keys } from "../services/access/Keys.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const KeysHandlers = group(
  Api,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* Keys
    return handlers
      .handle("create", ({ payload }) => keys.create(payload))
      .handle("list", ({ urlParams }) => keys.list(urlParams))
      .handle("get", ({ path }) => keys.get(path.key_id))
      .handle("update", ({ path, payload }) => keys.update(path.key_id, payload))
      .handle("revoke", ({ path }) => keys.revoke(path.key_id))
  })
)
