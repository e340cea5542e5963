import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import { Forecast, ForecastBatch } from "../schema/Forecast.ts"
import { Workflow } from "../schema/Job.ts"
import { forecasts } from "../schema/operations/index.ts"
import { AmbiguousRepository, RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { text } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const ForecastsApi = HttpApiGroup.make("forecasts")
  .add(
    HttpApiEndpoint.get("ofRepository", "/api/repos/:github_org/:github_repo/:github_base_branch/forecasts")
      .annotateContext(serves(forecasts.listForecasts))
      .setPath(RepositoryPath)
      .addSuccess(ForecastBatch)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("lookup", "/api/forecasts/lookup")
      .annotateContext(serves(forecasts.lookupForecast))
      .setUrlParams(
        closed({
          workflow: Workflow,
          repo_name: Schema.optionalWith(text(1, 400), { exact: true }).annotations({
            description: "The slug `repo@branch`; omit for the whole workspace."
          })
        })
      )
      .addSuccess(Forecast)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(AmbiguousRepository))
  )
  .middleware(Authorization)
