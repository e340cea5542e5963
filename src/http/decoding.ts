import type { IncomingMessage } from "node:http"
import { type HttpApiEndpoint, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Option, type Schema } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { type Decoder, decoderOf } from "../services/support/decoding.ts"
import { readJson } from "../services/support/jsonBody.ts"
import { unstorableText } from "../services/support/storable.ts"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps

/** What a handler receives of a request. */
export interface DecodedRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly path?: unknown
  readonly payload?: unknown
  readonly headers?: unknown
  readonly urlParams?: unknown
}

/** The decoders of an endpoint's inputs. */
export const decodersOf = (endpoint: Endpoint) => ({
  path: decoderIn(endpoint.pathSchema),
  payload: Option.map(decoderIn(endpoint.payloadSchema), storable),
  headers: decoderIn(endpoint.headersSchema),
  urlParams: decoderIn(endpoint.urlParamsSchema)
})

// The inputs of an endpoint hold no services, which its generic type cannot know.
const decoderIn = (schema: Option.Option<Schema.Schema.All>) =>
  Option.map(schema, (one) => decoderOf(one as Schema.Schema<unknown>))

type Check = (input: unknown) => Effect.Effect<unknown, ApiError>

const storable =
  (decode: Decoder<unknown>): Check =>
  (input) =>
    Effect.suspend((): Effect.Effect<unknown, ApiError> => {
      const problem = unstorableText(input)
      return problem === undefined ? decode(input) : Effect.fail(problem)
    })

/**
 * Decodes a request in place of the framework, which prints the whole rejected value twice. Called after the caller is
 * admitted; the body is not read before.
 */
export const requestDecoder = (endpoint: Endpoint) => {
  const { path, payload, headers, urlParams } = decodersOf(endpoint)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const inputs: { -readonly [Part in keyof DecodedRequest]: DecodedRequest[Part] } = { request }
    if (Option.isSome(path)) inputs.path = yield* path.value((yield* HttpRouter.RouteContext).params)
    if (Option.isSome(payload)) {
      inputs.payload = yield* Effect.flatMap(readJson(request.source as IncomingMessage), payload.value)
    }
    if (Option.isSome(headers)) inputs.headers = yield* headers.value(request.headers)
    if (Option.isSome(urlParams)) inputs.urlParams = yield* urlParams.value(yield* HttpServerRequest.ParsedSearchParams)
    return inputs as DecodedRequest
  })
}
