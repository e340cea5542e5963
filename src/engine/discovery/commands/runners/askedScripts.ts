/** What measures which lines a script of tests reaches. */
const measures = /^(?:nyc|c8|istanbul cover)\s+/
const isManager = /^(?:npm|pnpm|yarn|bun)$/
const isValue = /^[\w./@][\w./@-]*$/

/** A line without what measures it and the options of that. */
const unmeasured = (line: string): string => {
  const measure = measures.exec(line)?.[0]
  if (measure === undefined) return line
  const words = line.slice(measure.length).split(/\s+/)
  let at = 0
  while (words[at]?.startsWith("-") === true) {
    const next = words[at + 1] ?? ""
    at += isValue.test(next) && !isManager.test(next) ? 2 : 1
  }
  return isManager.test(words[at] ?? "") ? words.slice(at).join(" ") : line
}

const byRun = /^(?:npm|pnpm|yarn|bun) run(?:-script)? ([\w:.-]+)(?=\s|$)|^(?:npm|pnpm|yarn) (test|start)(?=\s|$)/

/** Yarn and pnpm need no `run`, where they know nothing else of that name. */
const byName = /^(?:yarn|pnpm) ([\w:.-]+)(?=\s|$)/

/** One after the other, or side by side: `run-s lint build:*`. */
const several = /^(?:run-[sp]|npm-run-all)((?:\s+["']?[\w:.*-]+["']?)+)$/

/** `build:*` is each script that begins so and has no further part. */
const named = (written: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!written.includes("*")) return [written]
  const [start = "", end = ""] = written.split(/\*+/)
  const isDeep = written.includes("**")
  return known.filter(
    (name) =>
      name.startsWith(start) && name.endsWith(end) && (isDeep || !name.slice(start.length, name.length).includes(":"))
  )
}

/** Scripts of a manifest that a line asks for by their names, whether the manifest has them or not. */
export const askedScripts = (line: string, scripts: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const text = unmeasured(line)
  const [, run, usual] = byRun.exec(text) ?? []
  const asked = run ?? usual
  if (asked !== undefined) return [asked]
  const bare = byName.exec(text)?.[1]
  if (bare !== undefined) return bare in scripts ? [bare] : []
  const list = several.exec(text)?.[1]?.trim().replace(/["']/g, "").split(/\s+/) ?? []
  const known = Object.keys(scripts)
  return list.filter((word) => !word.startsWith("-")).flatMap((word) => named(word, known))
}
