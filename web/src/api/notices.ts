import { queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"

export type Notice = Schema<"Notice">

const shown = 50
const pollMillis = 60_000

export const noticesKey = ["notices"] as const

/** The newest unread notices; more than fit are said to be more. */
export const unreadQuery = queryOptions({
  queryKey: [...noticesKey, "unread"],
  queryFn: ({ signal }) => ok(api.GET("/api/notices", { params: { query: { unread: true, limit: shown } }, signal })),
  refetchInterval: pollMillis,
  staleTime: pollMillis / 2
})

/** The newest notices, read or not. */
export const noticesQuery = queryOptions({
  queryKey: [...noticesKey, "all"],
  queryFn: ({ signal }) => ok(api.GET("/api/notices", { params: { query: { limit: shown } }, signal }))
})

export const markRead = (body: Schema<"ReadNoticesRequest">) => ok(api.POST("/api/notices/read", { body }))
