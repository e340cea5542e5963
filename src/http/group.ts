import { HttpApiBuilder, type HttpApiEndpoint, HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Chunk, Effect, type Schema } from "effect"
import { respond } from "./wire.ts"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
type Handler = (request: unknown) => Effect.Effect<unknown, unknown, unknown>

interface Item {
  readonly endpoint: Endpoint
  readonly handler: Handler
}

/**
 * The handlers of a group, as `HttpApiBuilder.group` takes them. What a handler returns is printed through the success
 * schema of its endpoint, by the printer of `wire.ts`; a handler whose response has a status or headers of its own returns
 * a response (`respond`, `created`).
 */
export const group: typeof HttpApiBuilder.group = (api, name, build) =>
  HttpApiBuilder.group(api, name, (handlers) => {
    const built = build(handlers)
    // The framework's type of what a build may return says nothing of the handlers in it.
    return (Effect.isEffect(built) ? Effect.map(built, withPrinter) : withPrinter(built)) as typeof built
  })

const withPrinter = (built: unknown): unknown => {
  const handlers = built as { readonly handlers: Chunk.Chunk<Item> }
  const printing = Chunk.map(handlers.handlers, (item) => ({ ...item, handler: printed(item) }))
  return Object.assign(Object.create(Object.getPrototypeOf(handlers)), handlers, { handlers: printing })
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
