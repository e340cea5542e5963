import { Schema } from "effect"
import { closed } from "./closed.ts"
import { Amount, Count, described, oneOf } from "./Text.ts"

export const confidences = ["high", "medium", "low", "none"] as const
export type Confidence = (typeof confidences)[number]

/** What a forecast rests on, best first. */
export const forecastSources = [
  "stage_models_hash_exact",
  "stage_models_per_stage_sum",
  "repo+workflow+agent_runner",
  "repo+workflow",
  "tenant+workflow+agent_runner",
  "tenant+workflow",
  "default"
] as const
export type ForecastSource = (typeof forecastSources)[number]

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { exact: true })

export const Forecast = closed(
  {
    workflow: Schema.String,
    cost_low: described(Amount, "USD"),
    cost_mid: Amount,
    cost_high: Amount,
    duration_low: described(Amount, "Seconds"),
    duration_mid: Amount,
    duration_high: Amount,
    sample_size: Count,
    confidence: oneOf(...confidences),
    source: oneOf(...forecastSources),
    agent_runner: optional(Schema.String),
    repo_name: optional(Schema.String)
  },
  "Forecast"
)
export type Forecast = typeof Forecast.Type

export const ForecastBatch = closed(
  { forecasts: Schema.Array(Forecast), repo_name: optional(Schema.String) },
  "ForecastBatchResponse"
)
export type ForecastBatch = typeof ForecastBatch.Type
