import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { HttpClient, HttpClientRequest, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { acceptedEncoding, worthCompressing } from "../../src/http/compression.ts"
import { staticContent } from "../../src/http/static.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { send } from "../support/wire.ts"

describe("the encoding of a response", () => {
  it("is the denser one of those that the client accepts, unless it prefers another", () => {
    const cases: ReadonlyArray<readonly [accept: string | undefined, expected: "br" | "gzip" | null]> = [
      [undefined, null],
      ["", null],
      ["identity", null],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["GZIP;Q=0.5", "gzip"],
      ["br;q=0.1, gzip;q=0.9", "gzip"],
      ["br;q=0, *", "gzip"],
      ["*;q=0", null],
      ["br;q=0, gzip; q=0", null],
      ["*", "br"],
      [";;,,", null]
    ]
    for (const [accept, expected] of cases) assert.strictEqual(acceptedEncoding(accept), expected, accept)
  })
})

const text = "an asset of some length; ".repeat(400)
const asset = HttpServer.serve(staticContent(text, "text/css", { cacheControl: "public, max-age=1" })).pipe(
  Layer.provideMerge(NodeHttpServer.layerTest)
)

const manyAddresses = Array.from({ length: 100 }, (_, n) => `2001:db8:0:0:0:0:0:${n}/128`)

/** As it was sent: most clients decode what they receive. */
const raw = (headers: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    HttpClient.execute(HttpClientRequest.get("/").pipe(HttpClientRequest.setHeaders(headers))),
    (response) =>
      Effect.map(response.arrayBuffer, (bytes) => ({
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(bytes)
      }))
  )

it.scoped("an asset is sent compressed, and is 304 in each encoding to a client that has it", () =>
  Effect.gen(function* () {
    const plain = yield* raw({})
    const br = yield* raw({ "accept-encoding": "br" })
    const gzip = yield* raw({ "accept-encoding": "gzip" })
    assert.strictEqual(plain.bytes.toString(), text)
    assert.strictEqual(brotliDecompressSync(br.bytes).toString(), text)
    assert.strictEqual(gunzipSync(gzip.bytes).toString(), text)
    for (const { headers, bytes } of [plain, br, gzip]) {
      assert.strictEqual(headers["content-length"], String(bytes.length))
      assert.strictEqual(headers.vary, "Accept-Encoding")
      assert.strictEqual(headers["cache-control"], "public, max-age=1")
      assert.strictEqual(headers.etag, plain.headers.etag)
      const again = yield* raw({ "accept-encoding": "br", "if-none-match": `"other", ${headers.etag}` })
      assert.deepStrictEqual([again.status, again.bytes.length, again.headers.vary], [304, 0, "Accept-Encoding"])
    }
    assert.strictEqual((yield* raw({ "if-none-match": '"other"' })).status, 200)
  }).pipe(Effect.provide(asset))
)

layer(TestApp)("a response of the API", (it) => {
  const accepting = { "accept-encoding": "gzip" }

  it.effect("is compressed when it is long and its client reads that, and says that it varies", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      const repository = yield* aRegisteredRepository(owner)
      for (let i = 0; i < 10; i++) yield* anObservation(owner, repository)
      const path = "/api/observations"
      const plain = yield* send({ path, as })
      const gzip = yield* send({ path, as, headers: accepting })
      assert.deepStrictEqual([plain.headers["content-encoding"], plain.headers.vary], [undefined, "Accept-Encoding"])
      assert.deepStrictEqual([gzip.headers["content-encoding"], gzip.headers.vary], ["gzip", "Accept-Encoding"])
      assert.isBelow(Number(gzip.headers["content-length"]), Number(plain.headers["content-length"]) / 3)
      assert.strictEqual(gzip.headers["content-type"], "application/json")
      const short = yield* send({ path: "/api/jobs", as, headers: accepting })
      assert.isUndefined(short.headers["content-encoding"])
    })
  )

  it.effect("is never compressed when it shows credentials", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const key = yield* send({
        path: "/api/keys",
        as: owner.session,
        headers: accepting,
        json: { name: "n", scopes: ["view_observations"], allowed_cidrs: manyAddresses }
      })
      assert.isAbove(key.text.length, worthCompressing)
      assert.deepStrictEqual([key.status, key.headers["content-encoding"]], [201, undefined])
      const session = yield* send({ path: "/api/session", as: owner.session, headers: accepting })
      assert.deepStrictEqual([session.status, session.headers["content-encoding"]], [200, undefined])
    })
  )

  it.effect("is kept by no cache and taken for nothing but what it is, errors included", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      for (const path of ["/api/jobs", "/api/nothing", "/api/jobs/x", "/mcp/", "/openapi.json"]) {
        const { headers } = yield* send({ path, as })
        assert.deepStrictEqual(
          [headers["cache-control"], headers["x-content-type-options"]],
          ["no-store", "nosniff"],
          path
        )
      }
    })
  )

  it.effect("that has not changed is 304 with the headers of the whole", () =>
    Effect.gen(function* () {
      const { api_key: as } = yield* aKey(yield* aWorkspace())
      const path = "/api/context/entries"
      const { headers: whole } = yield* send({ path, as })
      const again = yield* send({ path, as, headers: { "if-none-match": whole.etag ?? "" } })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
      for (const name of ["etag", "cache-control", "x-content-type-options"]) {
        assert.isString(whole[name], name)
        assert.strictEqual(again.headers[name], whole[name], name)
      }
    })
  )

  it.effect("of the web app may be framed by no one, and names its parts by their content", () =>
    Effect.gen(function* () {
      const page = yield* send({ path: "/" })
      assert.include(page.headers["content-security-policy"], "frame-ancestors 'none'")
      assert.notInclude(page.headers["content-security-policy"], "unsafe")
      assert.strictEqual(page.headers["cache-control"], "no-cache")
      const parts = [...page.text.matchAll(/<(?:link|script)\b[^>]* (?:src|href)="(\/[^"]+)"/g)].map(
        ([, path = ""]) => path
      )
      assert.lengthOf(parts, 2)
      for (const path of parts) {
        assert.match(path, /^\/assets\/\w+-[\w-]{8}\.(js|css)$/)
        const part = yield* send({ path })
        assert.deepStrictEqual(
          [part.status, part.headers["cache-control"]],
          [200, "public, max-age=31536000, immutable"]
        )
        assert.strictEqual(part.headers["x-content-type-options"], "nosniff")
      }
    })
  )
})
