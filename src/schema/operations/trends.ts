import { operation } from "../Operation.ts"

export const readTrends = operation({
  name: "trends.read",
  summary: "Read how observations, false positives and spending developed, by day or by week.",
  scopes: ["view_observations"], // spending also needs view_jobs: Trends.read leaves it out
  access: "read"
})
