import { HttpApiMiddleware, HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { TooManySignIns } from "../schema/Session.ts"
import { addressOf, EdgeSettings } from "../services/access/incomingCall.ts"
import { RateLimiter } from "../services/access/RateLimiter.ts"
import { onWire } from "./wire.ts"

/** Many people may share an address; a body that is only rejected costs milliseconds. */
const requestsPerAddress = 120

/** Limits the requests to sign in from one address before anything of them is decoded: anyone can send them. */
export class SignInLimit extends HttpApiMiddleware.Tag<SignInLimit>()("SignInLimit", {
  failure: onWire(TooManySignIns)
}) {}

export const SignInLimitLive = Layer.effect(
  SignInLimit,
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const { trustedProxies } = yield* EdgeSettings
    return Effect.gen(function* () {
      const address = addressOf(yield* HttpServerRequest.HttpServerRequest, trustedProxies) ?? "unknown"
      yield* limiter.take([{ key: `sign-in/requests/${address}`, name: "sign-in", rpm: requestsPerAddress }]).pipe(
        Effect.mapError(
          ({ retryAfterSeconds = 1 }) =>
            new TooManySignIns({
              message: `Too many requests to sign in; try again in ${retryAfterSeconds} s.`,
              retryAfterSeconds
            })
        )
      )
    })
  })
)
