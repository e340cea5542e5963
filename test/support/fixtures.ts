import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import type { ChangeHistory } from "../../src/engine/core/tool/ChangeHistory.ts"
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

/** Name of the file in a fixture folder that says what happened to the others. */
export const HISTORY_FILE = "commits.history"

/** A history from lines such as `12 ann: src/a.ts 30, src/b.ts 4`: so many commits of one author, with lines by file. */
export const historyOf = (text: string): ChangeHistory => {
  const paths = new Map<string, number>()
  const authors = new Map<string, number>()
  const numberIn = (known: Map<string, number>, name: string): number => {
    const number = known.get(name) ?? known.size
    known.set(name, number)
    return number
  }
  const commits = text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [, count, author, rest] = /^(\d+) (\w+): (.+)$/.exec(line)!
      const changes = rest!.split(", ").map((change) => {
        const [path, lines] = change.split(" ")
        return [numberIn(paths, path!), Number(lines)] as const
      })
      return Array.from({ length: Number(count) }, () => ({ author: numberIn(authors, author!), changes }))
    })
  return { paths: [...paths.keys()], commits }
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
