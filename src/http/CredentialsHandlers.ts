import { Effect } from "effect"
import { Credentials } from "../services/credentials/Credentials.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const CredentialsHandlers = group(
  Api,
  "credentials",
  Effect.fnUntraced(function* (handlers) {
    const credentials = yield* Credentials
    return handlers
      .handle("list", ({ urlParams }) => credentials.list(urlParams))
      .handle("create", ({ payload }) => credentials.create(payload))
      .handle("remove", ({ path }) => credentials.remove(path.credential_id))
  })
)
