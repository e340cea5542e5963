import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { FixableObservation } from "../schema/Fix.ts"
import { Fixes } from "../services/observations/Fixes.ts"
import { Observations } from "../services/observations/Observations.ts"
import { Tickets } from "../services/observations/Tickets.ts"
import { Api } from "./Api.ts"
import { ObservationsPage } from "./ObservationsApi.ts"
import { ok } from "./wire.ts"

export const ObservationsHandlers = HttpApiBuilder.group(
  Api,
  "observations",
  Effect.fnUntraced(function* (handlers) {
    const observations = yield* Observations
    const fixes = yield* Fixes
    const tickets = yield* Tickets
    return handlers
      .handle("list", ({ urlParams }) => Effect.flatMap(observations.list(urlParams), ok(ObservationsPage)))
      .handle("search", ({ urlParams }) => Effect.flatMap(observations.search(urlParams), ok(ObservationsPage)))
      .handle("pendingMigrations", ({ urlParams }) =>
        Effect.flatMap(observations.pendingMigrations(urlParams), ok(ObservationsPage))
      )
      .handle("recent", ({ path, urlParams }) =>
        Effect.flatMap(observations.recent(path, urlParams), ok(ObservationsPage))
      )
      .handle("explain", ({ path }) => observations.explain(path.ref))
      .handle("get", ({ path }) => Effect.flatMap(fixes.detail(path.ref), ok(FixableObservation)))
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
