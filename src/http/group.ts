import { HttpApiBuilder, type HttpApiEndpoint, HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Chunk, Context, Effect, Layer, Option, type Schema } from "effect"
import { CurrentCall } from "../services/support/CurrentCall.ts"
import { requestDecoder } from "./decoding.ts"
import { leanly } from "./leanContext.ts"
import { respond, ServedOperation } from "./wire.ts"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
type Handler = (request: unknown) => Effect.Effect<unknown, unknown, unknown>

interface Item {
  readonly endpoint: Endpoint
  readonly handler: Handler
}

/**
 * The handlers of a group, as `HttpApiBuilder.group` takes them. What a handler receives is decoded by `decoding.ts`. What
 * it returns is printed through the success schema of its endpoint, by the printer of `wire.ts`; a handler whose response
 * has a status or headers of its own returns a response (`respond`, `created`).
 */
export const group: typeof HttpApiBuilder.group = (api, name, build) =>
  Layer.unwrapEffect(
    Effect.map(Effect.context<never>(), (context) =>
      leanly(
        HttpApiBuilder.group(api, name, (handlers) => {
          const built = build(handlers)
          // The framework's type of what a build may return says nothing of the handlers in it.
          return (
            Effect.isEffect(built) ? Effect.map(within(context, built), translated) : translated(built)
          ) as typeof built
        })
      )
    )
  )

/** A build takes its services from the whole context. */
const within = (whole: Context.Context<never>, built: Effect.Effect<unknown, unknown, unknown>) =>
  Effect.mapInputContext(
    built,
    (lean: Context.Context<never>) => Context.merge(whole, lean) as Context.Context<unknown>
  )

const translated = (built: unknown): unknown => {
  const handlers = built as { readonly handlers: Chunk.Chunk<Item> }
  const items = Chunk.map(handlers.handlers, (item) => ({
    ...item,
    endpoint: withoutInputs(item.endpoint),
    handler: named(item.endpoint, decoded(item.endpoint, printed(item)))
  }))
  return copyOf(handlers, { handlers: items })
}

const copyOf = <A extends object>(original: A, changes: Partial<A>): A =>
  Object.assign(Object.create(Object.getPrototypeOf(original)), original, changes)

/** The endpoint as the framework serves it: it decodes nothing. */
const withoutInputs = (endpoint: Endpoint): Endpoint =>
  copyOf(endpoint, {
    pathSchema: Option.none(),
    payloadSchema: Option.none(),
    headersSchema: Option.none(),
    urlParamsSchema: Option.none()
  })

const decoded = (endpoint: Endpoint, handler: Handler): Handler => {
  const decode = requestDecoder(endpoint)
  return () => Effect.flatMap(decode, handler)
}

/** What the handler does is done by the operation of its endpoint. */
const named = ({ annotations }: Endpoint, handler: Handler): Handler => {
  const operation = Option.getOrNull(Option.map(Context.getOption(annotations, ServedOperation), ({ name }) => name))
  return (request) =>
    Effect.flatMap(CurrentCall, (call) => Effect.provideService(handler(request), CurrentCall, { ...call, operation }))
}

const printed = ({ endpoint, handler }: Item): Handler => {
  const schemas = new Set<Schema.Schema.Any>()
  HttpApiSchema.deunionize(schemas, endpoint.successSchema)
  const [only, ...others] = schemas
  // Nothing is to be printed, or only the handler knows which status its value has.
  if (only === undefined || others.length > 0 || HttpApiSchema.isVoid(only.ast)) return handler
  const status = HttpApiSchema.getStatusSuccess(only)
  return (request) =>
    Effect.flatMap(handler(request), (value) =>
      HttpServerResponse.isServerResponse(value)
        ? Effect.succeed(value)
        : respond<unknown, unknown>(only as Schema.Schema<unknown>, value, { status })
    )
}
