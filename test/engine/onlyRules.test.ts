import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { ScanOptions } from "../../src/engine/core/scan/ScanOptions.ts"
import { type AuditTool, auditTool } from "../../src/engine/core/tool/AuditTool.ts"
import { scanTools } from "../../src/engine/core/tool/scanTools.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { inspectProject, patternTool, treeOf } from "../support/audit.ts"
import { fixturesOf, HISTORY_FILE, withoutMarks } from "../support/fixtures.ts"

const codeOf = (id: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fixturesOf(id))
      .filter(([path]) => path !== HISTORY_FILE)
      .map(([path, text]) => [path, withoutMarks(text)])
  )

const findingsOf = async (texts: Readonly<Record<string, string>>, options: Partial<ScanOptions>, id: string) => {
  const { findings } = await scan(treeOf(texts), { suite: "full", suggestions: true, tools, ...options })
  return findings.filter(({ tool }) => tool === id)
}

const runningFor = (...names: ReadonlyArray<string>) => scanTools(tools, names).running.map(({ id }) => id)
const redacting = tools.filter(({ redacts }) => redacts === true).map(({ id }) => id)

describe("a scan for some rules", () => {
  const yielding = tools.filter(({ rules }) => Object.values(rules).some(({ yieldsTo }) => yieldsTo !== undefined))
  const asked = new Set([
    ...yielding.map(({ id }) => id),
    "code_duplication",
    "complexity",
    "dead_code",
    "sql_injection"
  ])
  for (const id of asked) {
    it(`finds of ${id} what a scan by all tools finds, byte for byte`, async () => {
      const texts = codeOf(id)
      const [all, only] = await Promise.all([findingsOf(texts, {}, id), findingsOf(texts, { only: [id] }, id)])
      assert.strictEqual(JSON.stringify(only), JSON.stringify(all))
      assert.isNotEmpty(all)
    })
  }

  it("runs their tools, those that they leave lines to and those that find what no output may show", () => {
    assert.deepStrictEqual(runningFor("complexity"), [...redacting, "complexity"].sort())
    for (const tool of yielding) {
      const preferred = Object.values(tool.rules).flatMap(({ yieldsTo }) => yieldsTo ?? [])
      assert.includeMembers(runningFor(tool.id), [tool.id, ...preferred.map((rule) => rule.split(".")[0]!)])
    }
    const rule = `sql_injection.${Object.keys(tools.find(({ id }) => id === "sql_injection")!.rules)[0]}`
    assert.include(runningFor(rule), "sql_injection")
    assert.notInclude(runningFor(rule), "complexity")
  })

  it("runs everything where nothing is asked for", () => {
    assert.strictEqual(scanTools(tools, null).running, tools)
  })

  it("says of no language and of no name in the configuration that no rule knows it because its tool did not run", async () => {
    const rules = "version: 1\nrules:\n  off: [sql_injection, sql_injektion]\n"
    const texts = { "a.py": "x = 1\n", "a.lua": "x = 1\n", ".assay.yaml": rules }
    const of = (only: Partial<ScanOptions>) => scan(treeOf(texts), { suite: "full", tools, ...only })
    const [all, only] = await Promise.all([of({}), of({ only: ["complexity"] })])
    assert.deepStrictEqual([all.warnings.length, all.languages_without_rules.length], [1, 1])
    assert.deepStrictEqual(only.languages_without_rules, all.languages_without_rules)
    assert.deepStrictEqual(only.warnings, all.warnings)
    assert.isBelow(only.tools.length, all.tools.length)
  })
})

describe("a tool whose matches name what no output may show", () => {
  for (const tool of tools) {
    it(`is declared as one if it is ${tool.id}`, async () => {
      const matches = await inspectProject(tool, codeOf(tool.id))
      if (matches.some(({ redact }) => redact !== undefined && redact.length > 0)) assert.isTrue(tool.redacts)
    })
  }
})

describe("the cache of a scan for some rules", () => {
  const named = (id: string, pattern: RegExp): AuditTool => auditTool({ ...patternTool(pattern), id })
  const two = [named("bad", /bad/), named("worse", /worse/)]
  const texts = { "a.js": "bad", "b.js": "worse" }
  const run = (cache: string, only?: ReadonlyArray<string>) =>
    scan(treeOf(texts), { suite: "standard", tools: two, cache, ...(only === undefined ? {} : { only }) })

  it("is that of all rules, which it reads and leaves as it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-only-"))
    await run(folder)
    const before = readFileSync(join(folder, "standard.scan"))
    const { findings, tools: ran, reused_files } = await run(folder, ["bad"])
    assert.deepStrictEqual(
      [findings.map(({ tool }) => tool), ran.map(({ id }) => id), reused_files],
      [["bad"], ["bad"], 2]
    )
    assert.deepStrictEqual(readFileSync(join(folder, "standard.scan")), before)
  })

  it("is one of its own where there is none, of no use to other rules", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-only-"))
    await run(folder, ["bad"])
    assert.strictEqual((await run(folder, ["bad"])).reused_files, 2)
    const other = await run(folder, ["worse"])
    assert.deepStrictEqual([other.findings.map(({ tool }) => tool), other.reused_files], [["worse"], 0])
    assert.lengthOf((await run(folder)).findings, 2)
  })
})
