import { Effect } from "effect"
import { Chance } from "../../support/generate.ts"
import { terminateBackends } from "../ChaosDatabase.ts"
import { faultScenario } from "../faultScenario.ts"
import { secondsUntilWell } from "../faults.ts"
import { count, reached, seconds, spread } from "../figures.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"
import type { ScenarioOptions } from "../Scenario.ts"
import { apisOf, type World } from "../World.ts"

const allWell = (world: World) =>
  Effect.map(
    Effect.forEach(apisOf(world), (process) => secondsUntilWell(process, world.keys[0] ?? ""), {
      concurrency: "unbounded"
    }),
    (seconds) => Math.max(...seconds)
  )

/** Stops with the recovery after them, at random instants. */
const stops = (world: World, most: number, endsAt: number, chance: Chance) =>
  faultsInTurn(most, endsAt, () =>
    Effect.gen(function* () {
      yield* Effect.sleep(1000 + chance.next() * 4000)
      const away = yield* world.database.stopImmediately
      return { away, well: yield* allWell(world) }
    })
  )

const terminations = (world: World, most: number, endsAt: number, chance: Chance) =>
  Effect.gen(function* () {
    let ended = 0
    while (ended < most && performance.now() < endsAt) {
      yield* Effect.sleep(chance.next() * 400)
      ended += yield* terminateBackends(world.database, Math.min(1 + chance.below(5), most - ended))
    }
    return { ended, well: yield* allWell(world) }
  })

/** Tables that every write of clients and every job needs, held for as long as a careless session does. */
const locked = (world: World) =>
  Effect.gen(function* () {
    const client = yield* Effect.promise(() => world.database.pool.connect())
    yield* Effect.promise(() =>
      client.query("BEGIN; LOCK TABLE issues, context_entries, jobs IN ACCESS EXCLUSIVE MODE")
    )
    yield* Effect.sleep("8 seconds")
    yield* Effect.promise(() => client.query("ROLLBACK"))
    client.release()
    return yield* allWell(world)
  })

const halves = ({ minutes, ...options }: ScenarioOptions, share: number) =>
  endOf({ ...options, minutes: minutes * share })

export const database = faultScenario({
  name: "database",
  summary: "PostgreSQL stopped immediately (20), backends terminated (500), all connections held by locks (5)",
  roles: ["api", "api", "worker", "worker"],
  faults: (world, options) =>
    Effect.gen(function* () {
      const chance = new Chance(options.seed)
      const [ofStops, ofBackends, ofLocks] = [planned(20, options), planned(500, options), planned(5, options)]
      const stopped = yield* stops(world, ofStops, halves(options, 0.5), chance)
      const terminated = yield* terminations(world, ofBackends, halves(options, 0.3), chance)
      const held = yield* faultsInTurn(ofLocks, halves(options, 0.2), () => locked(world))
      return [
        reached("immediate stops of PostgreSQL", stopped.length, ofStops),
        count("PostgreSQL away, longest", `${spread(stopped.map(({ away }) => away)).largest.toFixed(2)} s`),
        seconds("well after PostgreSQL is back, longest", spread(stopped.map(({ well }) => well)).largest, 5),
        reached("backends terminated", terminated.ended, ofBackends),
        seconds("well after the last of them", terminated.well, 5),
        reached("times that locks starved the pools for 8 s", held.length, ofLocks),
        seconds("well after the locks, longest", spread(held).largest, 5)
      ]
    })
})
