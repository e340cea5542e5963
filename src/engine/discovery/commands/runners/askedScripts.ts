/** What measures which lines a script of tests reaches, with its options. */
const measures =
  /^(?:nyc|c8|istanbul cover)(?:\s+-\S+(?:\s+(?!npm|pnpm|yarn|bun)[\w./@-]+)?)*\s+(?=(?:npm|pnpm|yarn|bun)\s)/

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
  const text = line.replace(measures, "")
  const [, run, usual] = byRun.exec(text) ?? []
  const asked = run ?? usual
  if (asked !== undefined) return [asked]
  const bare = byName.exec(text)?.[1]
  if (bare !== undefined) return bare in scripts ? [bare] : []
  const list = several.exec(text)?.[1]?.trim().replace(/["']/g, "").split(/\s+/) ?? []
  const known = Object.keys(scripts)
  return list.filter((word) => !word.startsWith("-")).flatMap((word) => named(word, known))
}
