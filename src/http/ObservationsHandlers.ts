import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Observations } from "../services/observations/Observations.ts"
import { Api } from "./Api.ts"

export const ObservationsHandlers = HttpApiBuilder.group(
  Api,
  "observations",
  Effect.fnUntraced(function* (handlers) {
    const observations = yield* Observations
    return handlers
      .handle("list", ({ urlParams }) => observations.list(urlParams))
      .handle("get", ({ path }) => observations.get(path.ref))
      .handle("dismiss", ({ path, payload }) => observations.dismiss(path.ref, payload))
      .handle("reopen", ({ path, payload }) => observations.reopen(path.ref, payload))
      .handle("complete", ({ path, payload }) => observations.complete(path.ref, payload ?? {}))
      .handle("acknowledge", ({ path }) => observations.acknowledge(path.ref))
  })
)
