import { HttpApi, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option } from "effect"
import type { Operation } from "../schema/Operation.ts"
import { nameOf } from "../services/access/Caller.ts"
import { Guard } from "../services/access/Guard.ts"
import { checkHost, credentialsOf, EdgeSettings, rateHeaders, rateHeadersOf } from "../services/access/incomingCall.ts"
import { factsOf, noteHeaders } from "../services/support/RequestFacts.ts"
import { Api } from "./Api.ts"
import { Authorization } from "./Authorization.ts"
import { ServedOperation } from "./wire.ts"

const operationsOf = (api: typeof Api): ReadonlyMap<string, Operation> => {
  const found = new Map<string, Operation>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const operation = Context.getOption(mergedAnnotations, ServedOperation)
      // An endpoint without an operation would be unguarded.
      if (Option.isNone(operation)) throw new Error(`${endpoint.method} ${endpoint.path} serves no operation`)
      found.set(`${endpoint.method} ${endpoint.path}`, operation.value)
    }
  })
  return found
}

const operations = operationsOf(Api)

export const AuthorizationLive = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const guard = yield* Guard
    const settings = yield* EdgeSettings
    // The framework's own reading of the header is ignored: it does not check the scheme and knows no cookie.
    const admit = Effect.gen(function* () {
      const { route } = yield* HttpRouter.RouteContext
      const operation = operations.get(`${route.method} ${route.path}`)
      if (operation === undefined) return yield* Effect.dieMessage(`no operation for ${route.method} ${route.path}`)
      const request = yield* HttpServerRequest.HttpServerRequest
      const facts = factsOf(request.source)
      facts.route = route.path
      yield* checkHost(request, settings)
      const { caller, rate, rejected } = yield* guard
        .admit(operation, credentialsOf(request, settings))
        .pipe(Effect.tapError((error) => noteHeaders(facts, rateHeadersOf(error))))
      facts.actor = nameOf(caller)
      facts.workspace = caller.workspace_id
      facts.headers = rateHeaders(rate)
      yield* rejected
      return caller
    })
    return { apiKey: () => admit }
  })
)
