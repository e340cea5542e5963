/** What the words of a mission's limits name to be left alone: paths, patterns of paths, and rules, in inline code. */
export interface Limits {
  readonly names: ReadonlyArray<string>
}

const maxNames = 100

const inlineCode = /`([^`\n]{1,500})`/g

/** A limit that a built-in planner can keep by itself stands in backticks; all of the text is in each step's brief. */
export const limitsOf = (text: string | null): Limits => ({
  names: [...(text ?? "").matchAll(inlineCode)]
    .map(([, name = ""]) => name.trim().replace(/^\.\//, ""))
    .filter((name) => name !== "" && !/\s/.test(name))
    .slice(0, maxNames)
})

/** Whether the path is what the pattern names or below it; a run of `*` stands for any text. */
const covers = (pattern: string, path: string): boolean => {
  if (!pattern.includes("*")) {
    const folder = pattern.replace(/\/+$/, "")
    return path === folder || path.startsWith(`${folder}/`)
  }
  // `**/` may stand for nothing: `**/x` covers x.
  const parts = pattern.replaceAll("**/", "*").split(/\*+/)
  const [first = "", last = ""] = [parts[0], parts.at(-1)]
  if (!path.startsWith(first) || path.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return path.endsWith(last) && path.length - last.length >= at
}

/** The name in the limits that the code or its rule falls under; null for none. */
export const limitOn = (
  { names }: Limits,
  { rule_id, paths }: { readonly rule_id: string; readonly paths: ReadonlyArray<string> }
): string | null =>
  names.find(
    (name) => name === rule_id || rule_id.startsWith(`${name}.`) || paths.some((path) => covers(name, path))
  ) ?? null
