import { Effect } from "effect"
import { Fixes } from "../services/fixes/Fixes.ts"
import { Observations } from "../services/observations/Observations.ts"
import { Tickets } from "../services/tickets/Tickets.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { printed } from "./wire.ts"

export const ObservationsHandlers = group(
  Api,
  "observations",
  Effect.fnUntraced(function* (handlers) {
    const observations = yield* Observations
    const fixes = yield* Fixes
    const tickets = yield* Tickets
    return handlers
      .handle("list", ({ urlParams }) => Effect.map(observations.printedList(urlParams), printed))
      .handle("search", ({ urlParams }) => observations.search(urlParams))
      .handle("pendingMigrations", ({ urlParams }) => observations.pendingMigrations(urlParams))
      .handle("recent", ({ path, urlParams }) => observations.recent(path, urlParams))
      .handle("explain", ({ path }) => observations.explain(path.ref))
      .handle("get", ({ path }) => Effect.map(fixes.printedDetail(path.ref), printed))
      .handle("dismiss", ({ path, payload }) => observations.dismiss(path.ref, payload))
      .handle("reopen", ({ path, payload }) => observations.reopen(path.ref, payload))
      .handle("complete", ({ path, payload }) => observations.complete(path.ref, payload ?? {}))
      .handle("acknowledge", ({ path }) => observations.acknowledge(path.ref))
      .handle("fix", ({ path, payload }) => fixes.submit(path.ref, payload ?? {}))
      .handle("requestFix", ({ path, payload }) => fixes.request(path.ref, payload.job_id))
      .handle("reviseFix", ({ path, payload }) => fixes.revise(path.ref, payload.instructions))
      .handle("publishTicket", ({ path }) => tickets.publish(path.ref))
  })
)
