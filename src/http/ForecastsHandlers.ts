import { Effect } from "effect"
import { Forecasts } from "../services/forecasts/Forecasts.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const ForecastsHandlers = group(
  Api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const forecasts = yield* Forecasts
    return handlers
      .handle("ofRepository", ({ path }) => forecasts.ofRepository(path))
      .handle("lookup", ({ urlParams }) => forecasts.lookup(urlParams))
  })
)
