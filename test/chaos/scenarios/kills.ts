import { Effect } from "effect"
import { Chance } from "../../support/generate.ts"
import { faultScenario } from "../faultScenario.ts"
import { killWorker, secondsUntilWell } from "../faults.ts"
import { count, reached, seconds, spread } from "../figures.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"
import { apisOf, killProcess, startAgain, type World, workersOf } from "../World.ts"

const killApi = (world: World, index: number, chance: Chance) =>
  Effect.gen(function* () {
    const process = apisOf(world)[index % 2]!
    yield* Effect.sleep(chance.next() * 2000)
    yield* killProcess(process)
    yield* startAgain(process)
    return yield* secondsUntilWell(process, world.keys[0] ?? "")
  })

export const kills = faultScenario({
  name: "kills",
  summary: "kill -9 of two workers and two API processes at random instants (200 each)",
  roles: ["api", "api", "worker", "worker"],
  faults: (world, options) =>
    Effect.gen(function* () {
      const endsAt = endOf(options)
      const most = planned(200, options)
      const chance = new Chance(options.seed)
      const [back, well] = yield* Effect.all(
        [
          faultsInTurn(most, endsAt, (index) => killWorker(world, workersOf(world)[index % 2]!, chance)),
          faultsInTurn(most, endsAt, (index) => killApi(world, index, chance))
        ],
        { concurrency: 2 }
      )
      const { middle, p95, largest } = spread(back.flat())
      return [
        reached("kills of workers", back.length, most),
        reached("kills of API processes", well.length, most),
        count("jobs taken from a killed worker", back.flat().length),
        count("jobs back, middle and 95th percentile", `${middle.toFixed(2)} s, ${p95.toFixed(2)} s`),
        seconds("jobs back, longest", largest, 15),
        seconds("API well after its start, longest", spread(well).largest, 5)
      ]
    })
})
