import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"
import { Effect, Logger, LogLevel } from "effect"
import { lineOf, loadNow } from "./figures.ts"
import type { Scenario, ScenarioOptions } from "./Scenario.ts"
import { clocks } from "./scenarios/clocks.ts"
import { database } from "./scenarios/database.ts"
import { disk } from "./scenarios/disk.ts"
import { hostile } from "./scenarios/hostile.ts"
import { kills } from "./scenarios/kills.ts"
import { restore } from "./scenarios/restore.ts"
import { single } from "./scenarios/single.ts"
import { stopped } from "./scenarios/stopped.ts"

/**
 * `npm run chaos -- [--only=NAME] [--scale=0.1] [--minutes=10] [--seed=1]`: faults under load, a figure a line with its aim
 * beside it; exit status 1 when one is missed. `npm run chaos -- loops` runs the long forms of three tests.
 */
const scenarios: ReadonlyArray<Scenario> = [kills, single, database, stopped, clocks, disk, hostile, restore]

const number = (text: string | undefined, fallback: number): number => {
  const value = Number(text ?? fallback)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${text} is not a number.`)
  return value
}

/** Long forms of tests that `npm test` runs with fewer cases. */
const loops = (): boolean => {
  const files = ["test/e2e/fixLoop.test.ts", "test/mcp/parity.test.ts", "test/e2e/contextWriters.test.ts"]
  const env = { ASSAY_LOOP_DEFECTS: "36", ASSAY_PARITY_CALLS: "2000", ASSAY_WRITES_EACH: "120" }
  const { status } = spawnSync("npx", ["vitest", "run", ...files], {
    stdio: "inherit",
    env: { ...process.env, ...env }
  })
  return status === 0
}

/** Runs a scenario and prints what it measured; whether every aim was met. */
const measured = (scenario: Scenario, options: ScenarioOptions) =>
  Effect.gen(function* () {
    const startedAt = performance.now()
    const { figures, details } = yield* scenario.run(options)
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    for (const figure of figures) console.log(lineOf(scenario.name, figure))
    console.log(`     ${scenario.name.padEnd(10)} seed ${options.seed}, ${minutes} min, load ${loadNow()}`)
    for (const detail of details.slice(0, 40)) console.log(`     ${scenario.name.padEnd(10)} ${detail.slice(0, 400)}`)
    return figures.every(({ isMet }) => isMet)
  }).pipe(Effect.scoped)

const main = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const text = { type: "string" } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { only: text, scale: text, minutes: text, seed: text }
  })
  if (positionals[0] === "loops") return loops()
  const chosen = scenarios.filter(({ name }) => values.only === undefined || values.only === name)
  if (chosen.length === 0 || positionals.length > 0) {
    const list = scenarios.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join("\n")
    console.error(`Usage: npm run chaos -- [loops] [--only=NAME] [--scale=1] [--minutes=10] [--seed=1]\n${list}`)
    return false
  }
  const options = {
    seed: number(values.seed, Math.floor(Math.random() * 1_000_000)),
    scale: number(values.scale, 1),
    minutes: number(values.minutes, 10)
  }
  return Effect.forEach(chosen, (scenario) => measured(scenario, options)).pipe(
    Effect.map((met) => met.every((isMet) => isMet)),
    Logger.withMinimumLogLevel(LogLevel.None),
    Effect.runPromise
  )
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
