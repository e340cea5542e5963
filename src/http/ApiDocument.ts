import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { PlanRestricted } from "../schema/Errors.ts"
import { Guard } from "../services/access/Guard.ts"
import { credentialsOf, EdgeSettings } from "../services/access/incomingCall.ts"

/** The API host keeps its description to itself; the docs site serves it. */
export const ApiDocument = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const guard = yield* Guard
    const settings = yield* EdgeSettings
    yield* router.get(
      "/openapi.json",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        yield* guard.identify(credentialsOf(request, settings))
        return yield* new PlanRestricted({
          message: "The internal description is not part of any plan; the docs site serves the public one."
        })
      })
    )
  })
)
