/** Whether a text matches a pattern with `*` and `?`: the last star takes more until the rest fits, so time is bounded. */
export const segmentMatches = (pattern: string, text: string): boolean => {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++
      resume = t
    } else if (pattern[p] === "?" || pattern[p] === text[t]) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === "*") p++
  return p === pattern.length
}

/** As for one segment: `**` stands for any number of segments. What is below a folder that matches, matches too. */
const segmentsMatch = (pattern: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean => {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < path.length) {
    if (p === pattern.length) return true
    if (pattern[p] === "**") {
      star = p++
      resume = t
      if (p === pattern.length) return true
    } else if (segmentMatches(pattern[p]!, path[t]!)) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  return p === pattern.length
}

/**
 * A pattern for paths, as people know them from .gitignore: `*` and `?` stay inside of a name, `**` crosses folders, a
 * pattern without a slash matches a name anywhere, and a folder stands for all that is below it.
 */
export class PathPattern {
  readonly text: string
  private readonly segments: ReadonlyArray<string>

  constructor(text: string) {
    this.text = text
    const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".")
    const isAnchored = text.replace(/\/+$/, "").includes("/")
    this.segments = isAnchored ? segments : ["**", ...segments]
  }

  matches(path: string): boolean {
    return segmentsMatch(this.segments, path.split("/"))
  }
}

export const matchesAny = (patterns: ReadonlyArray<PathPattern>, path: string): boolean =>
  patterns.some((pattern) => pattern.matches(path))
