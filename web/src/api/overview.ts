import { queryOptions } from "@tanstack/react-query"
import { api, ok } from "./client.ts"

export const overviewKey = ["workspace", "overview"] as const

/** The state of the workspace in figures. */
export const overviewQuery = queryOptions({
  queryKey: overviewKey,
  queryFn: ({ signal }) => ok(api.GET("/api/workspace/overview", { signal })),
  staleTime: 30_000
})
