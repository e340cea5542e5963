import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { make, OutboundFailure, type OutboundHttpOptions } from "../../src/layers/OutboundHttp.ts"
import { aCertificateAuthority } from "../support/certificateAuthority.ts"
import { aConnectProxy } from "../support/connectProxy.ts"
import { aListener, aSecureServer, aServer } from "../support/gitServer.ts"
import { outboundOptions } from "../support/outbound.ts"

const authority = aCertificateAuthority()
const certificate = authority.certify("DNS:api.example.test", "IP:127.0.0.1")

const withOptions = (options: Partial<OutboundHttpOptions> = {}) => make({ ...outboundOptions, ...options })

const outbound = (options: Partial<OutboundHttpOptions> = {}) => withOptions(options).fetch

const rejection = (call: Promise<Response>) =>
  Effect.map(Effect.flip(Effect.tryPromise({ try: () => call, catch: (error) => error })), (error) => {
    assert.instanceOf(error, TypeError)
    assert.strictEqual(error.message, "fetch failed")
    if (!(error.cause instanceof OutboundFailure)) return assert.fail(String(error.cause))
    return { reason: error.cause.reason, message: error.cause.message }
  })

const echoes: RequestListener = (request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { method, headers } = request
    response.setHeader("set-cookie", ["a=1", "b=2"])
    response.end(JSON.stringify({ method, token: headers.authorization, body: Buffer.concat(chunks).toString() }))
  })
}

const trusting = { extraAuthorities: authority.pem, resolve: () => Promise.resolve(["127.0.0.1"]) }

