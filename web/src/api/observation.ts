import { type QueryClient, queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"

export type ObservationDetail = Schema<"ObservationDetail">
export type ObservationEvent = ObservationDetail["events"][number]
export type FixAttempt = ObservationDetail["attempts"][number]
export type DismissalCategory = NonNullable<ObservationDetail["dismissal_category"]>

const path = (ref: string) => ({ params: { path: { ref } } })

/** The keys of all that is kept about one observation begin with this. */
export const observationKey = (ref: string) => ["observation", ref] as const

export const readObservation = (ref: string) => ok(api.GET("/api/observations/{ref}", path(ref)))

export const observationQuery = (ref: string) =>
  queryOptions({ queryKey: [...observationKey(ref), "detail"] as const, queryFn: () => readObservation(ref) })

export const explanationQuery = (ref: string) =>
  queryOptions({
    queryKey: [...observationKey(ref), "explanation"] as const,
    queryFn: () => ok(api.GET("/api/observations/{ref}/explanation", path(ref)))
  })

/** Lines around each location: so many at first, and so many more each time that more are asked for. */
export const firstContext = 5
const contextStep = 20
export const maxContext = 50

export const moreContext = (context: number): number => Math.min(maxContext, context + contextStep)

export const codeQuery = (ref: string, context: number) =>
  queryOptions({
    queryKey: [...observationKey(ref), "code", context] as const,
    queryFn: () => ok(api.GET("/api/observations/{ref}/code", { params: { path: { ref }, query: { context } } })),
    // The commit does not change while the page is open.
    staleTime: 300_000
  })

/** The code of one step of how it comes about, counted from 0 as the steps are listed. */
export const stepCodeQuery = (ref: string, step: number, context: number) =>
  queryOptions({
    queryKey: [...observationKey(ref), "code", "step", step, context] as const,
    queryFn: () =>
      ok(api.GET("/api/observations/{ref}/code", { params: { path: { ref }, query: { context, step: step + 1 } } })),
    staleTime: 300_000
  })

/** The open observations of one rule below a path. */
export type SameRule = NonNullable<Schema<"BulkTriageRequest">["filter"]> & { readonly path: string }

export const publishTicket = (ref: string) => ok(api.POST("/api/observations/{ref}/publish-ticket", path(ref)))

/** What pages and lists show of observations is read again. */
export const observationsChanged = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all(
    ["observation", "observations", "fix-prs"].map((key) => queryClient.invalidateQueries({ queryKey: [key] }))
  )
