import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { LinearPattern } from "../../../src/engine/languages/regex/LinearPattern.ts"

const compiled = (pattern: string): LinearPattern => {
  const made = LinearPattern.of(pattern)
  if (!(made instanceof LinearPattern)) throw new Error(`${pattern}: ${made.problem}`)
  return made
}

const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\s", "\\b", "\\B", "^", "$", "-", "\\d", "é")
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    atom,
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "*?", "{2,}")).map(([a, q]) => `(${a})${q}`)
  )
})).node
const line = fc.string({ unit: fc.constantFrom("a", "b", "-", " ", "1", "é", "\t", "_"), maxLength: 12 })

describe("LinearPattern", () => {
  it("finds in a line what the engine of JavaScript finds", () => {
    fc.assert(
      fc.property(pattern, fc.array(line, { minLength: 1, maxLength: 8 }), (source, lines) => {
        const own = compiled(source)
        for (const text of lines)
          assert.strictEqual(own.test(text), new RegExp(source).test(text), `${source} in "${text}"`)
      }),
      { numRuns: 2_000 }
    )
  })

  it.each([
    ["(a)\\1", "it uses backreferences"],
    ["a(?=b)", "it uses lookaround"],
    ["(?<!a)b", "it uses lookaround"],
    ["(?>a+)b", "it uses atomic groups"],
    ["a++b", "it uses possessive repetitions"],
    ["\\p{So}", "it uses classes of characters by property or code point"],
    ["(?i:a)b", "it switches options for a part of it"],
    ["(a", "it is no regular expression, or uses what is not supported"],
    ["((a{100}){100}){100}", "it is too large"]
  ])("does not accept %s", (source, problem) => {
    assert.deepStrictEqual(LinearPattern.of(source), { problem })
  })

  it("ignores case where the pattern begins so", () => {
    assert.isTrue(compiled("(?i)changelog").test("See ChangeLog.md"))
    assert.isFalse(compiled("changelog").test("See ChangeLog.md"))
  })

  it("returns the lines that match, whatever ends them", () => {
    assert.deepStrictEqual(compiled("^b$").lines("a\r\nb\r\n\nb", 10), [2, 4])
    assert.deepStrictEqual(compiled("^$").lines("", 10), [1])
    assert.deepStrictEqual(compiled("a").lines("a\na\na", 2), [1, 2])
  })

  it("takes a step for each character of a text, even where other engines take forever", () => {
    const hostile = `${"a".repeat(200_000)}!`
    for (const source of ["^(a+)+$", "(a|a)*b", "(.*)*x", ".*.*.*=.*b", "(a?){50}a{50}$"]) {
      assert.isFalse(compiled(source).test(hostile), source)
    }
  })
})
