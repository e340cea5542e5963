import { HttpClient, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocsSite } from "../../src/http/DocsSite.ts"
import { explorerPage } from "../../src/http/explorer.ts"
import { openApiDocument } from "../../src/http/openapi.ts"

const site = Layer.unwrapEffect(
  Effect.map(
    DocsSite(() => "https://audit.example.org"),
    (app) => HttpServer.serve(app)
  )
).pipe(Layer.provideMerge(NodeHttpServer.layerTest))

const fetchText = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(HttpClient.get(path, { headers }), (response) =>
    Effect.map(response.text, (text) => ({ status: response.status, headers: response.headers, text }))
  )

it.scoped("the docs site needs nothing from elsewhere, and lets no foreign script run", () =>
  Effect.gen(function* () {
    const page = yield* fetchText("/")
    assert.strictEqual(page.status, 200)
    assert.include(page.headers["content-security-policy"], "default-src 'self'")
    const parts = new Set([...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!))
    parts.delete("data:,")
    assert.isAbove(parts.size, 4)
    for (const part of parts) {
      assert.match(part, /^\/[A-Za-z./-]+$/)
      const { status, text } = yield* fetchText(part)
      assert.strictEqual(status, 200, part)
      assert.notMatch(text, /@import|url\(["']?https?:/)
    }
    assert.strictEqual((yield* fetchText("/nothing")).status, 404)
  }).pipe(Effect.provide(site))
)

it.scoped("the docs site serves the document of this installation, once to each reader", () =>
  Effect.gen(function* () {
    const { headers, text } = yield* fetchText("/openapi.json")
    assert.include(headers["content-type"], "application/json")
    assert.strictEqual(JSON.parse(text).servers[0].url, "https://audit.example.org")
    const again = yield* fetchText("/openapi.json", { "if-none-match": headers.etag ?? "" })
    assert.deepStrictEqual([again.status, again.text], [304, ""])
  }).pipe(Effect.provide(site))
)

const anchors = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

it("the API page shows every operation of the document once, and its links lead to what they name", () => {
  const document = openApiDocument()
  const page = explorerPage(document)
  const ids = anchors(page)
  assert.strictEqual(new Set(ids).size, ids.length)
  const operations = Object.values(document.paths as Record<string, Record<string, { readonly operationId: string }>>)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId)
  assert.isAbove(operations.length, 80)
  assert.includeMembers(ids, operations)
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.include(ids, target)
})

it("the API page names parameters, fields of bodies at any depth, statuses and examples", () => {
  const page = explorerPage({
    openapi: "3.1.0",
    info: { title: "T", description: "About <b>it</b>." },
    tags: [{ name: "things", description: "All **things**." }],
    paths: {
      "/things/{id}": {
        post: {
          tags: ["things"],
          operationId: "things.change",
          summary: "Change `it`.",
          security: [{ apiKey: [] }, { session: [], csrf: [] }],
          "x-rate-limit": { rpm: 7 },
          parameters: [{ $ref: "#/components/parameters/id" }],
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["rows"],
                  properties: {
                    rows: { type: "array", items: { type: "object", properties: { kind: { enum: ["a", "b"] } } } },
                    note: { anyOf: [{ $ref: "#/components/schemas/Note" }, { type: "null" }] }
                  }
                },
                example: { note: "<script>" }
              }
            }
          },
          responses: { "200": { description: "Done" }, "404": { $ref: "#/components/responses/NotFound" } }
        }
      }
    },
    components: {
      parameters: { id: { name: "id", in: "path", required: true, schema: { type: "string", maxLength: 9 } } },
      responses: { NotFound: { description: "Not found: `not_found`." } },
      schemas: { Note: { type: "object", properties: { text: { type: "string", format: "date" } } } }
    }
  })
  for (const part of [
    "<code>/things/{id}</code>",
    "apiKey, or session with csrf. At most 7 calls per minute.",
    "<td><code>id</code></td><td>string; at most this many characters: <code>9</code></td>",
    "<td><code>rows</code></td><td>array of object</td>",
    "<td><code>rows[].kind</code> <small>optional</small></td><td><code>a</code> or <code>b</code></td>",
    '<td><a href="#schema-Note">Note</a> or null</td>',
    "<td>string (date)</td>",
    "&lt;script&gt;",
    "&lt;b&gt;it&lt;/b&gt;",
    "<b>404</b> Not found: <code>not_found</code>."
  ]) {
    assert.include(page, part)
  }
})
