import { Effect } from "effect"
import { Forecast } from "../schema/Forecast.ts"
import { workflows } from "../schema/Job.ts"
import { forecasts as operations } from "../schema/operations/index.ts"
import { field, oneOf, optional, text } from "../schema/Text.ts"
import { Forecasts } from "../services/forecasts/Forecasts.ts"
import { tool } from "./Tool.ts"

export const ForecastsTools = Effect.map(Forecasts, (forecasts) => [
  tool({
    name: "get_cost_forecast",
    title: "Get cost forecast",
    description: "Forecast cost (USD) and duration (seconds) of a workflow. Use submit_job to start it.",
    operation: operations.lookupForecast,
    args: {
      workflow: field(oneOf(...workflows), "Workflow to forecast."),
      repo_name: optional(
        text(1, 400),
        "`repo@branch`, or `owner/repo@branch` where two owners share a name; omit for the whole workspace."
      )
    },
    result: Forecast,
    run: (args) => forecasts.lookup(args)
  })
])
