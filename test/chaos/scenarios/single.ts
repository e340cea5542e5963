import { Effect } from "effect"
import { Chance } from "../../support/generate.ts"
import { faultScenario } from "../faultScenario.ts"
import { killWorker } from "../faults.ts"
import { count, reached, seconds, spread } from "../figures.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"

export const single = faultScenario({
  name: "single",
  summary: "kill -9 of the only process, which serves and runs all jobs (50)",
  roles: ["all"],
  faults: (world, options) =>
    Effect.gen(function* () {
      const [process] = world.processes
      if (process === undefined) return []
      const most = planned(50, options)
      const chance = new Chance(options.seed)
      const back = yield* faultsInTurn(most, endOf(options), () => killWorker(world, process, chance, true))
      const { middle, largest } = spread(back.flat())
      return [
        reached("kills of the process", back.length, most),
        count("jobs that it held", back.flat().length),
        count("jobs back after the start, middle", `${middle.toFixed(2)} s`),
        seconds("jobs back after the start, longest", largest, 1)
      ]
    })
})
