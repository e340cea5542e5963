import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option, Schema, SchemaAST } from "effect"
import { Api } from "./Api.ts"
import { type Described, errorResponses, headers, successResponse } from "./openapiResponses.ts"
import { isObject, type Json, ref, tidy, tidyMembers } from "./openapiSchemas.ts"
import { ServedOperation } from "./wire.ts"

/** Where `assay serve` listens by default. */
const defaultServer = "http://127.0.0.1:4000"

/** The OpenAPI 3.1 document of the REST API: what its annotations say, completed by what they cannot express. */
export const openApiDocument = (serverUrl: string = defaultServer): Json => {
  built ??= build()
  const { openapi, info, ...rest } = built
  return { openapi, info, servers: [{ url: serverUrl, description: "This installation" }], ...rest }
}

// All of it but the server's URL is the same for everyone.
let built: Json | undefined

const build = (): Json => {
  // Every endpoint names its own security.
  const { security: _, ...derived } = structuredClone(
    OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  ) as unknown as Derived
  const schemas = tidyMembers(derived.components.schemas)
  const named = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]))
  const parameters: Record<string, Json> = {}
  const responses: Record<string, Json> = {}
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, payloads, successes, errors }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const document = derived.paths[path]?.[endpoint.method.toLowerCase()]
      const served = Context.getOption(mergedAnnotations, ServedOperation)
      if (document === undefined || Option.isNone(served)) return
      const described = {
        operation: served.value,
        method: endpoint.method,
        hasBody: document.requestBody !== undefined
      }
      document.security = securityOf(described)
      describeParameters(document, parameters)
      if (isObject(document.requestBody)) describeBody(document.requestBody, payloads.get("application/json")?.ast)
      for (const [status, { ast }] of successes) {
        const response = document.responses[status] ?? {}
        Object.assign(response, successResponse(String(status), described))
        describeMedia(response, Option.getOrUndefined(ast), named)
      }
      for (const status of errors.keys()) delete document.responses[status]
      Object.assign(document.responses, errorResponses(errors, described, responses))
    }
  })
  const document = {
    ...derived,
    info: {
      ...derived.info,
      contact: { name: "The operator of this installation" },
      license: { name: "MIT", identifier: "MIT" }
    },
    components: {
      securitySchemes: { ...derived.components.securitySchemes, ...browserSchemes },
      parameters,
      headers: { ...headers },
      responses,
      schemas
    }
  }
  dropUnused(document)
  return document
}

/** As the framework derives it. */
interface Derived {
  readonly openapi: string
  readonly info: Json
  readonly security: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Json; readonly securitySchemes: Json }
}

interface OperationObject extends Json {
  parameters?: ReadonlyArray<Json>
  responses: Record<string, Json>
}

// The middleware has one scheme only: the framework would try several in turn.
const browserSchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "assay_session",
    description: "A signed-in browser. Behind TLS its name is `__Host-assay_session`."
  },
  csrf: {
    type: "apiKey",
    in: "header",
    name: "X-Assay-CSRF",
    description: "`csrf_token` of the session; required with the cookie on every call that changes something."
  }
}

const securityOf = ({ operation, method }: Described): ReadonlyArray<Json> => {
  const session = method === "GET" ? { session: [] } : { session: [], csrf: [] }
  switch (operation.only) {
    case "anyone":
      return []
    case "session":
      return [session]
    case "key":
      return [{ apiKey: [] }]
    default:
      return [{ apiKey: [] }, session]
  }
}

// One component for what is the same everywhere; a name that means something else elsewhere stays in its operation.
const describeParameters = (document: OperationObject, shared: Record<string, Json>) => {
  const parameters = (document.parameters ?? [])
    // The document may not describe this header: media types of responses do.
    .filter(({ name }) => name !== "accept")
    .map((parameter) => {
      const name = String(parameter.name)
      const { description: _, ...schema } = tidy(parameter.schema) as Json
      const complete = { ...parameter, schema }
      shared[name] ??= complete
      return JSON.stringify(shared[name]) === JSON.stringify(complete) ? ref("parameters", name) : complete
    })
  if (parameters.length === 0) delete document.parameters
  else document.parameters = parameters
}

const mediaOf = ({ content }: Json): Json | undefined =>
  isObject(content) ? (content["application/json"] as Json | undefined) : undefined

const describeBody = (body: Json, ast: SchemaAST.AST | undefined) => {
  const media = mediaOf(body)
  if (media === undefined || ast === undefined) return
  const { anyOf } = media.schema as Json
  // No body at all is read as null.
  const whole = Array.isArray(anyOf) ? anyOf.find((part) => isObject(part) && part.type !== "null") : undefined
  if (whole !== undefined) {
    media.schema = whole
    body.required = false
  }
  Object.assign(media, exampleOf(ast))
}

const describeMedia = (response: Json, ast: SchemaAST.AST | undefined, named: ReadonlyMap<string, string>) => {
  const media = mediaOf(response)
  if (media === undefined || ast === undefined) return
  const schema = tidy(media.schema)
  // The framework writes some schemas out again; a reference to the component is enough.
  const name = named.get(JSON.stringify(schema))
  media.schema = name === undefined ? schema : ref("schemas", name)
  Object.assign(media, exampleOf(ast))
}

/** The first example of a schema, or of the first alternative that has one. */
const exampleOf = (ast: SchemaAST.AST): { readonly example?: unknown } => {
  const [example] = Option.getOrElse(SchemaAST.getExamplesAnnotation(ast), () => [])
  if (example !== undefined) return { example: Schema.encodeUnknownSync(Schema.make(ast))(example) }
  const found = ast._tag === "Union" ? ast.types.map(exampleOf).find((one) => "example" in one) : undefined
  return found ?? {}
}

/** Removes components without a reference to them. */
const dropUnused = (document: { readonly paths: unknown; readonly components: Record<string, Json> }) => {
  const used = new Set<string>()
  const rest: Array<unknown> = [document.paths]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== "object" || next === null) continue
    rest.push(...Object.values(next))
    const { $ref } = next as Json
    if (typeof $ref !== "string" || used.has($ref)) continue
    used.add($ref)
    const [, , kind = "", name = ""] = $ref.split("/")
    rest.push(document.components[kind]?.[name])
  }
  for (const [kind, components] of Object.entries(document.components)) {
    if (kind === "securitySchemes") continue
    for (const name of Object.keys(components)) if (!used.has(`#/components/${kind}/${name}`)) delete components[name]
  }
}
