import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { workingTree } from "../../src/engine/core/source/workingTree.ts"
import { patternTool, treeOf } from "../support/audit.ts"
import { besideBusyProcesses } from "../support/busyProcesses.mjs"
import { inForm } from "../support/forms.ts"
import { aRepository, type Files } from "../support/gitRepository.ts"

const root = join(import.meta.dirname, "../..")
const fixtures = join(root, "test/fixtures/audit")
const toolsModule = pathToFileURL(join(root, "test/support/roughTools.mjs")).href
const parsing = pathToFileURL(join(root, "test/support/parsingTools.mjs")).href
const rough = [patternTool(/bad/, { tool: { id: "rough" } })]

/** One of so many: files of every tool, and enough of them for several batches. */
const SHARE = inForm({ short: 18, long: 3 })
/** Busy processes take their share of the machine for as long as the scans beside them run. */
const BUSY = inForm({ short: 1, long: 4 })

const someFixtures = (): Files => {
  const paths = readdirSync(fixtures, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(fixtures, join(entry.parentPath, entry.name)))
    .sort()
    .filter((_, index) => index % SHARE === 0)
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(fixtures, path))]))
}

// Threads run the build: `npm test` makes it first.
describe("scanning threads", () => {
  it("survive files that hang, crash or exhaust a tool, and finish all others", async () => {
    const texts: Record<string, string> = { "endless.js": "bad", "exit.js": "bad", "memory.js": "bad" }
    for (let i = 0; i < 60; i++) texts[`ok${i}.js`] = i % 10 === 0 ? "bad" : "fine"
    const { findings, skipped, inventory } = await scan(treeOf(texts), {
      suite: "standard",
      workers: 2,
      tools: rough,
      toolsModule,
      stuckAfterCpuMs: 2_000
    })
    assert.deepStrictEqual(skipped, [
      { path: "endless.js", reason: "time_budget" },
      { path: "exit.js", reason: "crashed" },
      { path: "memory.js", reason: "memory_budget" }
    ])
    assert.strictEqual(inventory.files, 60)
    assert.deepStrictEqual(
      findings.map((finding) => finding.locations[0].file_path).sort(),
      [0, 10, 20, 30, 40, 50].map((i) => `ok${i}.js`)
    )
  })

  it("go on after a file that crashes a grammar, with that file left out", async () => {
    // The YAML grammar keeps its indentation levels in a buffer of fixed size.
    const deep = Array.from({ length: 400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")
    const knot =
      "export function knot(a: any) {" + "if (a && a.b) { for (const c of a) {".repeat(5) + "}}".repeat(5) + "}"
    const { findings, skipped } = await scan(treeOf({ ".github/workflows/deep.yml": deep, "src/knot.ts": knot }), {
      suite: "standard",
      workers: 1,
      tools: rough,
      toolsModule: parsing
    })
    assert.deepStrictEqual(skipped, [{ path: ".github/workflows/deep.yml", reason: "crashed" }])
    assert.deepStrictEqual(
      findings.map((finding) => finding.locations[0].symbol),
      ["knot"]
    )
  })

  it("go on after a file on which a grammar takes all memory, with that file left out", async () => {
    // Every opening may be a comparison or a type's arguments: at the end the grammar of C# keeps all readings at once.
    const hostile = `${"<a ".repeat(24)}\n`.repeat(857)
    const { skipped } = await scan(treeOf({ "src/hostile.cs": hostile, "src/plain.ts": "export const a = 1\n" }), {
      suite: "standard",
      workers: 1,
      tools: rough,
      toolsModule: parsing
    })
    assert.deepStrictEqual(skipped, [{ path: "src/hostile.cs", reason: "crashed" }])
  })

  it("find the same, byte for byte, however many they are, with a cache or without, on an idle machine or a busy one", async () => {
    const cache = mkdtempSync(join(tmpdir(), "assay-same-"))
    const project = aRepository(someFixtures()).path
    const outcome = async (workers: number, options: { readonly cache?: string }) => {
      const source = workingTree(project)
      const result = await scan(source, { suite: "full", workers, ...options })
      await source.close()
      const { cpu_seconds, wall_ms, peak_rss_bytes, reused_files, ...found } = result
      return { text: JSON.stringify(found), reused_files }
    }
    try {
      const one = await outcome(1, {})
      const [two, four] = await besideBusyProcesses(BUSY, async () => [
        await outcome(2, { cache }),
        await outcome(4, { cache })
      ])
      assert.strictEqual(one.text, two!.text)
      assert.strictEqual(one.text, four!.text)
      assert.isAbove(four!.reused_files, 0)
    } finally {
      rmSync(cache, { recursive: true, force: true })
    }
  })
})
