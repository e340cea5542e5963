import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it } from "vitest"
import { tools } from "../../../src/services/audit/tools/index.ts"
import { inspectProject } from "../../support/audit.ts"
import { withMadeUp } from "../../support/madeUp.ts"

const root = join(import.meta.dirname, "../../fixtures/audit")

const readTree = (folder: string): Record<string, string> => {
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
const marksOf = (path: string, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, i) => {
    const mark = /expect:(finding|next-line)(?:[ \t]+([a-z][a-z0-9_]*(?:,[ \t]*[a-z][a-z0-9_]*)*))?/.exec(line)
    if (mark === null) return []
    const at = `${path}:${mark[1] === "finding" ? i + 1 : i + 2}`
    return mark[2] === undefined ? [at] : mark[2].split(/,\s*/).map((rule) => `${at} ${rule}`)
  })

/** Tools see the code without the marks: a comment beside it may be what decides. */
const withoutMarks = (text: string): string =>
  text.replace(/[ \t]*(?:\/\/|#|--)[ \t]*expect:(?:finding|next-line)[^\n]*$/gm, "")

const lineOf = (mark: string): string => mark.split(" ", 1)[0]!

describe("every tool flags the marked lines of its fixtures, and no others", () => {
  for (const tool of tools) {
    it(tool.id, async () => {
      const texts = readTree(join(root, tool.id))
      const marks = Object.entries(texts).flatMap(([path, text]) => marksOf(path, text))
      const code = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, withoutMarks(text)]))
      const hits = await inspectProject(tool, code)
      const found = hits.map((hit) => ({ at: `${hit.path}:${hit.line}`, rule: hit.rule, message: hit.message }))
      const markedLines = new Set(marks.map(lineOf))
      const foundMarks = new Set(found.flatMap(({ at, rule }) => [at, `${at} ${rule}`]))
      const missed = marks.filter((mark) => !foundMarks.has(mark)).map((mark) => `missed      ${mark}`)
      const unexpected = found
        .filter(({ at }) => !markedLines.has(at))
        .map(({ at, rule, message }) => `unexpected  ${at} ${rule}: ${message}`)
      assert.deepStrictEqual([...missed, ...unexpected], [])
      assert.isAbove(marks.length, 0, "a fixture folder marks at least one line")
    })
  }
})
