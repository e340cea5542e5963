import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { Forecast, ForecastBatch } from "../schema/Forecast.ts"
import { Workflow } from "../schema/Job.ts"
import { forecasts } from "../schema/operations/index.ts"
import { RepositoryPath } from "../schema/Repository.ts"
import { field, optional, text } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryErrors, RepositoryFilterErrors } from "./errors.ts"
import { serves } from "./wire.ts"

export const ForecastsApi = HttpApiGroup.make("forecasts")
  .add(
    HttpApiEndpoint.get("ofRepository", "/api/repos/:github_org/:github_repo/:github_base_branch/forecasts")
      .annotateContext(serves(forecasts.listForecasts))
      .setPath(RepositoryPath)
      .addSuccess(ForecastBatch)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("lookup", "/api/forecasts/lookup")
      .annotateContext(serves(forecasts.lookupForecast))
      .setUrlParams(
        closed({
          workflow: field(Workflow, "Workflow to forecast."),
          repo_name: optional(
            text(1, 400),
            "Slug of the repository branch: `repo@branch`; default: the whole workspace."
          )
        })
      )
      .addSuccess(Forecast)
      .addError(RepositoryFilterErrors)
  )
  .annotate(OpenApi.Description, "Cost and duration of jobs before they run.")
  .middleware(Authorization)
