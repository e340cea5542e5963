import { queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { useChange } from "./settings.ts"

export type Tracker = Schema<"Tracker">

export const trackersQuery = queryOptions({
  queryKey: ["trackers"],
  queryFn: async () => (await ok(api.GET("/api/trackers"))).data
})

export const useSetTracker = () =>
  useChange(
    ({ kind, body }: { readonly kind: Tracker["kind"]; readonly body: Schema<"SetTrackerRequest"> }) =>
      ok(api.PUT("/api/trackers/{kind}", { params: { path: { kind } }, body })),
    trackersQuery.queryKey
  )

export const useDeleteTracker = () =>
  useChange(
    ({ kind, repository }: Pick<Tracker, "kind" | "repository">) =>
      ok(
        api.DELETE("/api/trackers/{kind}", {
          params: { path: { kind }, query: { repository: repository ?? undefined } }
        })
      ),
    trackersQuery.queryKey
  )
