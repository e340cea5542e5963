import { parseArgs } from "node:util"
import { Effect, Logger, LogLevel } from "effect"
import { aChaosDatabase } from "../chaos/ChaosDatabase.ts"
import { loadNow } from "../chaos/figures.ts"
import { aWorld } from "../chaos/World.ts"
import { aTemporaryFolder } from "../support/server.ts"
import { expectedOf, violationsOf } from "./invariants/checker.ts"
import { soaked } from "./invariants/soaked.ts"

const number = (text: string | undefined, fallback: number): number => {
  const value = Number(text ?? fallback)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${text} is not a number.`)
  return value
}

const line = (name: string, value: number | string, aim = "") =>
  console.log(`${name.padEnd(46)}${String(value).padEnd(14)}${aim}`.trimEnd())

// A workspace has at most 25 live keys, and the limited one is the last; further clients share a key.
const mostKeys = 24

/**
 * Clients on few shared issues, entries and observations, over two API processes and a worker, through kill -9, terminated
 * backends and a crash of PostgreSQL; then the invariants, from what clients saw and the database holds. `npm run soak --
 * invariants [--seconds=60] [--clients=32] [--operations=200000] [--minutes=60] [--seed=1]`.
 */
export const run = (args: ReadonlyArray<string>): Promise<boolean> => {
  const text = { type: "string" } as const
  const { values } = parseArgs({
    args: [...args],
    options: { operations: text, seconds: text, minutes: text, seed: text, clients: text }
  })
  const operations = number(values.operations, 0)
  const extent = {
    clients: number(values.clients, 32),
    operations,
    seconds: number(values.seconds, operations === 0 ? 60 : 0),
    minutes: number(values.minutes, 0),
    seed: number(values.seed, Math.floor(Math.random() * 1_000_000))
  }
  return Effect.gen(function* () {
    const world = yield* aWorld({
      database: yield* aChaosDatabase(),
      folder: yield* aTemporaryFolder,
      roles: ["api", "api", "worker"],
      clients: Math.min(extent.clients, mostKeys),
      // Jobs that cost enough for a cent to be seen.
      env: { ASSAY_CPU_SECOND_USD: "0.05" }
    })
    const { shared, kept, limited, seconds } = yield* soaked(world, extent)
    const violations = violationsOf(shared.calls, limited, kept)
    const [limit] = limited
    line("seed", extent.seed)
    line("clients (keys)", `${extent.clients} (${world.keys.length})`)
    line("operations", shared.answered)
    line("operations a second", (shared.answered / seconds).toFixed(1))
    line("load of the machine", loadNow())
    line("longest call", `${shared.longest.toFixed(2)} s`, "≤ 10 s")
    line(
      "calls that passed the limit",
      limit?.accepted ?? 0,
      `${limit === undefined ? "" : expectedOf(limit).toFixed(1)} ± 2 %`
    )
    line("US dollars settled", kept.money.settled.toFixed(4))
    line("responses", [...shared.codes].map(([code, n]) => `${code} ${n}`).join(", "))
    for (const [name, cases] of Object.entries(violations)) line(name, cases.length, "0")
    for (const violation of Object.values(violations).flat().slice(0, 50)) console.log(violation)
    const isWell = Object.values(violations).every((cases) => cases.length === 0)
    return isWell && shared.longest <= 10 && !shared.codes.has("internal_error")
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None), Effect.runPromise)
}
