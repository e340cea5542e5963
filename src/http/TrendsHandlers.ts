import { Effect } from "effect"
import type { Trends as TrendsRecord } from "../schema/Trends.ts"
import { Trends } from "../services/overview/Trends.ts"
import { csvLine } from "../services/support/csv.ts"
import { Api } from "./Api.ts"
import { csvFile } from "./csv.ts"
import { group } from "./group.ts"

export const TrendsHandlers = group(
  Api,
  "trends",
  Effect.fnUntraced(function* (handlers) {
    const trends = yield* Trends
    return handlers.handle("read", ({ urlParams, headers }) => {
      const asCsv = headers.accept?.includes("text/csv") === true
      return Effect.map(trends.read(urlParams), (found) =>
        asCsv ? csvFile("trends.csv", linesOf(found).map(csvLine).join("")) : found
      )
    })
  })
)

type Line = ReadonlyArray<string | number | null>

/** One number a line, so that all series fit into one table. */
const linesOf = ({ series, false_positive_share_by_rule }: TrendsRecord): ReadonlyArray<Line> => [
  ["series", "at", "rule", "measure", "value"],
  ...Object.entries(series).flatMap(([name, entries]) =>
    entries.flatMap(({ at, ...measures }) =>
      Object.entries<number | null>(measures).map(([measure, value]) => [name, at, null, measure, value])
    )
  ),
  ...false_positive_share_by_rule.flatMap(({ rule, ...measures }) =>
    Object.entries(measures).map(([measure, value]) => ["false_positive_share_by_rule", null, rule, measure, value])
  )
]
