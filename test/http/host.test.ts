import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { hostsOf, isKnownHost } from "../../src/services/access/incomingCall.ts"
import { aWorld, samples } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Call, errorOf, outcome, send } from "../support/wire.ts"

const knows = (listening: string, host: string, settings: Partial<Parameters<typeof hostsOf>[1]> = {}) => {
  const hosts = hostsOf(listening, { publicUrl: null, allowedHosts: [], ...settings })
  return isKnownHost({ method: "GET", headers: { host }, cookies: {}, source: {} }, { hosts })
}

describe("the names of a server", () => {
  it("that listens on loopback are those of loopback", () => {
    for (const host of ["localhost:4000", "LOCALHOST", "127.0.0.1:1", "[::1]:4000"]) {
      assert.isTrue(knows("127.0.0.1", host), host)
      assert.isTrue(knows("::1", host), host)
    }
    for (const host of ["evil.example", "localhost.evil.example", "evil.example:4000", "10.0.0.1", "", "*", "a b"]) {
      assert.isFalse(knows("127.0.0.1", host), host)
    }
  })

  it("include what the operator says, on every port", () => {
    const settings = { publicUrl: "https://assay.example:8443", allowedHosts: ["Assay", "[fd00::1]"] }
    for (const listening of ["127.0.0.1", "0.0.0.0", "10.0.0.7"]) {
      for (const host of ["assay.example", "ASSAY.example:80", "assay:4000", "[fd00::1]:4000", "localhost"]) {
        assert.isTrue(knows(listening, host, settings), `${listening} ${host}`)
      }
      assert.isFalse(knows(listening, "evil.example", settings))
    }
    assert.isTrue(knows("10.0.0.7", "10.0.0.7:4000", settings))
    assert.isFalse(knows("10.0.0.7", "10.0.0.8:4000", settings))
    // An address cannot be made to resolve to another one.
    for (const host of ["10.0.0.8:4000", "[fd00::2]"]) assert.isTrue(knows("0.0.0.0", host, settings), host)
  })

  it("may be any where others reach it and the operator says nothing", () => {
    assert.isTrue(knows("0.0.0.0", "assay.internal"))
  })
})

layer(TestApp)("a call under a name that is not the server's", (it) => {
  it.effect("is 403 unknown_host on every route, sign-ins first of all, and the message names the settings", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const headers = { host: "rebound.example:4000" }
      const signIns = [
        { path: "/api/session", json: { email: world.owner.email, password: "x" } },
        { path: "/api/session/link", json: { token: "x" } }
      ]
      const calls: ReadonlyArray<Call> = [
        ...signIns,
        ...Object.values(samples(world)).map(({ call }) => ({ ...call, as: world.api_key }))
      ]
      for (const call of calls) {
        assert.strictEqual(yield* outcome({ ...call, headers: { ...call.headers, ...headers } }), "403 unknown_host")
      }
      const rejected = yield* send({ path: "/api/session", as: world.owner.session, headers })
      assert.match(errorOf(rejected).message, /ASSAY_PUBLIC_URL or ASSAY_ALLOWED_HOSTS/)
      const known = { path: "/api/session", as: world.owner.session, headers: { host: "localhost:1" } }
      assert.strictEqual(yield* outcome(known), "200")
    })
  )
})
