import { Schema } from "effect"
import { closed } from "./closed.ts"
import { RepoName } from "./Repository.ts"
import { Amount, Count, field, oneOf, optionalOrNull } from "./Text.ts"

export const confidences = ["high", "medium", "low", "none"] as const
export type Confidence = (typeof confidences)[number]

/** The sample that a forecast is computed from, best first. */
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

export const Forecast = closed(
  {
    workflow: field(Schema.String, "Workflow of the forecast."),
    cost_low: field(Amount, "Low estimate of the cost in US dollars."),
    cost_mid: field(Amount, "Most likely cost in US dollars."),
    cost_high: field(Amount, "High estimate of the cost in US dollars."),
    duration_low: field(Amount, "Low estimate of the duration in seconds."),
    duration_mid: field(Amount, "Most likely duration in seconds."),
    duration_high: field(Amount, "High estimate of the duration in seconds."),
    sample_size: field(Count, "Number of past jobs that the forecast is computed from."),
    confidence: field(oneOf(...confidences), "Confidence in the forecast; `none` without past jobs."),
    source: field(oneOf(...forecastSources), "Which past jobs the forecast is computed from."),
    agent_runner: optionalOrNull(Schema.String, "Agent runner of the forecast; null where none is used."),
    repo_name: optionalOrNull(RepoName, "Slug of the repository branch: `repo@branch`; null for the whole workspace.")
  },
  "Forecast",
  {
    workflow: "audit",
    cost_low: 1.0218e-5,
    cost_mid: 2.0435e-5,
    cost_high: 4.087e-5,
    duration_low: 1.842,
    duration_mid: 3.683,
    duration_high: 7.366,
    sample_size: 1,
    confidence: "medium",
    source: "stage_models_hash_exact",
    agent_runner: null,
    repo_name: "shop@main"
  }
)
export type Forecast = typeof Forecast.Type

export const ForecastBatch = closed(
  {
    forecasts: field(Schema.Array(Forecast), "One forecast for each workflow."),
    repo_name: optionalOrNull(RepoName, "Slug of the repository branch: `repo@branch`.")
  },
  "ForecastBatchResponse"
)
export type ForecastBatch = typeof ForecastBatch.Type
