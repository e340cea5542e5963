import type { Range } from "../tree/Range.ts"

const directive = /^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b(.*)$/gm

/** `#ifdef TEST`, `#if defined(STANDALONE)`, `#ifdef WILDMAT_TEST`. */
const forTests =
  /(?<!\w)(?:\w+_)?(?:UNIT_?TESTS?|SELF_?TEST|TEST_?(?:MAIN|DRIVER|PROGRAM)|TEST(?:ING)?|STANDALONE)(?!\w)/

/** Where a conditional block began that is there for tests; null for any other. */
type Block = number | null

const blockOf = (word: string, condition: string, at: number): Block =>
  word !== "ifndef" && forTests.test(condition) && !condition.includes("!") ? at : null

/** Blocks of C and C++ that are compiled for a test of their file alone. */
export const testRegions = (text: string): ReadonlyArray<Range> => {
  const regions: Array<Range> = []
  const open: Array<Block> = []
  for (const { 1: word = "", 2: condition = "", index } of text.matchAll(directive)) {
    const isOpening = word.startsWith("if")
    const before = isOpening ? null : (open.pop() ?? null)
    if (before !== null) regions.push([before, index])
    if (word !== "endif") open.push(isOpening ? blockOf(word, condition, index) : null)
  }
  return regions
}
