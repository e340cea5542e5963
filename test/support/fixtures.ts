import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { withMadeUp } from "./madeUp.ts"

const root = join(import.meta.dirname, "../fixtures/audit")

/** Texts of a tool's fixture folder by path, with the marks. */
export const fixturesOf = (toolId: string): Record<string, string> => {
  const folder = join(root, toolId)
  const texts: Record<string, string> = {}
  const walk = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name)
      if (statSync(path).isDirectory()) walk(path)
      else texts[relative(folder, path)] = withMadeUp(readFileSync(path, "utf8"))
    }
  }
  walk(folder)
  return texts
}

/** `expect:finding [rule, …]` marks its own line, `expect:next-line [rule, …]` the line below. */
export const marksOf = (path: string, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, i) => {
    const mark = /expect:(finding|next-line)(?:[ \t]+([a-z][a-z0-9_]*(?:,[ \t]*[a-z][a-z0-9_]*)*))?/.exec(line)
    if (mark === null) return []
    const at = `${path}:${mark[1] === "finding" ? i + 1 : i + 2}`
    return mark[2] === undefined ? [at] : mark[2].split(/,\s*/).map((rule) => `${at} ${rule}`)
  })

/** Tools see the code without the marks: a comment beside it may be what decides. */
export const withoutMarks = (text: string): string =>
  text.replace(/[ \t]*(?:\/\/|#|--|\/\*|<!--|\{\/\*)[ \t]*expect:(?:finding|next-line)[^\n]*$/gm, "")
