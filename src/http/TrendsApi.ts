import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { InvalidPayload } from "../schema/Errors.ts"
import { trends } from "../schema/operations/index.ts"
import { optional } from "../schema/Text.ts"
import { Trends, TrendsQuery } from "../schema/Trends.ts"
import { Authorization } from "./Authorization.ts"
import { withCsv } from "./csv.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

const csv = withCsv(
  "The same numbers, one a line: `series`, `at` (start of the bucket), `rule`, `measure`, `value` (RFC 4180)."
)

export const TrendsApi = HttpApiGroup.make("trends")
  .add(
    // With `Accept: text/csv` the same numbers as CSV; see TrendsHandlers.
    HttpApiEndpoint.get("read", "/api/workspace/trends")
      .annotateContext(
        serves(
          trends.readTrends,
          "Shows how observations, false positives and spending developed: one value for each day or week in UTC, weeks starting on Monday, the first and the last one whole. Counts all kinds of observations in registered repositories that the caller may see. With `Accept: text/csv` the same numbers as CSV. `spend` and `forecast_coverage` are empty without `view_jobs`; `not_shown` names it then."
        )
      )
      .annotate(OpenApi.Transform, csv)
      .setUrlParams(TrendsQuery)
      .setHeaders(Schema.Struct({ accept: optional(Schema.String) }))
      .addSuccess(Trends)
      .addError(RepositoryFilterErrors)
      .addError(onWire(InvalidPayload))
  )
  .annotate(OpenApi.Description, "How the workspace develops.")
  .middleware(Authorization)
