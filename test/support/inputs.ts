import { HttpApi, type HttpApiEndpoint } from "@effect/platform"
import { Effect, Either, Option, type Schema, SchemaAST } from "effect"
import { Api } from "../../src/http/Api.ts"
import { decodersOf } from "../../src/http/decoding.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import type { ApiError } from "../../src/schema/ApiError.ts"
import { Workflows } from "../../src/services/ports/Workflows.ts"
import { decoderOf } from "../../src/services/support/decoding.ts"

/** Something that a client sends, and how the product decodes it. */
export interface Input {
  readonly name: string
  readonly part: "body" | "query" | "path" | "headers" | "arguments" | "params"
  readonly ast: SchemaAST.AST
  readonly decode: (input: never) => Effect.Effect<unknown, ApiError>
}

// The generic type of an endpoint shows none of its schemas.
const endpointInputs = (one: unknown): ReadonlyArray<Input> => {
  const endpoint = one as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
  const decoders = decodersOf(endpoint)
  const name = `${endpoint.method} ${endpoint.path}`
  const input = (
    part: Input["part"],
    schema: Option.Option<Schema.Schema.All>,
    decode: Option.Option<Input["decode"]>
  ): ReadonlyArray<Input> =>
    Option.isSome(schema) && Option.isSome(decode) ? [{ name, part, ast: schema.value.ast, decode: decode.value }] : []
  return [
    ...input("path", endpoint.pathSchema, decoders.path),
    ...input("body", endpoint.payloadSchema, decoders.payload),
    ...input("headers", endpoint.headersSchema, decoders.headers),
    ...input("query", endpoint.urlParamsSchema, decoders.urlParams)
  ]
}

const restInputs = () => {
  const found: Array<Input> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      found.push(...endpointInputs(endpoint))
    }
  })
  return found
}

/** Every input of REST and MCP, and of the workflows that both start. */
export const inputs = Effect.gen(function* () {
  const tools = (yield* Tools).map(
    ({ name, args }): Input => ({ name, part: "arguments", ast: args.ast, decode: args.decode })
  )
  const workflows = [...(yield* Workflows).values()].map(
    ({ name, params }): Input => ({ name, part: "params", ast: params.ast, decode: decoderOf(params) })
  )
  return [...restInputs(), ...tools, ...workflows]
})

/** The decoded value, or the rejection. */
export const decoded = ({ decode }: Input, value: unknown): Either.Either<unknown, ApiError> =>
  Effect.runSync(Effect.either(decode(value as never)))

export const labelOf = ({ name, part }: Input) => `${name} (${part})`

interface Limits {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

/** What the document says of a text. */
export const limitsOf = (ast: SchemaAST.AST): Limits =>
  Option.getOrElse(SchemaAST.getJSONSchemaAnnotation(ast), () => ({}))
