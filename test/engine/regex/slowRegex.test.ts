import { assert, describe, it } from "vitest"
import { slowRegex } from "../../../src/engine/languages/regex/slowRegex.ts"

const growth = (pattern: string, flags = ""): string => slowRegex(pattern, flags)?.growth ?? "linear"

describe("patterns that take time out of proportion", () => {
  for (const pattern of [
    "^(a+)+$",
    "^(a*)*$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(\\w+\\s?)*$",
    "^([a-zA-Z0-9]+[._-]?)*@x$",
    "(x+x+)+y",
    "^(?:a?b?)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    '^"(\\\\?.)*"$',
    "^(?:[^\\n]+|\\w)*;$",
    "^(\\d+|[\\d.]+)*%$",
    "(?:\\s|\\n)*;",
    "^(a{2,3}){2,}b$"
  ]) {
    it(`exponential: ${pattern}`, () => assert.strictEqual(growth(pattern), "exponential"))
  }

  for (const pattern of [
    "\\s+$",
    "a.*b.*c",
    "^\\s*(.*?)\\s*;$",
    "<!--.*?-->",
    "\\d+\\d+x",
    "^[\\w.]*[\\w-]*@",
    "(.+)=(.+)!"
  ]) {
    it(`polynomial: ${pattern}`, () => assert.strictEqual(growth(pattern), "polynomial"))
  }

  for (const pattern of [
    "^a+$",
    "^\\d{3}-\\d{4}$",
    "^[a-z]+(?:-[a-z]+)*$",
    "^(?:\\w+\\.)+\\w+$",
    '^(?:[^"\\\\]|\\\\.)*$',
    "^(?>a+)+$",
    "^(?:a++)+$",
    "^\\/\\*(?:[^*]|\\*(?!\\/))*\\*\\/$",
    "^(a|b|c)*$",
    "foo|bar|baz",
    "^(?:\\d+,)*\\d+$",
    "^\\s*\\w+\\s*$"
  ]) {
    it(`linear: ${pattern}`, () => assert.strictEqual(growth(pattern), "linear"))
  }

  it("what is not modelled is not judged", () => {
    assert.isNull(slowRegex("(?R)+(a+)+$", ""))
    assert.isNull(slowRegex("(a+", ""))
    assert.isNull(slowRegex(`(${"a".repeat(2_000)})+`, ""))
  })

  it("the text it names makes a real engine slow", () => {
    const slow = slowRegex("^(a|aa)+$", "")!
    const real = /^(a|aa)+$/
    const time = (times: number): number => {
      const text = slow.prefix + slow.pump.repeat(times) + slow.suffix
      const started = performance.now()
      assert.isFalse(real.test(text))
      return performance.now() - started
    }
    assert.isAbove(time(30 / slow.pump.length), 5 * Math.max(0.02, time(10 / slow.pump.length)))
  })
})
