// In CI before `npm test`. What the audit finds, and what it leaves alone, the fixtures of test/engine hold rule by rule.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ScanResult } from "../../src/engine/core/scan/ScanResult.ts"
import { assay } from "../support/assayCommand.ts"
import { aRepository, type FileContent, type Files } from "../support/gitRepository.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const made = new Set(["node_modules", "dist", "coverage", ".git"])

/** What we keep under version control, read from the disk: our sources may have come without their history. */
const sources = (folder = ""): Files =>
  Object.fromEntries(
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): ReadonlyArray<[string, FileContent]> => {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !made.has(entry.name) && !entry.name.startsWith(".")) {
        return Object.entries(sources(path))
      }
      return entry.isFile() && !made.has(entry.name) ? [[path, readFileSync(join(root, path))]] : []
    })
  )

it.effect(
  "our own code passes our own audit",
  () =>
    Effect.gen(function* () {
      const files = sources()
      const { path } = aRepository(files)
      const { status, stdout, stderr } = yield* assay(["audit", path, "--full", "--json"])
      assert.strictEqual(status, 0, stderr)
      const result = JSON.parse(stdout) as ScanResult
      const reported = result.findings.map(({ priority, locations: [at], title }) => ({
        priority,
        place: `${at?.file_path}:${at?.line_start}`,
        title
      }))
      assert.deepStrictEqual(
        reported.filter(({ priority, place }) => priority !== "P3" || place.startsWith("src/")),
        []
      )
      assert.deepStrictEqual(result.tool_failures, [])
      assert.deepStrictEqual(
        result.skipped.filter(({ path: skipped }) => skipped.startsWith("src/")),
        []
      )
      // What a generator wrote is known by its banner and left out.
      const isGenerated = (file: string) => file === "web/src/api/schema.d.ts"
      const written = Object.keys(files).filter((file) => /\.[mc]?ts$/.test(file) && !isGenerated(file)).length
      const read = result.inventory.languages.find(({ language }) => language === "typescript")
      assert.strictEqual(read?.files, written)
    }),
  600_000
)
