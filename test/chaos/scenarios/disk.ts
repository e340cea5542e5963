import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { aTemporaryFolder } from "../../support/server.ts"
import { temporaryFolder } from "../../support/TestPostgres.ts"
import { aChaosDatabase } from "../ChaosDatabase.ts"
import { secondsUntilWell } from "../faults.ts"
import { count, type Figure, reached, seconds, spread } from "../figures.ts"
import { ledgerReport, underLoad } from "../load.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"
import type { Scenario } from "../Scenario.ts"
import { aSmallDisk, emptyDisk, fillDisk } from "../tmpfs.ts"
import { apisOf, aWorld, type World } from "../World.ts"

const databaseMegabytes = 320
const mirrorMegabytes = 48

const failedForRoom = (world: World) =>
  Effect.map(
    world.database.rows<{ readonly n: number }>("SELECT count(*)::int AS n FROM jobs WHERE failure_kind = 'disk_full'"),
    ([row]) => row?.n ?? 0
  )

/** Full for some seconds; how long the service needs once there is room. */
const full = (world: World, folder: string) =>
  Effect.gen(function* () {
    yield* Effect.sleep("3 seconds")
    yield* fillDisk(folder)
    yield* Effect.sleep("6 seconds")
    yield* emptyDisk(folder)
    const well = yield* Effect.forEach(apisOf(world), (process) => secondsUntilWell(process, world.keys[0] ?? ""))
    return Math.max(...well)
  })

export const disk: Scenario = {
  name: "disk",
  summary: "full disk of the database (6) and of the mirrors (6), on small file systems in memory",
  run: (options) =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const folder = yield* aTemporaryFolder
      yield* aSmallDisk(data, databaseMegabytes)
      const mirrors = join(folder, "mirrors")
      mkdirSync(mirrors)
      yield* aSmallDisk(mirrors, mirrorMegabytes)
      const database = yield* aChaosDatabase(data)
      const env = { ASSAY_DATA_DIR: mirrors }
      const world = yield* aWorld({ database, folder, roles: ["api", "worker"], clients: 6, env })
      const each = planned(6, options)
      let figures: ReadonlyArray<Figure> = []
      const faults = Effect.gen(function* () {
        const endsAt = endOf(options)
        const ofDatabase = yield* faultsInTurn(each, endsAt, () => full(world, data))
        const ofMirrors = yield* faultsInTurn(each, endsAt, () => full(world, mirrors))
        figures = [
          reached("times that the database's disk was full", ofDatabase.length, each),
          seconds("well after there is room, longest", spread(ofDatabase).largest, 5),
          reached("times that the mirrors' disk was full", ofMirrors.length, each),
          seconds("well after there is room for mirrors, longest", spread(ofMirrors).largest, 5),
          count("jobs that failed as disk_full", yield* failedForRoom(world))
        ]
      })
      const record = yield* underLoad(world, { seed: options.seed, pauseMillis: 250, jobs: 4 }, faults)
      const ledger = yield* ledgerReport(world, record)
      return { figures: [...figures, ...ledger.figures], details: ledger.details }
    })
}
