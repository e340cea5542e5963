/**
 * A test of paths by a pattern as .gitignore writes it: `*` and `?` within a segment, `**` across segments; without a `/`
 * it applies at any depth, and what names a folder covers everything below it.
 */
export const pathMatcher = (pattern: string): ((path: string) => boolean) => {
  const plain = pattern.replace(/^\.\//, "").replace(/\/+$/, "")
  const own = plain.replace(/^\/+/, "").split("/")
  const segments = plain.includes("/") ? own : ["**", ...own]
  return (path) => {
    let states = withSkips(segments, new Set([0]))
    return path.split("/").some((name) => {
      states = withSkips(segments, after(segments, states, name))
      return states.has(segments.length)
    })
  }
}

/** Where in the pattern a path can be, one of its segments further. */
const after = (segments: ReadonlyArray<string>, states: ReadonlySet<number>, name: string): Set<number> =>
  new Set(
    [...states].flatMap((at) => {
      const segment = segments[at]
      if (segment === "**") return [at]
      return segment !== undefined && segmentMatches(segment, name) ? [at + 1] : []
    })
  )

/** `**` may stand for no segment. */
const withSkips = (segments: ReadonlyArray<string>, states: Set<number>): ReadonlySet<number> => {
  for (const at of states) if (segments[at] === "**") states.add(at + 1)
  return states
}

// Not a regular expression: one of several stars takes exponential time on some names.
const segmentMatches = (pattern: string, name: string): boolean => {
  let [at, star, retry] = [0, -1, 0]
  for (let read = 0; read < name.length; ) {
    if (pattern[at] === "*") [star, retry, at] = [at, read, at + 1]
    else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[read])) [at, read] = [at + 1, read + 1]
    else if (star >= 0) [retry, at, read] = [retry + 1, star + 1, retry + 1]
    else return false
  }
  while (pattern[at] === "*") at++
  return at === pattern.length
}
