import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { AuditTool } from "../../src/engine/core/tool/AuditTool.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { inForm } from "../support/forms.ts"
import type { WorstCase } from "../support/worstCase.ts"

const SIZE = 200_000
/** Of so many worst cases of a tool, one is timed. */
const SHARE = inForm({ short: 100, long: 1 })
/** A text of which as many have the size of the larger one. */
const PARTS = 4
/** Below this, what is measured is the machine. */
const FAST_MS = 400
/** A rule that takes less than this for an eighth of the text takes less than `FAST_MS` for all of it, be its time quadratic. */
const PROBE = SIZE / 8
const SURELY_FAST_MS = FAST_MS / 8 ** 2
/** Of the larger text to its parts together: linear is 1, quadratic 4. So both sides pay for the garbage of as much text. */
const MAX_GROWTH = 9 / PARTS
const TRIES = 6
/** The first one still compiles the rule. */
const PROBES = 3

let timer: ChildProcess

beforeAll(() => {
  timer = fork(join(import.meta.dirname, "../support/ruleTimer.mjs"))
})

afterAll(async () => {
  const ended = once(timer, "exit")
  timer.disconnect()
  await ended
})

/** Milliseconds of processor time, so that a busy machine changes nothing. */
const timed = ({ id }: AuditTool, { path, text }: WorstCase, size: number): Promise<number> => {
  const answer = new Promise<number>((resolve, reject) => {
    const onExit = () => reject(new Error(`The process that times ${id} has ended.`))
    timer.once("exit", onExit)
    timer.once("message", (ms) => {
      timer.off("exit", onExit)
      resolve(Number(ms))
    })
  })
  timer.send({ tool: id, path, text: text(size) })
  return answer
}

const isSurelyFast = async (tool: AuditTool, worst: WorstCase): Promise<boolean> => {
  for (let probe = 0; probe < PROBES; probe++) if ((await timed(tool, worst, PROBE)) < SURELY_FAST_MS) return true
  return false
}

const timedInParts = async (tool: AuditTool, worst: WorstCase): Promise<number> => {
  let total = 0
  for (let part = 0; part < PARTS; part++) total += await timed(tool, worst, SIZE / PARTS)
  return total
}

const growth = async (tool: AuditTool, worst: WorstCase): Promise<{ readonly ms: number; readonly factor: number }> => {
  const times: Array<number> = []
  const parts: Array<number> = []
  // The least of several times is nearest to what the code itself needs.
  const grown = () => Math.min(...times) / Math.max(Math.min(...parts), 1)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    times.push(await timed(tool, worst, SIZE))
    if (Math.min(...times) < FAST_MS) return { ms: Math.min(...times), factor: 0 }
    parts.push(await timedInParts(tool, worst))
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
      for (const worst of worstCases.filter((_, index) => index % SHARE === 0)) {
        if (await isSurelyFast(tool, worst)) continue
        const { ms, factor } = await growth(tool, worst)
        assert.isTrue(
          ms < FAST_MS || factor < MAX_GROWTH,
          `${worst.rules.join(", ")} on ${worst.path}: ${Math.round(ms)} ms, ${factor.toFixed(1)} times its four parts`
        )
      }
    })
  }
})
