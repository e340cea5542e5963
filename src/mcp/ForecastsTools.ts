import { Effect } from "effect"
import { Forecast } from "../schema/Forecast.ts"
import { workflows } from "../schema/Job.ts"
import { forecasts as operations } from "../schema/operations/index.ts"
import { oneOf, optional, text } from "../schema/Text.ts"
import { Forecasts } from "../services/forecasts/Forecasts.ts"

import { tool } from "./Tool.ts"

export const ForecastsTools = Effect.map(Forecasts, (forecasts) => [
  tool({
    name: "get_cost_forecast",
    title: "Get cost forecast",
    operation: operations.lookupForecast,
    args: {
      workflow: oneOf(...workflows),
      repo_name: optional(text(1, 400).annotations({ description: "`repo@branch`; omit for the whole workspace." }))
    },
    result: Forecast,
    quotesRepository: false,
    run: (args) => forecasts.lookup(args)
  })
])
