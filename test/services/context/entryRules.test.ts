import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { checkFields, checkKey, type Written } from "../../../src/services/context/entryRules.ts"
import { mergePatch } from "../../../src/services/context/mergePatch.ts"
import { scanForSecrets } from "../../../src/services/context/secretScan.ts"
import { seenVersion } from "../../../src/services/support/seenVersion.ts"
import { codeOf, detailsOf } from "../../support/context.ts"

const run = <A>(effect: Effect.Effect<A>): A => Effect.runSync(effect)
const keyCode = (key: string) => run(codeOf(checkKey(key)))
const fieldsCode = (fields: Written) => run(codeOf(checkFields(fields)))

describe("keys", () => {
  it("are letters, digits and . _ - : / that a route can address", () => {
    for (const key of ["a", "payments/freeze", "A.b_c-d:e/f", "digest/x", "x".repeat(200), "..a", "history"]) {
      assert.strictEqual(keyCode(key), "ok", key)
    }
    for (const key of ["a b", "ä", "digest", "..", "a/../b", "./a", "a?b", "a#b", "%2f"]) {
      assert.strictEqual(keyCode(key), "key_not_addressable", key)
    }
    for (const key of [" a", "a ", "\ta"]) assert.strictEqual(keyCode(key), "key_padded", key)
    assert.strictEqual(keyCode("x".repeat(201)), "key_too_long")
    assert.strictEqual(keyCode("organization-context"), "key_reserved")
  })
})

describe("fields", () => {
  it("have limits of their own, and say limit, size and unit when over", () => {
    const limits = { title: 200, summary: 500, agent_label: 200, reason: 2000, body_md: 65_536 } as const
    for (const [field, limit] of Object.entries(limits)) {
      assert.strictEqual(fieldsCode({ [field]: "x".repeat(limit) }), "ok", field)
      const over = run(Effect.orDie(detailsOf(checkFields({ [field]: "x".repeat(limit + 1) }))))
      assert.deepStrictEqual(over, {
        field,
        limit,
        actual: limit + 1,
        unit: field === "body_md" ? "bytes" : "characters"
      })
    }
    assert.strictEqual(fieldsCode({ body_md: "ä".repeat(32_769) }), "field_too_large", "bytes of UTF-8 count")
    assert.strictEqual(fieldsCode({ data: { a: "x".repeat(32 * 1024 - 8) } }), "ok")
    assert.strictEqual(fieldsCode({ data: { a: "x".repeat(32 * 1024 - 7) } }), "field_too_large")
  })

  it("are rejected when blank; tags when blank, said twice, too long or more than 20", () => {
    assert.strictEqual(fieldsCode({ title: " \n" }), "blank_field")
    assert.strictEqual(fieldsCode({ body_md: " " }), "ok")
    assert.strictEqual(fieldsCode({ tags: Array.from({ length: 20 }, (_, i) => `t${i}`) }), "ok")
    assert.strictEqual(fieldsCode({ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }), "tags_invalid")
    assert.strictEqual(fieldsCode({ tags: ["a", "a"] }), "tags_invalid")
    assert.strictEqual(fieldsCode({ tags: [" "] }), "tags_invalid")
    assert.strictEqual(fieldsCode({ tags: ["x".repeat(65)] }), "field_too_large")
  })
})

describe("entry ETags", () => {
  it("are taken quoted and bare, one at a time", () => {
    const tag = "01a1f84d-c1ea-70a9-a51e-fdfa95578d6f:12"
    for (const text of [tag, `"${tag}"`, ` ${tag} `]) {
      assert.deepStrictEqual(run(Effect.orDie(seenVersion(text, "If-Match"))), {
        id: tag.slice(0, 36),
        version: 12
      })
    }
    for (const text of [
      "",
      "*",
      `W/"${tag}"`,
      `"${tag}","${tag}"`,
      tag.slice(0, -3),
      `${tag}x`,
      `${tag.slice(0, 36)}:0`
    ]) {
      assert.strictEqual(run(codeOf(seenVersion(text, "If-Match"))), "malformed_etag", text)
    }
  })
})

describe("the secret scan", () => {
  const scan = (fields: Written) => run(Effect.either(scanForSecrets(fields)))

  it("rejects what only an issuer makes, wherever it stands, and never repeats it", () => {
    const token = ["ghp", "Zq3mT8vK1xW5yB7nC2dF4gH6jL9pR0sAeUiO"].join("_")
    for (const fields of [
      { body_md: `use ${token}` },
      { data: { deep: [{ token }] } },
      { tags: [token] },
      { title: token }
    ]) {
      const found = scan(fields)
      assert.strictEqual(found._tag, "Left")
      assert.notInclude(JSON.stringify(found), token)
    }
  })

  it("warns of labelled and random-looking values, and lets words pass", () => {
    const kinds = (body_md: string) => {
      const found = scan({ body_md })
      return found._tag === "Right" ? found.right.map(({ secret_kind }) => secret_kind) : ["rejected"]
    }
    assert.deepStrictEqual(kinds("db_password = 'kJ8vQ2mX7bN4'"), ["generic-api-key"])
    assert.deepStrictEqual(kinds("see 9fQ2xK7vB4mN8tR1wZ6yC3hJ5gLpD0sA for it"), ["high-entropy-string"])
    assert.deepStrictEqual(kinds("Deploys go out on Tuesdays; the password is in the vault."), [])
  })
})

describe("merge patches", () => {
  it("follow the examples of RFC 7396", () => {
    const examples: ReadonlyArray<readonly [object, object, object]> = [
      [{ a: "b" }, { a: "c" }, { a: "c" }],
      [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
      [{ a: "b" }, { a: null }, {}],
      [{ a: ["b"] }, { a: "c" }, { a: "c" }],
      [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
      [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }]
    ]
    for (const [target, patch, result] of examples) {
      assert.deepStrictEqual(mergePatch(target as never, patch as never), result as never)
    }
  })

  it("give the same when applied twice, and touch no prototype", () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch)
        assert.deepStrictEqual(mergePatch(once, patch), once)
      })
    )
    const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))
    assert.isUndefined(({} as Record<string, unknown>).polluted)
    assert.deepStrictEqual(Object.keys(merged), ["__proto__"])
  })
})
