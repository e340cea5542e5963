import { queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import type { RepositoryAddress } from "./repositories.ts"

export type Forecast = Schema<"Forecast">

/** What each workflow would cost and take on the repository now. */
export const forecastsQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: ["forecasts", address],
    queryFn: () =>
      ok(
        api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/forecasts", { params: { path: address } })
      ),
    select: ({ forecasts }): Readonly<Record<string, Forecast>> =>
      Object.fromEntries(forecasts.map((forecast) => [forecast.workflow, forecast]))
  })

/** The same for the whole workspace, where the repository is not registered yet. */
export const workspaceForecastQuery = (workflow: "audit" | "standard_audit") =>
  queryOptions({
    queryKey: ["forecasts", workflow],
    queryFn: () => ok(api.GET("/api/forecasts/lookup", { params: { query: { workflow } } }))
  })
