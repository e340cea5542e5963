import { Effect } from "effect"
import { NoTicketIntegration } from "../../schema/Fix.ts"
import type { Observation } from "../../schema/Observation.ts"
import { Observations } from "./Observations.ts"

/** Observations in a ticket tracker. No installation has one yet, so every repository lacks the integration. */
export class Tickets extends Effect.Service<Tickets>()("Tickets", {
  effect: Effect.gen(function* () {
    const observations = yield* Observations

    const publish = Effect.fn("Tickets.publish")(function* (ref: string) {
      const { repo_name }: Observation = yield* observations.get(ref)
      return yield* new NoTicketIntegration({ message: `${repo_name} has no ticket integration.` })
    })

    return { publish }
  })
}) {}
