import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { Chance } from "../../support/generate.ts"
import { faultScenario } from "../faultScenario.ts"
import { secondsUntilWell } from "../faults.ts"
import { reached, seconds, spread } from "../figures.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"

const movedClock = fileURLToPath(new URL("../../soak/claims/movedClock.mjs", import.meta.url))
const hour = 3_600_000
const day = 24 * hour
const offsets = [hour, -day, -hour, day]

/** SIGUSR2 moves the time of day of a process as far to the other side. */
export const clocks = faultScenario({
  name: "clocks",
  summary: "clocks of API processes and workers that stand ±1 h and ±1 day off and jump to the other side (24)",
  roles: ["api", "api", "worker", "worker"],
  envOf: (index) => ({ NODE_OPTIONS: `--import=${movedClock}`, TEST_CLOCK_OFFSET: String(offsets[index] ?? hour) }),
  faults: (world, options) =>
    Effect.gen(function* () {
      const chance = new Chance(options.seed)
      const most = planned(24, options)
      const well = yield* faultsInTurn(most, endOf(options), (index) =>
        Effect.gen(function* () {
          yield* Effect.sleep(2000 + chance.next() * 4000)
          const process = world.processes[index % world.processes.length]
          if (process?.server === null || process === undefined) return 0
          globalThis.process.kill(process.server.pid, "SIGUSR2")
          return process.role === "api" ? yield* secondsUntilWell(process, world.keys[0] ?? "") : 0
        })
      )
      return [
        reached("steps of a clock", well.length, most),
        seconds("API well after a step, longest", spread(well).largest, 5)
      ]
    })
})
