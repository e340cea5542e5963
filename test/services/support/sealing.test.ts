import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { seal, unseal } from "../../../src/services/support/sealing.ts"

const key = randomBytes(32)

describe("a sealed text", () => {
  it.prop(
    "is read with the key it was sealed with, and no other",
    [FastCheck.string({ unit: "grapheme" })],
    ([text]) => {
      const sealed = seal(key, text)
      assert.strictEqual(unseal(key, sealed), text)
      assert.isNull(unseal(randomBytes(32), sealed))
      assert.notStrictEqual(seal(key, text), sealed)
    }
  )

  it("is rejected when any bit of it has changed, or a part is missing", () => {
    const bytes = Buffer.from(seal(key, "state"), "base64url")
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.isNull(unseal(key, changed.toString("base64url")), `bit ${bit}`)
    }
    for (let length = 0; length < bytes.length; length++) {
      assert.isNull(unseal(key, bytes.subarray(0, length).toString("base64url")), `${length} bytes`)
    }
  })
})
