import { Effect, type Scope } from "effect"
import { Chance } from "../../support/generate.ts"
import { faultScenario } from "../faultScenario.ts"
import { secondsUntilWell, stagesOf, untilBack, untilBusy } from "../faults.ts"
import { count, reached, seconds, spread } from "../figures.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"
import { apisOf, type Process, startAgain, type World, workersOf } from "../World.ts"

const stopSeconds = 90

/** SIGSTOP: it neither works nor closes its connections; others must take its jobs over, and it must not end them twice. */
const hang = (world: World, process: Process): Effect.Effect<ReadonlyArray<number>> =>
  Effect.gen(function* () {
    yield* untilBusy(world.database, process)
    const pid = process.server?.pid ?? 0
    const signal = (name: NodeJS.Signals) => Effect.ignore(Effect.try(() => globalThis.process.kill(pid, name)))
    yield* signal("SIGSTOP")
    const since = performance.now()
    const held = yield* stagesOf(world.database, pid)
    return yield* untilBack(world.database, held, since).pipe(
      Effect.zipLeft(Effect.suspend(() => Effect.sleep(Math.max(0, stopSeconds * 1000 - (performance.now() - since))))),
      Effect.ensuring(signal("SIGCONT"))
    )
  })

/** A deployment: the process is asked to end and its successor starts; seconds for the one and until the other is well. */
const deploy = (world: World, process: Process): Effect.Effect<Deployment, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { server } = process
    const isWorker = process.role === "worker"
    const held = isWorker ? yield* stagesOf(world.database, server?.pid ?? 0) : []
    process.server = null
    const since = performance.now()
    if (server !== null) yield* server.stop
    const ended = (performance.now() - since) / 1000
    yield* startAgain(process)
    const back = yield* untilBack(world.database, held, since)
    const well = isWorker ? 0 : yield* secondsUntilWell(process, world.keys[0] ?? "")
    return { ended, back, well }
  })

interface Deployment {
  readonly ended: number
  readonly well: number
  readonly back: ReadonlyArray<number>
}

export const stopped = faultScenario({
  name: "stopped",
  summary: "SIGSTOP of a worker for 90 s (2), and SIGTERM of each process, as a deployment sends it (40)",
  roles: ["api", "api", "worker", "worker"],
  faults: (world, options) =>
    Effect.gen(function* () {
      const [ofStops, ofDeployments] = [planned(2, options), planned(40, options)]
      const workers = workersOf(world)
      const endsAt = endOf(options)
      const back = yield* faultsInTurn(ofStops, endsAt, (index) => hang(world, workers[index % workers.length]!))
      const chance = new Chance(options.seed)
      const turns = [...apisOf(world), ...workers]
      const deployed = yield* faultsInTurn(ofDeployments, endsAt, (index) =>
        Effect.zipRight(Effect.sleep(chance.next() * 3000), deploy(world, turns[index % turns.length]!))
      )
      return [
        reached("workers stopped for 90 s", back.length, ofStops),
        count("jobs taken from a stopped worker", back.flat().length),
        seconds("jobs back from a stopped worker, longest", spread(back.flat()).largest, 15),
        reached("deployments (SIGTERM and a new start)", deployed.length, ofDeployments),
        seconds("end after SIGTERM, longest", spread(deployed.map(({ ended }) => ended)).largest, 10),
        seconds("API well after its start, longest", spread(deployed.map(({ well }) => well)).largest, 5),
        seconds("jobs back from a deployment, longest", spread(deployed.flatMap(({ back }) => back)).largest, 15)
      ]
    })
})
