import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import type { Operation } from "../schema/Operation.ts"
import { Api } from "./Api.ts"
import { examples } from "./examples.ts"
import { about, notes, parameters as parameterNotes, tags } from "./openapiProse.ts"
import { ownErrors, responseComponents, tidyResponses } from "./openapiResponses.ts"
import { byReference, isObject, type Json, ref, tidy, tidySchemas } from "./openapiSchemas.ts"
import { ServedOperation } from "./wire.ts"

/** Where `assay serve` listens unless told otherwise. */
const defaultServer = "http://127.0.0.1:4000"

/** The OpenAPI 3.1 document of the REST door: what the framework derives, with what it cannot know put right. */
export const openApiDocument = (serverUrl: string = defaultServer): Json => {
  const derived = structuredClone(OpenApi.fromApi(Api)) as unknown as Json
  const paths = derived.paths as Record<string, Record<string, Json>>
  const schemas = (derived.components as { readonly schemas: Record<string, Json> }).schemas
  tidySchemas(schemas)
  const shared = responseComponents(schemas.FieldProblem ?? {})
  const parameters: Record<string, Json> = {}
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const described = paths[path]?.[endpoint.method.toLowerCase()]
      const served = Context.getOption(mergedAnnotations, ServedOperation)
      if (described === undefined || Option.isNone(served)) return
      describe(described, served.value, endpoint.method)
      describeParameters(described, parameters)
      describeBody(described, served.value)
      tidyResponses(described, {
        operation: served.value,
        method: endpoint.method,
        own: ownErrors(endpoint.errorSchema),
        schemas,
        components: shared
      })
      describeAnswers(described, served.value, schemas)
    }
  })
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: "1",
      summary: "Audits of code repositories, and what becomes of their findings.",
      description: about,
      contact: { name: "Whoever runs this installation" },
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: serverUrl, description: "This installation" }],
    tags: tagsOf(derived.tags as ReadonlyArray<{ readonly name: string }>),
    paths,
    components: {
      securitySchemes,
      parameters,
      headers: shared.headers,
      responses: shared.responses,
      schemas: { ...schemas, ...shared.schemas }
    }
  }
  dropUnused(document)
  return document
}

const tagsOf = (groups: ReadonlyArray<{ readonly name: string }>) => {
  const order = Object.keys(tags)
  return groups
    .map(({ name }) => ({ name, description: tags[name] ?? name }))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}

const securitySchemes = {
  apiKey: { type: "http", scheme: "bearer", description: "An API key, minted in the web app." },
  session: { type: "apiKey", in: "cookie", name: "assay_session", description: "A signed-in browser." },
  csrf: {
    type: "apiKey",
    in: "header",
    name: "X-Assay-CSRF",
    description: "`csrf_token` of the session; needed with the cookie on everything that changes something."
  }
}

const describe = (described: Json, operation: Operation, method: string) => {
  const { name, summary, scopes, bucket, only } = operation
  const scopesNote = scopes.length === 0 ? [] : [`Needs ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.`]
  const note = notes[name] === undefined ? [] : [notes[name]]
  described.summary = summary
  described.operationId = name
  described.description = [...(note.length === 0 ? [summary] : note), ...scopesNote].join(" ")
  if (bucket !== undefined) described["x-rate-limit"] = { rpm: bucket.rpm }
  const session = method === "GET" ? { session: [] } : { session: [], csrf: [] }
  described.security =
    only === "anyone"
      ? []
      : only === "session"
        ? [session]
        : only === "key"
          ? [{ apiKey: [] }]
          : [{ apiKey: [] }, session]
}

// One component for what is the same everywhere; a name that means something else elsewhere stays in its place.
const describeParameters = (described: Json, shared: Record<string, Json>) => {
  const own = (described.parameters ?? []) as ReadonlyArray<Json>
  const kept = own
    // The document may not describe this header: media types of answers do.
    .filter(({ name }) => name !== "accept")
    .map((parameter) => {
      const name = String(parameter.name)
      const schema = tidy(parameter.schema) as Json
      const { description = parameterNotes[name], ...rest } = schema
      const complete = { ...parameter, ...(description === undefined ? {} : { description }), schema: rest }
      const known = shared[name]
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(complete)) return complete
      shared[name] = complete
      return ref("parameters", name)
    })
  if (kept.length === 0) delete described.parameters
  else described.parameters = kept
}

const describeBody = (described: Json, { name }: Operation) => {
  const { requestBody } = described
  if (!isObject(requestBody)) return
  const media = (requestBody.content as Record<string, Json>)["application/json"] as Json
  const schema = media.schema as Json
  // No body at all is read as null.
  const body = Array.isArray(schema.anyOf) ? schema.anyOf.find((part) => isObject(part) && part.type !== "null") : null
  if (isObject(body)) {
    media.schema = body
    requestBody.required = false
  }
  const example = examples[name]?.request
  if (example !== undefined) media.example = example
}

const describeAnswers = (described: Json, { name }: Operation, schemas: Readonly<Record<string, Json>>) => {
  for (const [status, response] of Object.entries(described.responses as Record<string, Json>)) {
    const content = response.content as Record<string, Json> | undefined
    const media = content?.["application/json"]
    if (media === undefined) continue
    media.schema = byReference(tidy(media.schema) as Json, schemas)
    const example = examples[name]?.[status]
    if (example !== undefined) media.example = example
    if (name === "jobs.events" && content !== undefined) content["text/event-stream"] = eventStream
  }
}

const eventStream = {
  schema: { type: "string", description: "Server-sent events: `id`, `event` (the type) and `data` (a JobEvent)." },
  example: `id: 3
event: stage_started
data: {"ts":"2026-11-20T08:00:13.453Z","stage":"prepare","type":"stage_started","detail":"","data":{"attempt_number":1}}

`
}

/** Removes components that nothing refers to: the errors that became codes, headers that no answer has. */
const dropUnused = (document: { readonly paths: unknown; readonly components: Record<string, Json> }) => {
  const used = new Set<string>()
  const rest: Array<unknown> = [document.paths]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (Array.isArray(next)) rest.push(...next)
    else if (isObject(next)) {
      const { $ref } = next
      if (typeof $ref === "string" && !used.has($ref)) {
        used.add($ref)
        const [, , kind = "", name = ""] = $ref.split("/")
        rest.push(document.components[kind]?.[name])
      }
      rest.push(...Object.values(next))
    }
  }
  for (const [kind, components] of Object.entries(document.components)) {
    if (kind === "securitySchemes") continue
    for (const name of Object.keys(components)) if (!used.has(`#/components/${kind}/${name}`)) delete components[name]
  }
}
