import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import { similarity } from "../../src/engine/core/identity/Fingerprint.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { Finding } from "../../src/engine/core/scan/ScanResult.ts"
import { patternTool, treeOf } from "../support/audit.ts"

const tool = patternTool(/danger\([^)]*\)/)

const findingsOf = async (texts: Record<string, string>): Promise<ReadonlyArray<Finding>> =>
  (await scan(treeOf(texts), { suite: "standard", tools: [tool] })).findings

const primaries = async (texts: Record<string, string>): Promise<ReadonlyArray<string>> =>
  (await findingsOf(texts)).map((finding) => finding.signatures.primary)

const code = `class Shop {
  sell(item) {
    return danger(item, "now")
  }

  refund(item) {
    log("x")
    danger(item, 2)
    return danger( item , 3 )
  }
}
`

describe("the primary fingerprint", () => {
  it("survives lines inserted above", async () => {
    const before = await primaries({ "a.js": code })
    const inserted = FastCheck.array(FastCheck.constantFrom("", "// note", "let x = 1"), { maxLength: 40 })
    await FastCheck.assert(
      FastCheck.asyncProperty(inserted, async (lines) =>
        assert.deepStrictEqual(await primaries({ "a.js": [...lines, code].join("\n") }), before)
      ),
      { numRuns: 30 }
    )
  })

  it("survives reformatting, comments and other quotes", async () => {
    const reformatted = `class Shop {
      sell(item) { return danger(
          item, /* why */
          'now',
        ); }
      refund(item) {
        log("x");
        danger(item, 2);
        return danger(item, 3);
      }
    }`
    assert.deepStrictEqual(await primaries({ "a.js": reformatted }), await primaries({ "a.js": code }))
  })

  it("survives a renamed file, while the located one does not", async () => {
    const [before] = await findingsOf({ "a.js": code })
    const [after] = await findingsOf({ "src/b.js": code })
    assert.strictEqual(after!.signatures.primary, before!.signatures.primary)
    assert.notStrictEqual(after!.signatures.located, before!.signatures.located)
  })

  it("survives functions changing places", async () => {
    const swapped = `class Shop {
  refund(item) {
    log("x")
    danger(item, 2)
    return danger( item , 3 )
  }
  sell(item) {
    return danger(item, "now")
  }
}`
    assert.sameMembers([...(await primaries({ "a.js": swapped }))], [...(await primaries({ "a.js": code }))])
  })

  it("distinguishes equal code in one symbol by order, and in two symbols by name", async () => {
    const equal = patternTool(/danger\(\)/, { tool: { id: "equal" } })
    let n = 0
    const numbered = {
      ...equal,
      inspect: (file: Parameters<NonNullable<typeof equal.inspect>>[0], emit: (hit: never) => void) =>
        equal.inspect!(file, (hit) => emit({ ...hit, message: `Number ${n++}.` } as never))
    }
    const text = "function a() { danger(); danger() }\nfunction b() { danger() }\n"
    const { findings } = await scan(treeOf({ "a.js": text }), { suite: "standard", tools: [numbered] })
    const located = findings.map((finding) => finding.signatures.located)
    assert.strictEqual(new Set(located).size, 3)
    assert.strictEqual(new Set(findings.map((finding) => finding.signatures.moved)).size, 1)
  })

  it("is the same for the same tree in any order", async () => {
    const names = ["a", "b", "c", "d"]
    const tree = (order: ReadonlyArray<string>) =>
      Object.fromEntries(order.map((name) => [`${name}.js`, `function ${name}() { danger(${name}) }`]))
    const expected = JSON.stringify(await findingsOf(tree(names)))
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.shuffledSubarray(names, { minLength: 4 }), async (order) =>
        assert.strictEqual(JSON.stringify(await findingsOf(tree(order))), expected)
      ),
      { numRuns: 24 }
    )
  })
})

describe("similarity", () => {
  it("is 1 for equal, 0 for unrelated and symmetric between", () => {
    assert.strictEqual(similarity("a ( b )", "a ( b )"), 1)
    assert.strictEqual(similarity("a b", "c d"), 0)
    const before = 'db . query ( " SELECT * FROM users WHERE id = " + id )'
    const after = 'db . query ( " SELECT * FROM users WHERE id = " + userId )'
    assert.isAtLeast(similarity(before, after), 0.8)
    assert.strictEqual(similarity(before, after), similarity(after, before))
    assert.isBelow(similarity(before, "db . query ( sql , values )"), 0.8)
  })
})
