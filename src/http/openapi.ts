import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option, SchemaAST } from "effect"
import { Closed } from "../schema/closed.ts"
import { Api } from "./Api.ts"
import { ServedOperation } from "./wire.ts"

type Json = Record<string, unknown>

const isObject = (u: unknown): u is Json => typeof u === "object" && u !== null && !Array.isArray(u)

/** The OpenAPI 3.1 document of the REST door: what the framework derives, with what it cannot know put right. */
export const openApiDocument = (): Json => {
  const document = structuredClone(OpenApi.fromApi(Api)) as unknown as Json
  const paths = document.paths as Record<string, Record<string, Json>>
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const operation = paths[path]?.[endpoint.method.toLowerCase()]
      const served = Context.getOption(mergedAnnotations, ServedOperation)
      if (operation === undefined || Option.isNone(served)) return
      describe(operation, served.value)
      tidyResponses(operation)
    }
  })
  const schemas = (document.components as Json).schemas as Record<string, Json>
  delete schemas.HttpApiDecodeError
  delete schemas.Issue
  delete schemas.PropertyKey
  openRecords(schemas)
  const components = document.components as Json
  components.securitySchemes = {
    apiKey: { type: "http", scheme: "bearer", description: "An API key, minted in the web app." },
    session: { type: "apiKey", in: "cookie", name: "assay_session", description: "A signed-in browser." }
  }
  return document
}

const describe = (operation: Json, served: typeof ServedOperation.Service) => {
  operation.summary = served.summary
  operation.operationId = served.name
  operation.description = served.scopes.length === 0 ? served.summary : `Needs ${served.scopes.join(" and ")}.`
  if (served.bucket !== undefined) operation["x-rate-limit"] = { rpm: served.bucket.rpm }
  operation.security =
    served.only === "anyone"
      ? []
      : served.only === "session"
        ? [{ session: [] }]
        : served.only === "key"
          ? [{ apiKey: [] }]
          : [{ apiKey: [] }, { session: [] }]
}

// Decoding fails as our own 422, but the framework lists its 400 on every operation; and an error that both the
// middleware and the endpoint declare would stand there twice.
const tidyResponses = (operation: Json) => {
  const responses = operation.responses as Record<string, Json>
  for (const [status, response] of Object.entries(responses)) {
    const media = (response.content as Json | undefined)?.["application/json"]
    if (!isObject(media) || !isObject(media.schema)) continue
    open(media.schema)
    const members = (Array.isArray(media.schema.anyOf) ? media.schema.anyOf : [media.schema]) as ReadonlyArray<Json>
    const kept = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()].filter(
      (member) => member.$ref !== "#/components/schemas/HttpApiDecodeError"
    )
    if (kept.length === 0) delete responses[status]
    else media.schema = kept.length === 1 ? kept[0] : { ...media.schema, anyOf: kept }
    if (Number(status) >= 400) response.description = statusText[status] ?? "Refused"
  }
}

const statusText: Record<string, string> = {
  400: "Malformed, or the state cannot satisfy it",
  401: "No valid credentials",
  402: "Billing or plan",
  403: "Not permitted",
  404: "Not there, or not visible",
  405: "Method not served here",
  409: "The state is another one",
  413: "Body too large",
  415: "Not application/json",
  422: "Failed validation",
  429: "Too many calls; see Retry-After",
  500: "Our fault",
  503: "Briefly unavailable; see Retry-After"
}

// Clients must tolerate new fields in answers; only what the contract calls closed stays closed.
const openRecords = (schemas: Record<string, Json>) => {
  const closed = closedIdentifiers()
  for (const [name, schema] of Object.entries(schemas)) if (!closed.has(name)) open(schema)
}

const open = (schema: unknown): void => {
  const parts = Array.isArray(schema) ? schema : isObject(schema) ? Object.values(schema) : []
  if (isObject(schema) && schema.additionalProperties === false) delete schema.additionalProperties
  for (const part of parts) open(part)
}

const closedIdentifiers = (): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (ast: SchemaAST.AST): void => {
    const identifier = SchemaAST.getIdentifierAnnotation(ast)
    if (ast.annotations[Closed] === true && Option.isSome(identifier)) found.add(identifier.value)
    for (const part of partsOf(ast)) visit(part)
  }
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ successes, payloads }) => {
      for (const { ast } of [...successes.values(), ...payloads.values()]) Option.map(asOption(ast), visit)
    }
  })
  return found
}

const asOption = (ast: Option.Option<SchemaAST.AST> | SchemaAST.AST): Option.Option<SchemaAST.AST> =>
  Option.isOption(ast) ? ast : Option.some(ast)

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map(({ type }) => type)
    case "Union":
      return ast.types
    case "TupleType":
      return ast.rest.map(({ type }) => type)
    case "Refinement":
    case "Transformation":
      return [ast.from]
    default:
      return []
  }
}
