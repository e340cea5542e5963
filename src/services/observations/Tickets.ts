import { Effect } from "effect"
import { NoTicketIntegration } from "../../schema/Fix.ts"
import type { Observation, ObservationNumber } from "../../schema/Observation.ts"
import { Observations } from "./Observations.ts"

/** Observations in a ticket tracker. No installation has one yet, so every repository lacks the integration. */
export class Tickets extends Effect.Service<Tickets>()("Tickets", {
  effect: Effect.gen(function* () {
    const observations = yield* Observations

    const publish = Effect.fn("Tickets.publish")(function* (number: ObservationNumber) {
      const { repo_name }: Observation = yield* observations.get(number)
      return yield* new NoTicketIntegration({ message: `${repo_name} has no ticket integration.` })
    })

    return { publish }
  })
}) {}
