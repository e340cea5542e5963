import { HttpClient, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocsSite } from "../../src/http/DocsSite.ts"

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
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
    assert.isAbove(parts.length, 4)
    for (const part of parts.filter((address) => address !== "data:,")) {
      assert.match(part, /^\/[a-z./-]+$/)
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
