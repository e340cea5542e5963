import { assert, describe, it } from "@effect/vitest"
import { newApiKey } from "../../../src/services/access/apiKeyFormat.ts"
import { differenceOf, maxRecorded } from "../../../src/services/audit_log/recorded.ts"

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe("what the audit log keeps of a change", () => {
  it("is the fields that differ, of both versions", () => {
    const before = { name: "old", description: null, tags: ["a", "b"] }
    assert.deepStrictEqual(differenceOf(before, { ...before, name: "new", limit: 3 }), {
      before: { name: "old", limit: null },
      after: { name: "new", limit: 3 }
    })
  })

  it("is nothing where no field differs, in whatever order they come", () => {
    assert.isNull(differenceOf({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }))
  })

  it("is the whole of what is created or deleted", () => {
    assert.deepStrictEqual(differenceOf(null, { name: "new" }), { before: null, after: { name: "new" } })
    assert.deepStrictEqual(differenceOf({ name: "old" }, null), { before: { name: "old" }, after: null })
    assert.deepStrictEqual(differenceOf(null, null), { before: null, after: null })
  })

  it("has no secret: neither by a field's name, however deep, nor by its text", () => {
    const key = newApiKey()
    const difference = differenceOf(null, {
      password_hash: "scrypt$abc",
      csrf_token: "abc",
      webhook: { signing_secret: ["whsec_1"], url: "https://user:hunter2secret@example.com/x" },
      note: `it was ${key} until now`,
      url: "https://assay.example/sign-in#token=Zk3kd93kdkKDKwk3049f",
      has_password: true,
      max_tokens: 500,
      private_key: null
    })
    const text = JSON.stringify(difference)
    for (const secret of ["scrypt$abc", "whsec_1", "hunter2secret", "Zk3kd93kdkKDKwk3049f", key])
      assert.notInclude(text, secret)
    assert.deepInclude(difference?.after, {
      password_hash: "[redacted]",
      csrf_token: "[redacted]",
      has_password: true,
      max_tokens: 500,
      private_key: null
    })
  })

  it("shows that a secret changed, without either value", () => {
    assert.deepStrictEqual(differenceOf({ token: "one" }, { token: "two" }), {
      before: { token: "[redacted]" },
      after: { token: "[redacted]" }
    })
  })

  it("is bounded, whatever is written, and notes what it leaves out", () => {
    const long = "word ".repeat(20_000)
    const list = Array.from({ length: 500 }, (_, i) => i)
    const { after } = differenceOf(null, { text: long, list })!
    assert.match(String(after?.text), /… \(100000 characters\)$/)
    assert.deepStrictEqual(after?.list, [...list.slice(0, 50), "… (500 items)"])

    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field_${i}`, long]))
    const bounded = differenceOf(null, { ...wide, small: 1 })!.after
    assert.isAtMost(bytesOf(bounded), maxRecorded)
    assert.strictEqual(bounded?.small, 1)

    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field_${i}`, i]))
    assert.isAtMost(bytesOf(differenceOf(many, null)?.before), maxRecorded)
  })

  it("does not cut a character in half", () => {
    const { after } = differenceOf(null, { text: "😀".repeat(3000) })!
    assert.isTrue(String(after?.text).isWellFormed())
  })
})
