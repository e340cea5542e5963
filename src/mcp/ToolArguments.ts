import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js"
import { Effect, Either, JSONSchema, Option, ParseResult, Record, Schema, SchemaAST } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { closed } from "../schema/closed.ts"
import { longestList } from "../schema/Text.ts"
import { decoderOf } from "../services/support/decoding.ts"
import { onFirstUse } from "../services/support/onFirstUse.ts"
import { unstorableText } from "../services/support/storable.ts"
import type { Params } from "./JsonRpc.ts"

type InputSchema = ListedTool["inputSchema"]

/**
 * The arguments of a tool: closed, printed once as the schema that clients see, and decoded at each call. All of it is made
 * when it is first asked for: a server has over a hundred tools, and most of its clients use a few.
 */
export interface ToolArguments<A> {
  readonly ast: SchemaAST.AST
  readonly inputSchema: InputSchema
  readonly decode: (given: Params) => Effect.Effect<A, ApiError>
}

export const toolArguments = <Fields extends Schema.Struct.Fields>(
  fields: Fields
): ToolArguments<Schema.Struct.Type<Fields>> => {
  const schema = onFirstUse(() => {
    const struct: Schema.Schema.Any = closed(fields)
    // Fields hold no services, which the generic signature cannot know.
    return struct as Schema.Schema<Schema.Struct.Type<Fields>>
  })
  const inputSchema = onFirstUse(() => inputSchemaOf(schema()))
  const reader = onFirstUse(() => ({ decode: decoderOf(schema()), withoutNulls: nullRemover(schema().ast) }))
  return {
    get ast() {
      return schema().ast
    },
    get inputSchema() {
      return inputSchema()
    },
    decode: (given) =>
      Effect.suspend((): Effect.Effect<Schema.Struct.Type<Fields>, ApiError> => {
        const problem = unstorableText(given)
        if (problem !== undefined) return Effect.fail(problem)
        const { decode, withoutNulls } = reader()
        return decode(withoutNulls(given))
      })
  }
}

/** Clients that fill in every argument send null for one that they leave out; it keeps its meaning where it has one. */
const nullRemover = (ast: SchemaAST.AST): ((given: Params) => Params) => {
  const signatures = ast._tag === "TypeLiteral" ? ast.propertySignatures : []
  const names = signatures
    .filter(({ isOptional, type }) => isOptional && !acceptsNull(type))
    .map(({ name }) => String(name))
  return (given) => {
    const nulls = names.filter((name) => Object.hasOwn(given, name) && given[name] === null)
    if (nulls.length === 0) return given
    const rest = { ...given }
    for (const name of nulls) delete rest[name]
    return rest
  }
}

const acceptsNull = (ast: SchemaAST.AST) => Either.isRight(ParseResult.decodeUnknownEither(Schema.make(ast))(null))

const inputSchemaOf = (schema: Schema.Schema.Any): InputSchema => {
  const { $schema: _, $defs: named = {}, ...printed } = JSONSchema.make(schema)
  if (!("properties" in printed)) throw new Error("The arguments of a tool are fields.")
  const spelledOut = new Set(
    SchemaAST.getPropertySignatures(schema.ast)
      .filter(({ type }) => Option.isSome(SchemaAST.getJSONSchemaAnnotation(type)))
      .map(({ name }) => name)
  )
  return {
    ...printed,
    properties: Record.map(printed.properties, (property, name) =>
      inPlace(spelledOut.has(name) ? property : withoutNull(property), named)
    )
  }
}

/** Model providers reject references and intersections: what they consist of is written where it is used. */
const inPlace = (schema: unknown, named: Readonly<Record<string, object>>): object => {
  const written = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(written)
    if (typeof value !== "object" || value === null) return value
    const { $ref, allOf = [], ...rest } = value as { readonly $ref?: string; readonly allOf?: ReadonlyArray<object> }
    const target = $ref === undefined ? {} : (named[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {})
    const whole = withoutListLengths(Object.assign({}, target, ...allOf, rest))
    // A named schema may name others.
    return Object.hasOwn(whole, "$ref") || Object.hasOwn(whole, "allOf") ? written(whole) : Record.map(whole, written)
  }
  return written(schema) as object
}

/** No caller comes near the limit of a list in one text, and it is in many tools: it is left to the error of a longer one. */
const withoutListLengths = (schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { minLength: _, maxLength, ...rest } = schema
  return maxLength === longestList ? rest : schema
}

/**
 * Null is accepted for every optional argument, but not advertised where it means no more than leaving the argument out:
 * model providers handle unions badly. A schema that spells out its own JSON type keeps it.
 */
const withoutNull = (schema: JSONSchema.JsonSchema7): object => {
  if (!("anyOf" in schema)) return schema
  const { anyOf, ...annotations } = schema
  const [whole, ...others] = anyOf.filter((member) => !("type" in member && member.type === "null"))
  return whole === undefined || others.length > 0 ? schema : { ...whole, ...annotations }
}
