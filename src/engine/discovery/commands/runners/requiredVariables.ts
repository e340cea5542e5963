import type { Parameter } from "./Recipe.ts"

const MAX_LINES = 30

/** Tests of a recipe that end it where a variable has no value: `test -n "$(VERSION)" || exit 1`, `ifndef VERSION` with an error. */
const asks: ReadonlyArray<RegExp> = [
  /(?:\[|\btest)\s+-[zn]\s+["']?\$[({]([A-Z]\w*)[)}]/,
  /(?:\[|\btest)\s+["']?\$[({]([A-Z]\w*)[)}]["']?\s*=\s*(?:""|'')/,
  /^[ \t]*ifndef[ \t]+([A-Z]\w*)/,
  /\$\(if[ \t]+\$[({]([A-Z]\w*)[)}],[^,]{0,40},/
]
const ends = /\bexit\s+[1-9]|\bfalse\b|\$\(error\b/

/** What a machine has set, or a person keeps to themselves. */
const isOfEnvironment = /^(?:HOME|USER|PATH|SHELL|CI|GO\w+)$|_(?:HOME|ENV|PATH|DIR|TOKEN|KEY|SECRET|PASSWORD|USER)$/

const assigned = /^[ \t]*(?:export[ \t]+|override[ \t]+)?([A-Z]\w*)[ \t]*[:?+!]{0,2}=[ \t]*\S/

/** Variables that a Makefile gives a value. */
export const variablesSet = (lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => assigned.exec(line)?.[1] ?? []))

/** Variables to which a Makefile gives plain words: `TESTS = test/*.test.js`. */
const plainValue = /^([A-Z]\w{0,40})[ \t]*[:?]?=[ \t]*([^$\n]{1,200})$/gm

const MAX_LINE = 2_000

/** Lines of a recipe with the words that the Makefile gives to the variables in them. */
export const withValues = (text: string): ((line: string) => string) => {
  const values = new Map([...text.matchAll(plainValue)].map(([, name, value]) => [name!, value!.trim()]))
  return (line) =>
    line
      .slice(0, MAX_LINE)
      .replace(/\$[({](\w{1,40})[)}]/g, (written, name: string) => values.get(name) ?? written)
      .slice(0, MAX_LINE)
}

/** Variables that a target of Make wants to be given, and which the file does not set. */
export const requiredVariables = (
  lines: ReadonlyArray<string>,
  from: number,
  known: ReadonlySet<string>
): ReadonlyArray<Parameter> => {
  const body: Array<string> = []
  for (let at = from; at < Math.min(lines.length, from + MAX_LINES); at++) {
    if (!/^(?:\t|\s*$|[ \t]*(?:ifn?def|ifn?eq|else|endif)\b)/.test(lines[at]!)) break
    body.push(lines[at]!)
  }
  if (!body.some((line) => ends.test(line))) return []
  const names = body.flatMap((line) => asks.flatMap((pattern) => pattern.exec(line)?.[1] ?? []))
  return [...new Set(names)]
    .filter((name) => !known.has(name) && !isOfEnvironment.test(name))
    .map((name) => ({ name, isRequired: true }))
}
