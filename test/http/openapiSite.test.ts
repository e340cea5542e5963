import { HttpClient, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { apiPages, tasks } from "../../src/http/docs/apiPages.ts"
import { DocsSite } from "../../src/http/docs/DocsSite.ts"
import { guides } from "../../src/http/docs/guides.ts"
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

/** Every page of the site, by its path. */
const wholeSite = Effect.gen(function* () {
  const paths = [
    ...(yield* guides(() => "")).map(({ path }) => path),
    ...apiPages(openApiDocument).map(({ path }) => path)
  ]
  const pages = yield* Effect.forEach(["/", ...paths], (path) =>
    Effect.map(fetchText(path), (page) => [path, page] as const)
  )
  return new Map(pages)
})

it.scoped("the docs site needs nothing from elsewhere, and lets no foreign script run", () =>
  Effect.gen(function* () {
    const parts = new Set<string>()
    for (const [path, page] of yield* wholeSite) {
      assert.strictEqual(page.status, 200, path)
      assert.include(page.headers["content-security-policy"], "default-src 'self'")
      for (const [, part = ""] of page.text.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"#]+)"/g)) {
        if (part === "data:,") continue
        const { host, pathname } = new URL(part, `http://docs${path}`)
        assert.strictEqual(host, "docs", part)
        parts.add(pathname)
      }
    }
    // A script and a style; the rest are the pictures of the web app.
    assert.lengthOf(
      [...parts].filter((part) => !/\.webp$/.test(part)),
      2
    )
    for (const part of [...parts, "/search.json"]) {
      assert.match(part, /^\/[\w./-]+$/)
      const { status, text } = yield* fetchText(part)
      assert.strictEqual(status, 200, part)
      assert.notMatch(text, /@import|url\(["']?https?:/)
    }
  }).pipe(Effect.provide(site))
)

it.scoped("every link of the docs site leads to a page and a part of it that are there", () =>
  Effect.gen(function* () {
    const pages = yield* wholeSite
    for (const [path, { text }] of pages) {
      for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        const target = new URL(href, `http://docs${path}`)
        if (target.host !== "docs" || target.pathname === "/openapi.json") continue
        const page = pages.get(decodeURIComponent(target.pathname))
        assert.isDefined(page, `${path} links to ${href}`)
        if (target.hash !== "") assert.include(page.text, `id="${target.hash.slice(1)}"`, `${path} links to ${href}`)
      }
    }
  }).pipe(Effect.provide(site))
)

it.scoped("a search finds guides by their headings and operations by their paths", () =>
  Effect.gen(function* () {
    const entries: ReadonlyArray<{ readonly path: string; readonly title: string }> = JSON.parse(
      (yield* fetchText("/search.json")).text
    )
    const pathOf = (title: string) => entries.find((entry) => entry.title.includes(title))?.path
    assert.strictEqual(pathOf("Behind a proxy"), "/docs/operations.md#behind-a-proxy")
    assert.strictEqual(pathOf("POST /api/repos "), "/api/repositories/#repositories.register")
    assert.strictEqual(new Set(entries.map(({ path }) => path)).size, entries.length)
  }).pipe(Effect.provide(site))
)

it.scoped("a page that is not there is 404, with a way on; a folder is found without its slash", () =>
  Effect.gen(function* () {
    const missing = yield* fetchText("/nothing")
    assert.deepStrictEqual([missing.status, missing.headers["content-type"]], [404, "text/html; charset=utf-8"])
    assert.include(missing.text, "Page not found")
    assert.include(missing.text, 'href="/docs/"')
    assert.include(missing.headers["content-security-policy"], "default-src 'self'")
    const folder = yield* fetchText("/docs")
    assert.deepStrictEqual([folder.status, folder.headers.location], [308, "/docs/"])
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

/** All pages of a document in one text. */
const pageOf = (document: Record<string, unknown>) =>
  apiPages(() => document)
    .map(({ html }) => html())
    .join("\n")

const anchors = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

const reference = () => apiPages(openApiDocument).map((page) => ({ ...page, text: page.html() }))

it("the API reference shows every operation of the document on one page, under what people do with it", () => {
  const document = openApiDocument()
  const pages = reference()
  for (const { path, text } of pages) assert.strictEqual(new Set(anchors(text)).size, anchors(text).length, path)
  const operations = Object.values(document.paths as Record<string, Record<string, { readonly operationId: string }>>)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId)
  assert.isAbove(operations.length, 80)
  const shown = pages.flatMap(({ text }) => anchors(text)).filter((id) => id.includes("."))
  assert.sameMembers(shown, operations)
  const tags = (document.tags as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
  assert.sameMembers(
    tasks.flatMap((task) => task.tags),
    tags
  )
})

it("the API reference names parameters, fields of bodies at any depth, statuses and examples", () => {
  const page = pageOf({
    openapi: "3.1.0",
    info: { title: "T", description: "About <b>it</b>." },
    tags: [{ name: "jobs", description: "All **things**." }],
    paths: {
      "/things/{id}": {
        post: {
          tags: ["jobs"],
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
    '<td><a href="/api/schemas/#schema-Note">Note</a> or null</td>',
    "<td>string (date)</td>",
    "&lt;script&gt;",
    "&lt;b&gt;it&lt;/b&gt;",
    "<b>404</b> Not found: <code>not_found</code>."
  ]) {
    assert.include(page, part)
  }
})
