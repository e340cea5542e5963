import { operation } from "../Operation.ts"

export const listForecasts = operation({
  name: "forecasts.of_repository",
  summary: "Forecast cost and duration of every workflow on a repository.",
  scopes: ["view_repositories"],
  access: "read"
})
export const lookupForecast = operation({
  name: "forecasts.lookup",
  summary: "Forecast cost (USD) and duration (seconds) of a workflow, on a repository or workspace-wide.",
  scopes: [], // any key
  access: "read"
})
