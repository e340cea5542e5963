import { pathMatcher } from "../../reviews/pathPattern.ts"

/** `*.{ts,js}` is two patterns; more than this many are too many to try on every path. */
const MAX_ALTERNATIVES = 64

/** The patterns that one with alternatives in braces stands for; null when they are too many. */
const expanded = (glob: string): ReadonlyArray<string> | null => {
  const open: Array<string> = [glob]
  const done: Array<string> = []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // The innermost braces first, so that nested ones come apart, too.
    const found = /\{([^{}]*,[^{}]*)\}/.exec(next)
    if (found === null) done.push(next)
    else {
      const [whole, list = ""] = found
      const parts = list
        .split(",")
        .map((part) => `${next!.slice(0, found.index)}${part}${next!.slice(found.index + whole.length)}`)
      open.push(...parts)
    }
    if (open.length + done.length > MAX_ALTERNATIVES) return null
  }
  return done
}

/** Why a pattern of paths is not accepted; null where it is. */
export const globProblem = (glob: string): string | null => {
  if (glob.startsWith("!")) return "a pattern of paths cannot be an exception: leave out the `!`"
  if (glob.includes("\\")) return "a pattern of paths separates folders by `/`"
  const patterns = expanded(glob)
  if (patterns === null) return `a pattern of paths has at most ${MAX_ALTERNATIVES} alternatives in braces`
  return patterns.some((pattern) => pattern.replace(/[./]/g, "") === "")
    ? "a pattern of paths must name something"
    : null
}

/** A test of paths by a pattern as .gitignore writes it, with alternatives in braces. */
export const globMatcher = (glob: string): ((path: string) => boolean) => {
  const matchers = (expanded(glob) ?? []).map(pathMatcher)
  return (path) => matchers.some((matches) => matches(path))
}
