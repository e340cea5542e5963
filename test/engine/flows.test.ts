import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it } from "vitest"
import { models } from "../../src/engine/dataflow/models/models.ts"
import code_injection from "../../src/engine/rules/code_injection/tool.ts"
import command_injection from "../../src/engine/rules/command_injection/tool.ts"
import cross_site_scripting from "../../src/engine/rules/cross_site_scripting/tool.ts"
import insecure_deserialization from "../../src/engine/rules/insecure_deserialization/tool.ts"
import path_traversal from "../../src/engine/rules/path_traversal/tool.ts"
import regex_dos from "../../src/engine/rules/regex_dos/tool.ts"
import security_misconfiguration from "../../src/engine/rules/security_misconfiguration/tool.ts"
import server_side_request_forgery from "../../src/engine/rules/server_side_request_forgery/tool.ts"
import sql_injection from "../../src/engine/rules/sql_injection/tool.ts"
import { inspectProject, type LocatedMatch } from "../support/audit.ts"

const flowTools = [
  code_injection,
  command_injection,
  cross_site_scripting,
  insecure_deserialization,
  path_traversal,
  regex_dos,
  security_misconfiguration,
  server_side_request_forgery,
  sql_injection
]

const root = join(import.meta.dirname, "../fixtures/flows")

/** A program is one file, or a folder of files that belong together. */
const textsOf = (program: string): Record<string, string> => {
  if (statSync(program).isFile()) return { [relative(join(program, ".."), program)]: readFileSync(program, "utf8") }
  const texts: Record<string, string> = {}
  for (const entry of readdirSync(program, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    texts[relative(program, path)] = readFileSync(path, "utf8")
  }
  return texts
}

const mark = /expect:flow[ \t]+([a-z_]+(?:,[ \t]*[a-z_]+)*)/

/** `path:line tool` for each tool that a line names behind `expect:flow`. */
const marksOf = (path: string, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, i) => {
    const found = mark.exec(line)
    return found === null ? [] : found[1]!.split(/,\s*/).map((tool) => `${path}:${i + 1} ${tool}`)
  })

const withoutMarks = (text: string): string =>
  text.replace(/[ \t]*(?:\/\/|#|<%#|<!--|\/\*)[ \t]*expect:flow[^\n]*$/gm, "")

/** What only a parameter reaches depends on callers that the program does not have. */
const startsAtSource = ({ steps }: LocatedMatch): boolean =>
  steps !== undefined && steps.length > 0 && !steps[0]!.note.endsWith("is a parameter")

const reportedIn = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const code = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, withoutMarks(text)]))
  const reported = new Set<string>()
  for (const tool of flowTools) {
    for (const match of await inspectProject(tool, code)) {
      if (startsAtSource(match)) reported.add(`${match.path}:${match.line} ${tool.id}`)
    }
  }
  return [...reported].sort()
}

const languages = readdirSync(root).sort()
const programsOf = (language: string): ReadonlyArray<string> => readdirSync(join(root, language)).sort()

const isHarmless = (program: string): boolean =>
  Object.entries(textsOf(program)).every(([path, text]) => marksOf(path, text).length === 0)

describe("every language of taint analysis has sixty programs, half of them harmless", () => {
  it("as many as taint analysis has models for", () => {
    assert.deepStrictEqual(languages, Object.keys(models).sort())
  })
  for (const language of languages) {
    it(language, () => {
      const programs = programsOf(language).map((program) => join(root, language, program))
      const harmless = programs.filter(isHarmless).length
      assert.isAtLeast(programs.length, 60)
      assert.isAtLeast(harmless, 30)
      assert.isAtLeast(programs.length - harmless, 30)
    })
  }
})

describe("flows of untrusted input are reported where the programs mark them, and nowhere else", () => {
  for (const language of languages) {
    describe(language, () => {
      for (const program of programsOf(language)) {
        it(program, async () => {
          const texts = textsOf(join(root, language, program))
          const expected = Object.entries(texts).flatMap(([path, text]) => marksOf(path, text))
          assert.deepStrictEqual(await reportedIn(texts), expected.sort())
        })
      }
    })
  }
})
