import { QueryClient } from "@tanstack/react-query"
import { ApiError } from "../api/ApiError.ts"
import { sessionQuery } from "../api/session.ts"

const maxRetries = 2

/** Known content stays on the screen while it is read again; only what may pass by itself is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < maxRetries && error instanceof ApiError && error.isTemporary
    },
    mutations: { retry: false }
  }
})

const endOfSession = (error: unknown) => error instanceof ApiError && error.status === 401

// A session that ended elsewhere leads to the sign-in page, wherever it is noticed.
for (const cache of [queryClient.getQueryCache(), queryClient.getMutationCache()]) {
  cache.subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "error") return
    if (!endOfSession(event.action.error)) return
    if (queryClient.getQueryData(sessionQuery.queryKey) != null) queryClient.setQueryData(sessionQuery.queryKey, null)
  })
}
