import { Effect } from "effect"
import type { ScenarioOptions } from "./Scenario.ts"

/** How many faults of the full form are planned for this run; at least one. */
export const planned = (full: number, { scale }: ScenarioOptions): number => Math.max(1, Math.round(full * scale))

/** Makes faults one after another until there were enough or the time is over; what each gave. */
export const faultsInTurn = <A, R>(
  most: number,
  endsAt: number,
  fault: (index: number) => Effect.Effect<A, never, R>
): Effect.Effect<ReadonlyArray<A>, never, R> =>
  Effect.gen(function* () {
    const results: Array<A> = []
    while (results.length < most && performance.now() < endsAt) results.push(yield* fault(results.length))
    return results
  })

export const endOf = ({ minutes }: ScenarioOptions): number => performance.now() + minutes * 60_000
