import { assert, describe, it } from "vitest"
import { type SlowRegex, slowRegex } from "../../../src/engine/languages/regex/slowRegex.ts"

/** Made-up patterns of every kind that is reported: [pattern, flags]. */
const slow: ReadonlyArray<readonly [RegExp, "exponential" | "polynomial"]> = [
  [/^(a+)+$/, "exponential"],
  [/^(?:[a-z]+-?)*;$/, "exponential"],
  [/^(?:\w+\s?)*\.$/, "exponential"],
  [/^(?:x|xx|y)*$/, "exponential"],
  [/^(?:\d|\w)+%$/, "exponential"],
  [/("(?:[^"\\]|\\.|\\)*")x/, "exponential"],
  [/^<(?:\s*[\w-]+\s*)*>$/, "exponential"],
  [/^(?:(?:ab)*(?:ab)*)*c$/, "exponential"],
  [/^([\w.]+)*@[a-z]+$/, "exponential"],
  [/^(?=(?:o+)+p)o/, "exponential"],
  [/(?:[^,]*,?)*\|$/, "exponential"],
  [/^(?:k{1,9})*z$/, "exponential"],
  [/\s+$/, "polynomial"],
  [/\n+$/, "polynomial"],
  [/[ \t]+\n/, "polynomial"],
  [/^\s+|\s+$/g, "polynomial"],
  [/\/+$/, "polynomial"],
  [/-+$/i, "polynomial"],
  [/<!--.*?-->/, "polynomial"],
  [/<style[^>]*>[\s\S]*?<\/style>/i, "polynomial"],
  [/\{\{(.+?)\}\}/, "polynomial"],
  [/\[([^\]]*)\]\(/, "polynomial"],
  [/\d+px/, "polynomial"],
  [/[\w.]+@\w+/, "polynomial"],
  [/^.*a.*b.*c$/, "polynomial"],
  [/^\s*(\w*)\s*=\s*(.*?)\s*;$/, "polynomial"],
  [/^(.*?),(.*?),(.*?)!$/, "polynomial"],
  [/\s*,\s*;/, "polynomial"],
  [/^[^:]*:[^#]*#?.*:end$/, "polynomial"],
  [/(\w+)\s*\((.*)\)$/, "polynomial"],
  [/;\s*charset\s*=\s*(\S*),/i, "polynomial"],
  [/^\s+;$/m, "polynomial"],
  [/\b[\w.]+:/, "polynomial"],
  [/(?=.*\d)/, "polynomial"],
  [/\$\{([^}]+)\}/, "polynomial"],
  [/url\(.*\)x/, "polynomial"],
  [/^\d+\d*\.$/, "polynomial"],
  [/^(?:[a-f]*)(?:[d-k]*)(?:[e-z]*)0$/, "polynomial"],
  [/[A-Za-z0-9+/]+={1,2}$/, "polynomial"],
  [/(?:\/\*)(?:.|\n)*?(?:\*\/)/, "polynomial"],
  [/\p{L}+\d/u, "polynomial"],
  [/(?<name>\w+)=(?<value>\d+)/, "polynomial"],
  [/\.+\//, "polynomial"],
  [/<([a-z]+)(?:[^>]*)\/>/, "polynomial"],
  [/^(?:\s*;)?\s*#?\s*$/, "polynomial"],
  [/"(.*?)"\s*:/, "polynomial"]
]

const fast: ReadonlyArray<RegExp> = [
  /^\s+/,
  /\s$/,
  /^\s+$/m,
  /"[^"]*"\s*:/,
  /^\d+\d{2}$/,
  /^[a-z]+(?:-[a-z]+)*$/,
  /^(?:[^"\\]|\\.)*$/,
  /^[^:]+:[^:]+$/,
  /(?<!\s)\s+$/,
  /\b\w+\b/,
  /[<>&"']/g,
  /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/,
  /^\s*\S/,
  /\s{1,20}$/,
  /^.{0,64}@/,
  /^(?=.*\d)(?=.*[a-z]).{8,}$/,
  /^https?:\/\/[^/]+\/\S*$/,
  /([A-Z])([a-z])/g,
  /\r?\n/,
  /^(?:ab|cd)+$/,
  /%[0-9a-f]{2}/gi,
  /\s*/g,
  /^(?:[a-z]+;)*[a-z]*$/
]

const slownessOf = (regex: RegExp): SlowRegex | null => slowRegex(regex.source, regex.flags)

/** Milliseconds of this process's own CPU, which other processes do not add to. */
const cpuOf = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const MAX_LENGTH = 300_000
const MANY_MS = 20

/** Characters after which Node's own engine takes many milliseconds; infinite when it never does. */
const breakingLength = (regex: RegExp, { prefix, pump, suffix, growth }: SlowRegex): number => {
  const factor = growth === "exponential" ? 1.2 : 2
  for (let times = 8; times * pump.length < MAX_LENGTH; times = Math.ceil(times * factor)) {
    const text = prefix + pump.repeat(times) + suffix
    const search = new RegExp(regex.source, regex.flags.replace("g", ""))
    if (cpuOf(() => search.test(text)) > MANY_MS) return text.length
  }
  return Number.POSITIVE_INFINITY
}

describe("the text that is named takes Node's own engine out of proportion", () => {
  for (const [regex, growth] of slow) {
    it(`${growth}: ${regex}`, () => {
      const slowness = slownessOf(regex)
      assert.strictEqual(slowness?.growth, growth)
      // A linear search reads this many characters in a millisecond or two.
      assert.isBelow(breakingLength(regex, slowness!), growth === "exponential" ? 600 : MAX_LENGTH)
    })
  }
})

describe("patterns that are linear, or bounded, are not named", () => {
  for (const regex of fast) it(`${regex}`, () => assert.isNull(slownessOf(regex)))
})