describe.concurrent("calls to other hosts", () => {
  it.scopedLive("carry method, headers and body, and return a whole response with its address", () =>
    Effect.gen(function* () {
      const port = yield* aSecureServer(certificate, echoes)
      const url = `https://api.example.test:${port}/things?page=2`
      const response = yield* Effect.promise(() =>
        outbound(trusting)(url, { method: "POST", headers: { authorization: "Bearer t" }, body: "{}" })
      )
      assert.deepStrictEqual(
        [response.status, response.url, response.headers.getSetCookie()],
        [200, url, ["a=1", "b=2"]]
      )
      assert.deepStrictEqual(yield* Effect.promise(() => response.json()), {
        method: "POST",
        token: "Bearer t",
        body: "{}"
      })
    })
  )

  it.scopedLive("trust an authority of the operator only once it is given", () =>
    Effect.gen(function* () {
      const port = yield* aSecureServer(certificate, echoes)
      const { reason } = yield* rejection(outbound()(`https://127.0.0.1:${port}/`))
      assert.strictEqual(reason, "unreachable")
      const response = yield* Effect.promise(() => outbound(trusting)(`https://127.0.0.1:${port}/`))
      assert.strictEqual(response.status, 200)
      const other = yield* rejection(outbound(trusting)(`https://other.example.test:${port}/`))
      assert.deepStrictEqual(other, {
        reason: "unreachable",
        message: `other.example.test:${port} could not be reached (ERR_TLS_CERT_ALTNAME_INVALID).`
      })
    })
  )

  it.scopedLive("connect to the address that was checked: the name is resolved once", () =>
    Effect.gen(function* () {
      const port = yield* aSecureServer(certificate, echoes)
      let lookups = 0
      const resolve = () => Promise.resolve([lookups++ === 0 ? "127.0.0.1" : "192.0.2.1"])
      const response = yield* Effect.promise(() =>
        outbound({ ...trusting, resolve })(`https://api.example.test:${port}/`)
      )
      assert.deepStrictEqual([response.status, lookups], [200, 1])
    })
  )

  it.scopedLive("reach no private address unless the operator allows it, or names the host", () =>
    Effect.gen(function* () {
      const port = yield* aSecureServer(certificate, echoes)
      const careful = withOptions({ ...trusting, allowPrivateNetwork: false })
      for (const host of ["api.example.test", "127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]"]) {
        const { reason } = yield* rejection(careful.fetch(`https://${host}:${port}/`))
        assert.strictEqual(reason, "address_refused", host)
      }
      const named = yield* Effect.promise(() => careful.fetchConfigured(`https://api.example.test:${port}/`))
      assert.strictEqual(named.status, 200)
      const { reason } = yield* rejection(careful.fetchConfigured("https://169.254.169.254/latest/meta-data"))
      assert.strictEqual(reason, "address_refused")
    })
  )

  it.effect("go over plain http to this machine only", () =>
    Effect.gen(function* () {
      const { reason } = yield* rejection(outbound()("http://api.example.test/"))
      assert.strictEqual(reason, "protocol_refused")
    })
  )

  it.scopedLive("do not follow redirects, and send nothing to where they lead", () =>
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const other = yield* aServer((request, response) => {
        seen.push(request.headers.authorization)
        response.end()
      })
      const port = yield* aServer((_, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end()
      })
      const call = outbound()(`http://127.0.0.1:${port}/`, { headers: { authorization: "Bearer t" } })
      assert.strictEqual((yield* rejection(call)).reason, "redirect")
      assert.deepStrictEqual(seen, [])
    })
  )

  it.scopedLive("end at their limits of size and time, and when the caller gives up", () =>
    Effect.gen(function* () {
      const port = yield* aServer((_, response) => {
        response.write("x".repeat(100))
        response.end()
      })
      const silent = yield* aListener(() => {})
      const large = yield* rejection(outbound({ maxBytes: 99 })(`http://127.0.0.1:${port}/`))
      assert.strictEqual(large.reason, "too_large")
      const slow = yield* rejection(outbound({ timeoutMillis: 50 })(`http://127.0.0.1:${silent}/`))
      assert.strictEqual(slow.reason, "timeout")
      const given = new AbortController()
      const call = outbound()(`http://127.0.0.1:${silent}/`, { signal: given.signal })
      given.abort(new Error("enough"))
      const error = yield* Effect.flip(Effect.tryPromise({ try: () => call, catch: (reason) => reason }))
      assert.strictEqual(String(error), "Error: enough")
    })
  )

  it.scopedLive("go through the proxy, which resolves the names, with its login and without that of the call", () =>
    Effect.gen(function* () {
      const port = yield* aSecureServer(certificate, echoes)
      const proxy = yield* aConnectProxy("assay:p@ss word")
      const url = proxy.url.replace("http://", "http://assay:p%40ss%20word@")
      const proxies = { https: Redacted.make(url), http: null, except: ["direct.example.test"] }
      const through = outbound({ ...trusting, allowPrivateNetwork: false, proxies, resolve: () => Promise.reject() })
      const response = yield* Effect.promise(() =>
        through(`https://api.example.test:${port}/`, { headers: { authorization: "Bearer t" } })
      )
      assert.strictEqual(response.status, 200)
      const login = `Basic ${Buffer.from("assay:p@ss word").toString("base64")}`
      assert.deepStrictEqual(proxy.requests, [{ target: `api.example.test:${port}`, authorization: login }])
      // Addresses are checked before the proxy sees them, and exceptions are resolved here.
      assert.strictEqual((yield* rejection(through("https://10.0.0.1/"))).reason, "address_refused")
      assert.strictEqual((yield* rejection(through("https://a.direct.example.test/"))).reason, "unreachable")
      assert.lengthOf(proxy.requests, 1)
    })
  )

  it.scopedLive("that the proxy rejects say so without its login", () =>
    Effect.gen(function* () {
      const proxy = yield* aConnectProxy("assay:right")
      const proxies = { https: Redacted.make(proxy.url.replace("//", "//assay:s3cret@")), http: null, except: [] }
      const { reason, message } = yield* rejection(outbound({ proxies })("https://api.example.test/"))
      assert.strictEqual(reason, "unreachable")
      assert.notInclude(message, "s3cret")
    })
  )
})
