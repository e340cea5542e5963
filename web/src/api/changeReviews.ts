import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"

export type ChangeReview = Schema<"ChangeReview">
export type Criterion = ChangeReview["criteria"][number]

const pollMillis = 3_000

export const changeReviewsQuery = infiniteQueryOptions({
  queryKey: ["change-reviews"],
  queryFn: ({ pageParam }) =>
    ok(api.GET("/api/change-reviews", { params: { query: { limit: 50, cursor: pageParam } } })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
})

/** Read again while its criteria are judged. */
export const changeReviewQuery = (name: string) =>
  queryOptions({
    queryKey: ["change-review", name],
    queryFn: () => ok(api.GET("/api/change-reviews/{name}", { params: { path: { name } } })),
    refetchInterval: ({ state }) => (state.data?.readiness === "running" ? pollMillis : false)
  })
