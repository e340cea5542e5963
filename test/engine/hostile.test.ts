import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { AuditTool } from "../../src/engine/core/tool/AuditTool.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { sourceFile } from "../support/audit.ts"
import type { WorstCase } from "../support/worstCase.ts"

const SIZE = 200_000
const SMALLER = SIZE / 4
/** Below this, what is measured is the machine. */
const FAST_MS = 400
/** Linear is 4, quadratic 16. */
const MAX_GROWTH = 9
const TRIES = 6

const timed = async (tool: AuditTool, { path, text }: WorstCase, size: number): Promise<number> => {
  const file = await sourceFile(path, text(size))
  // The tree is the parser's work, not the rules'.
  void file.tree
  const facts = { path, language: file.language, role: file.role }
  // Processor time, so that a busy machine changes nothing.
  const started = process.cpuUsage()
  if (tool.appliesTo(facts) && (tool.mentions === undefined || tool.mentions.test(file.text))) {
    tool.inspect?.(file, () => undefined)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

const growth = async (tool: AuditTool, worst: WorstCase): Promise<{ readonly ms: number; readonly factor: number }> => {
  const times: Array<number> = []
  const smaller: Array<number> = []
  // The least of several times is nearest to what the code itself needs.
  const grown = () => Math.min(...times) / Math.max(Math.min(...smaller), 1)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    times.push(await timed(tool, worst, SIZE))
    if (Math.min(...times) < FAST_MS) return { ms: Math.min(...times), factor: 0 }
    smaller.push(await timed(tool, worst, SMALLER))
    if (grown() < MAX_GROWTH) break
  }
  return { ms: Math.min(...times), factor: grown() }
}

describe("no rule takes more than linear time on 200 KB of its own worst case", () => {
  for (const tool of tools) {
    const module = join(import.meta.dirname, "hostile", `${tool.id}.ts`)
    it(tool.id, async () => {
      assert.isTrue(existsSync(module), `hostile/${tool.id}.ts says what the worst case of each rule is`)
      const { worstCases } = (await import(module)) as { readonly worstCases: ReadonlyArray<WorstCase> }
      const covered = new Set(worstCases.flatMap(({ rules }) => rules))
      assert.deepStrictEqual([...covered].sort(), Object.keys(tool.rules).sort())
      for (const worst of worstCases) {
        const { ms, factor } = await growth(tool, worst)
        assert.isTrue(
          ms < FAST_MS || factor < MAX_GROWTH,
          `${worst.rules.join(", ")} on ${worst.path}: ${Math.round(ms)} ms, ${factor.toFixed(1)} times a quarter of it`
        )
      }
    })
  }
})
