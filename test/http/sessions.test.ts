import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { aWorkspace } from "../support/builders.ts"
import { Database } from "../support/Database.ts"
import { App, TestApp, testApp } from "../support/TestApp.ts"
import { type Call, outcome, send } from "../support/wire.ts"

const signIn = (more: Partial<Call> = {}) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    const link = yield* Effect.flatMap(Sessions, (sessions) => sessions.linkFor(owner.email))
    return yield* send({ path: "/api/session/link", json: { token: link?.token }, ...more })
  })

const create = { path: "/api/keys", json: { name: "ci", scopes: ["view_jobs"] } }

layer(TestApp)((it) => {
  describe("a request to sign in", () => {
    it.effect("is limited by its address before its body is read", () =>
      Effect.gen(function* () {
        const hostile = { path: "/api/session", body: `{"a":${"[".repeat(1000)}`, address: "198.51.100.9" }
        const outcomes: Array<string> = []
        for (let i = 0; i < 121; i++) outcomes.push(yield* outcome(hostile))
        assert.deepStrictEqual([...new Set(outcomes.slice(0, 120))], ["400 bad_request"])
        assert.strictEqual(outcomes[120], "429 rate_limit_qps")
        assert.strictEqual(yield* outcome({ ...hostile, path: "/api/session/link" }), "429 rate_limit_qps")
        assert.strictEqual(yield* outcome({ ...hostile, address: "198.51.100.10" }), "400 bad_request")
      })
    )
  })

  describe("a browser session", () => {
    it.effect("travels in a cookie that scripts and other sites cannot use", () =>
      Effect.gen(function* () {
        const { headers } = yield* signIn()
        const cookie = headers["set-cookie"]?.[0] ?? ""
        assert.match(cookie, /^assay_session=[0-9A-Za-z]{43};/)
        assert.deepStrictEqual(cookie.split("; ").slice(1).sort(), [
          "HttpOnly",
          "Max-Age=1209600",
          "Path=/",
          "SameSite=Lax"
        ])
      })
    )

    it.effect("changes nothing without the CSRF token of that session", () =>
      Effect.gen(function* () {
        const [{ session }, other] = [yield* aWorkspace(), yield* aWorkspace()]
        const cookie = `assay_session=${session.cookie}`
        assert.strictEqual(yield* outcome({ ...create, headers: { cookie } }), "403 csrf_refused")
        const foreign = { cookie, "x-assay-csrf": other.session.csrf }
        assert.strictEqual(yield* outcome({ ...create, headers: foreign }), "403 csrf_refused")
        assert.strictEqual(yield* outcome({ ...create, as: session }), "201")
        assert.strictEqual(yield* outcome({ path: "/api/keys", headers: { cookie } }), "200")
      })
    )

    it.effect("changes nothing for a page of another origin", () =>
      Effect.gen(function* () {
        const { url } = yield* App
        const { session } = yield* aWorkspace()
        for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1", `${url}.evil.example`]) {
          assert.strictEqual(
            yield* outcome({ ...create, as: session, headers: { origin } }),
            "403 csrf_refused",
            origin
          )
          assert.strictEqual((yield* signIn({ headers: { origin } })).status, 403, origin)
        }
        assert.strictEqual(yield* outcome({ ...create, as: session, headers: { origin: url } }), "201")
        assert.strictEqual((yield* signIn({ headers: { origin: url } })).status, 200)
      })
    )

    it.effect("is read back, ends when signed out, and the cookie with it", () =>
      Effect.gen(function* () {
        const { session, email } = yield* aWorkspace()
        const read = yield* send({ path: "/api/session", as: session })
        assert.strictEqual(JSON.parse(read.text).user.email, email)
        assert.strictEqual(JSON.parse(read.text).csrf_token, session.csrf)
        const out = yield* send({ method: "DELETE", path: "/api/session", as: session })
        assert.strictEqual(out.status, 204)
        assert.include(out.headers["set-cookie"]?.[0], "Max-Age=0")
        assert.strictEqual(yield* outcome({ path: "/api/session", as: session }), "401 invalid_session")
      })
    )

    it.effect("is opened by JSON only", () =>
      Effect.gen(function* () {
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
          const response = yield* signIn({ headers: { "content-type": type } })
          assert.strictEqual(response.status, 415, `${type}: ${response.text}`)
        }
      })
    )

    it.effect("is no credential for agents", () =>
      Effect.gen(function* () {
        const { session } = yield* aWorkspace()
        assert.strictEqual(yield* outcome({ path: "/mcp/", json: {}, as: session }), "401 missing_api_key")
      })
    )
  })
})

layer(testApp({ secureCookies: true }).pipe(Layer.provideMerge(Database)))("behind TLS", (it) => {
  it.effect("cookies are Secure, and no other host can set them (__Host-)", () =>
    Effect.gen(function* () {
      const { headers } = yield* signIn()
      const cookies = headers["set-cookie"] ?? []
      assert.strictEqual(cookies.length, 2)
      for (const cookie of cookies) {
        assert.match(cookie, /^__Host-assay_(?:session|device)=/)
        const attributes = cookie.split("; ").slice(1)
        for (const attribute of ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]) assert.include(attributes, attribute)
        assert.isFalse(attributes.some((attribute) => attribute.startsWith("Domain")))
      }
    })
  )

  it.effect("a session is known by that name only", () =>
    Effect.gen(function* () {
      const { session } = yield* aWorkspace()
      const path = "/api/session"
      const under = (name: string) => outcome({ path, headers: { cookie: `${name}=${session.cookie}` } })
      assert.strictEqual(yield* under("__Host-assay_session"), "200")
      assert.strictEqual(yield* under("assay_session"), "401 invalid_session")
    })
  )

  it.effect("every response makes browsers come back over TLS only, and is neither framed nor taken for code", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/api/session", "/api/nowhere", "/mcp/"]) {
        const { headers } = yield* send({ path, headers: { origin: "https://elsewhere.example" } })
        assert.strictEqual(headers["strict-transport-security"], "max-age=31536000; includeSubDomains", path)
        assert.strictEqual(headers["x-content-type-options"], "nosniff", path)
        assert.isUndefined(headers["access-control-allow-origin"], path)
        for (const directive of [/default-src '(?:none|self)'/, /base-uri 'none'/, /frame-ancestors 'none'/]) {
          assert.match(String(headers["content-security-policy"]), directive, path)
        }
      }
    })
  )
})
