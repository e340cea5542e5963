import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema, SchemaAST } from "effect"
import { Api } from "../../src/http/Api.ts"
import { openApiDocument } from "../../src/http/openapi.ts"
import { operations } from "../../src/schema/operations/index.ts"
import { at, describedOperations } from "../support/document.ts"
import { compiler } from "../support/generate.ts"

const document = openApiDocument()
const described = describedOperations(document)
const compile = compiler()

const walk = (value: unknown, visit: (object: Readonly<Record<string, unknown>>) => void): void => {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) visit(value as Readonly<Record<string, unknown>>)
  for (const part of Object.values(value)) walk(part, visit)
}

const raw = Object.values(document.paths as Record<string, Record<string, Record<string, unknown>>>).flatMap((path) =>
  Object.values(path)
)

/** Every schema of the contract, and every part of one. */
const contractTypes = (): ReadonlySet<SchemaAST.AST> => {
  const found = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): void => {
    if (found.has(ast)) return
    found.add(ast)
    if (ast._tag === "TypeLiteral") for (const { type } of ast.propertySignatures) visit(type)
    if (ast._tag === "Union") for (const type of ast.types) visit(type)
    if (ast._tag === "TupleType") for (const { type } of ast.rest) visit(type)
  }
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ payloads, successes }) => {
      for (const payload of payloads.values()) visit(payload.ast)
      for (const success of successes.values()) Option.map(success.ast, visit)
    }
  })
  return found
}

describe("the OpenAPI document", () => {
  it("has no reference without a target, and no component without a reference", () => {
    const used = new Set<string>()
    walk(document, ({ $ref }) => {
      if (typeof $ref === "string") used.add($ref)
    })
    for (const reference of used) assert.isDefined(at(document, reference), reference)
    const { securitySchemes: _, ...components } = document.components as Record<string, object>
    const there = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`)
    )
    assert.sameMembers(there, [...used])
  })

  it("has every operation once, with a summary, a description, a described tag and the limit of its bucket", () => {
    assert.sameMembers(
      raw.map(({ operationId }) => operationId),
      operations.map(({ name }) => name)
    )
    const tags = new Map((document.tags as Array<{ name: string; description: string }>).map((tag) => [tag.name, tag]))
    for (const { operationId, summary, description, tags: own, "x-rate-limit": limit } of raw) {
      const operation = operations.find(({ name }) => name === operationId)
      assert.isNotEmpty(summary)
      assert.isNotEmpty(description)
      for (const tag of own as ReadonlyArray<string>) assert.isNotEmpty(tags.get(tag)?.description)
      assert.deepStrictEqual(limit, operation?.bucket && { rpm: operation.bucket.rpm }, String(operationId))
    }
  })

  it("describes every parameter and every property in a sentence", () => {
    const sentence = /^[A-Z`0-9].*[.]$/
    let count = 0
    walk(document, ({ parameters, properties }) => {
      for (const parameter of Array.isArray(parameters) ? parameters : []) {
        const { name, description } = parameter.$ref === undefined ? parameter : at(document, parameter.$ref)
        assert.match(String(description), sentence, name)
        count++
      }
      if (typeof properties !== "object" || properties === null) return
      for (const [name, property] of Object.entries(properties)) {
        assert.match(String(property.description), sentence, `${name} of ${Object.keys(properties)}`)
        count++
      }
    })
    assert.isAbove(count, 1000)
  })

  it("says which errors each operation may return", () => {
    for (const { name, responses, security, body, method } of described) {
      const has = (...statuses: ReadonlyArray<number>) => assert.containsAllKeys(responses, statuses.map(String), name)
      has(422, 500, 503)
      if (security.length > 0) has(401, 429)
      if (body !== null) has(400, 413, 415)
      if (name.startsWith("observations.") && method === "POST") has(403, 404)
      for (const [status, { content, headers }] of Object.entries(responses)) {
        assert.property(headers, "X-Request-Id", `${name} ${status}`)
        // Only deliveries of webhooks are work that is accepted and has a record.
        const isEmpty = ["204", "302", "304"].includes(status) || (status === "202" && !name.startsWith("webhooks."))
        assert.strictEqual(content === undefined, isEmpty, `${name} ${status}`)
      }
      if (security.length > 0) assert.containsAllKeys(responses[429]?.headers, ["Retry-After", "RateLimit"], name)
    }
  })

  it("requires the CSRF token from browsers where something changes", () => {
    for (const { name, method, security } of described) {
      const session = security.find((one) => "session" in one)
      if (session !== undefined) assert.strictEqual("csrf" in session, method !== "GET", name)
    }
  })

  it("has examples that its own schemas allow", () => {
    let count = 0
    for (const { name, body, responses } of described) {
      const media = [body?.media, ...Object.values(responses).map(({ content }) => content?.["application/json"])]
      for (const { schema, example } of media.filter((one) => one !== undefined)) {
        if (example === undefined) continue
        const validate = compile(schema)
        assert.isTrue(validate(example), `${name}: ${JSON.stringify(validate.errors)}`)
        count++
      }
    }
    assert.isAbove(count, 100)
    const bare = described.filter(({ body }) => body !== null && body.media.example === undefined)
    assert.deepStrictEqual(
      bare.map(({ name }) => name),
      []
    )
  })

  it("has examples that their schemas decode", () => {
    let count = 0
    for (const ast of contractTypes()) {
      const schema = Schema.make<unknown>(ast)
      for (const example of Option.getOrElse(SchemaAST.getExamplesAnnotation(ast), () => [])) {
        const encoded = Schema.encodeUnknownSync(schema)(example)
        assert.deepStrictEqual(Schema.decodeUnknownSync(schema)(encoded), example, String(ast))
        count++
      }
    }
    assert.isAbove(count, 40)
  })

  it("describes job events as a live stream, too", () => {
    const events = described.find(({ name }) => name === "jobs.events")
    assert.hasAllKeys(events?.responses[200]?.content, ["application/json", "text/event-stream"])
  })

  it("names the given server", () => {
    assert.deepInclude(openApiDocument("https://audit.example.org").servers, {
      url: "https://audit.example.org",
      description: "This installation"
    })
  })
})
