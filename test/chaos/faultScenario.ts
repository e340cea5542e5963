import { Effect, type Scope } from "effect"
import type { FailureKind } from "../../src/schema/Job.ts"
import { aTemporaryFolder } from "../support/server.ts"
import { aChaosDatabase } from "./ChaosDatabase.ts"
import type { Figure } from "./figures.ts"
import { ledgerReport, underLoad } from "./load.ts"
import type { Scenario, ScenarioOptions } from "./Scenario.ts"
import { aWorld, type Process, type World } from "./World.ts"

interface FaultScenario {
  readonly name: string
  readonly summary: string
  readonly roles: ReadonlyArray<Process["role"]>
  readonly env?: Readonly<Record<string, string>>
  readonly envOf?: (index: number) => Readonly<Record<string, string>>
  /** Kinds of failure that jobs on broken ground must have. */
  readonly expectedFailures?: ReadonlyArray<FailureKind>
  /** What it breaks while clients work; what it measured. */
  readonly faults: (world: World, options: ScenarioOptions) => Effect.Effect<ReadonlyArray<Figure>, never, Scope.Scope>
}

/** A scenario of faults in a running installation, with the ledger compared in the end. */
export const faultScenario = ({ name, summary, faults, expectedFailures = [], ...world }: FaultScenario): Scenario => ({
  name,
  summary,
  run: (options) =>
    Effect.gen(function* () {
      const database = yield* aChaosDatabase()
      const made = yield* aWorld({ ...world, database, folder: yield* aTemporaryFolder, clients: 6 })
      const load = { seed: options.seed, pauseMillis: 250, jobs: 6 }
      let measured: ReadonlyArray<Figure> = []
      const record = yield* underLoad(
        made,
        load,
        Effect.map(faults(made, options), (figures) => {
          measured = figures
        })
      )
      const ledger = yield* ledgerReport(made, record, expectedFailures)
      return { figures: [...measured, ...ledger.figures], details: ledger.details }
    })
})
