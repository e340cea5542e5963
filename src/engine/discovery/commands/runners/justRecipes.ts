import type { Parameter } from "./Recipe.ts"

/** A head is not longer. */
const MAX_HEAD = 600

const filled = (part: string): string => "_".repeat(part.length)

/** Where the colon is that ends the head of a recipe: outside of quotes and parentheses, and not of an assignment. */
const endOfHead = (line: string): number => {
  const plain = line
    .slice(0, MAX_HEAD)
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, filled)
    .replace(/\([^()]*\)/g, filled)
  const end = plain.indexOf(":")
  return plain[end + 1] === "=" ? -1 : end
}

/** Values between quotes and parentheses say nothing of names. */
const withoutValues = (text: string): string =>
  text.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "''").replace(/\(([\w-]*)[^()]*\)/g, " $1 ")

/** `target`, `+files`, `$LEVEL='1'`, `*arguments`. */
const parameterOf = (word: string): Parameter | null => {
  const [, kind, name, value] = /^([*+]?)\$?([A-Za-z_][\w-]*)(=?)/.exec(word) ?? []
  return name === undefined ? null : { name, isRequired: kind !== "*" && value === "" }
}

export interface JustText {
  /** The same lines, each head without parameters, so that it reads as a rule of a Makefile. */
  readonly text: string
  /** By the name of the recipe. */
  readonly parameters: ReadonlyMap<string, ReadonlyArray<Parameter>>
}

/** A justfile as a Makefile: `test RUNNER='cargo test': (fetch 'tools') build` needs `fetch` and `build`, and may be given a runner. */
export const asRules = (written: string): JustText => {
  const parameters = new Map<string, ReadonlyArray<Parameter>>()
  const lines = written.split("\n").map((line) => {
    const end = /^@?[A-Za-z]/.test(line) ? endOfHead(line) : -1
    if (end < 0) return line
    const [head = "", ...words] = withoutValues(line.slice(0, end)).trim().split(/\s+/)
    const name = head.replace(/^@/, "")
    if (!/^[\w-]+$/.test(name)) return line
    if (!parameters.has(name))
      parameters.set(
        name,
        words.flatMap((word) => parameterOf(word) ?? [])
      )
    return `${name}: ${withoutValues(line.slice(end + 1))
      .replace(/#.*$/, "")
      .trim()}`
  })
  return { text: lines.join("\n"), parameters }
}
