import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import { isWellFormedKey, keyPrefix, newApiKey } from "../../../src/services/access/apiKeyFormat.ts"
import { Guard } from "../../../src/services/access/Guard.ts"
import { KeyCredentials } from "../../../src/services/access/KeyCredentials.ts"
import { KeysRepo } from "../../../src/services/access/KeysRepo.ts"
import { RateLimiter } from "../../../src/services/access/RateLimiter.ts"
import { Sessions } from "../../../src/services/access/Sessions.ts"
import { Spend } from "../../../src/services/access/Spend.ts"

describe("an API key", () => {
  it("is asy_, 32 random characters and 6 of checksum", () => {
    const keys = Array.from({ length: 200 }, newApiKey)
    assert.strictEqual(new Set(keys).size, keys.length)
    for (const key of keys) {
      assert.match(key, /^asy_[0-9A-Za-z]{38}$/)
      assert.isTrue(isWellFormedKey(key))
      assert.strictEqual(keyPrefix(key), key.slice(0, 12))
    }
  })

  it.prop("with one character changed is none", { at: FastCheck.nat(41), to: FastCheck.nat(61) }, ({ at, to }) => {
    const key = newApiKey()
    const character = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[to]!
    const changed = key.slice(0, at) + character + key.slice(at + 1)
    assert.strictEqual(isWellFormedKey(changed), changed === key)
  })

  it.prop("is no other string", { text: FastCheck.string() }, ({ text }) => assert.isFalse(isWellFormedKey(text)))

  // A repo without methods: a key that reached the database would end the test with the method's name.
  const withoutDatabase = Guard.Default.pipe(
    Layer.provide([
      KeyCredentials.Default.pipe(Layer.provide(Layer.mock(KeysRepo, { _tag: "KeysRepo" }))),
      Layer.mock(Sessions, { _tag: "Sessions" }),
      Layer.mock(Spend, { _tag: "Spend" }),
      RateLimiter.inProcess
    ])
  )

  it.effect("whose checksum is wrong never reaches the database", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const key = newApiKey()
      const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")
      for (const authorization of [`Bearer ${wrong}`, "Bearer x", "Bearer ", "Basic dTpw", key, "", "Bearer a b"]) {
        const error = yield* Effect.flip(
          guard.identify({
            authorization,
            sessionToken: undefined,
            csrfToken: undefined,
            sameOrigin: true,
            safeMethod: true,
            address: null
          })
        )
        assert.strictEqual(error._tag, "InvalidApiKey", authorization)
      }
    }).pipe(Effect.provide(withoutDatabase))
  )
})
