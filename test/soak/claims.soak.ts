import { parseArgs } from "node:util"
import { Effect, Logger, LogLevel } from "effect"
import { aTemporaryFolder } from "../support/server.ts"
import { administer, testServer, urlOf } from "../support/TestPostgres.ts"
import { reportOf } from "./claims/report.ts"
import { soaked } from "./claims/soaked.ts"
import { aWorld } from "./claims/World.ts"

const number = (text: string | undefined, fallback: number): number => {
  const value = Number(text ?? fallback)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${text} is not a number.`)
  return value
}

const readArgs = (args: ReadonlyArray<string>) => {
  const text = { type: "string" } as const
  const { values } = parseArgs({
    args: [...args],
    options: { operations: text, seconds: text, minutes: text, seed: text }
  })
  const operations = number(values.operations, 0)
  return {
    operations,
    seconds: number(values.seconds, operations === 0 ? 60 : 0),
    minutes: number(values.minutes, 0),
    seed: number(values.seed, Math.floor(Math.random() * 1_000_000))
  }
}

/**
 * 32 clients claim a dozen issues, work under their claims and lose them, over two API processes of one database whose
 * clocks are two hours apart, through `kill -9` of one of them. `npm run soak -- claims [--seconds=60] [--operations=100000]
 * [--minutes=60] [--seed=1]`; prints a figure a line, then the violations. Returns whether there were none.
 */
export const run = (args: ReadonlyArray<string>): Promise<boolean> => {
  const extent = readArgs(args)
  return Effect.gen(function* () {
    const server = yield* testServer
    yield* administer(server.url, `CREATE DATABASE soak TEMPLATE ${server.template}`)
    const world = yield* aWorld({
      databaseUrl: urlOf(server.url, "soak"),
      folder: yield* aTemporaryFolder,
      keys: 20,
      people: 9,
      managers: 3,
      issues: 12
    })
    const { figures, violations } = reportOf(yield* soaked(world, extent))
    for (const line of [`seed ${extent.seed}`, ...figures, ...violations.slice(0, 50)]) console.log(line)
    return violations.length === 0
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.Error), Effect.runPromise)
}
