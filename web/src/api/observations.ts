import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import type { paths } from "./schema.d.ts"

export type Observation = Schema<"Observation">
export type ObservationsPage = Schema<"ObservationsPage">

type ListQuery = NonNullable<paths["/api/observations"]["get"]["parameters"]["query"]>

/** What a list of observations is narrowed to, as the API takes it. */
export type ObservationFilter = Omit<ListQuery, "order" | "include" | "limit" | "cursor">

export interface ListRequest {
  readonly filter: ObservationFilter
  readonly order: NonNullable<ListQuery["order"]>
  /** Search words; none for the plain list. */
  readonly q?: string
}

/** The first page is short, so that it is on the screen at once. */
const firstPage = 50
const laterPages = 200

export const readPage = (
  { filter, order, q }: ListRequest,
  { cursor, limit, signal }: { readonly cursor: string | null; readonly limit: number; readonly signal?: AbortSignal }
): Promise<ObservationsPage> => {
  const query = { ...filter, order, include: "locations" as const, limit, cursor: cursor ?? undefined }
  return q === undefined
    ? ok(api.GET("/api/observations", { params: { query }, signal }))
    : ok(api.GET("/api/observations/search", { params: { query: { ...query, q } }, signal }))
}

export const listKey = ["observations", "list"] as const

/** Pages that are known stay as they are until someone asks again: rows must not move under the reader's eyes. */
export const observationsQuery = (request: ListRequest) =>
  infiniteQueryOptions({
    queryKey: [...listKey, request],
    queryFn: ({ pageParam, signal }) =>
      readPage(request, { cursor: pageParam, limit: pageParam === null ? firstPage : laterPages, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: ObservationsPage) => page.next_cursor,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData
  })

export const facetsKey = ["observations", "facets"] as const

/** How many observations there are of each value, with the filters of the list. */
export const facetsQuery = (filter: ObservationFilter) =>
  queryOptions({
    queryKey: [...facetsKey, filter],
    queryFn: ({ signal }) => ok(api.GET("/api/observations/facets", { params: { query: filter }, signal })),
    staleTime: 30_000,
    placeholderData: keepPreviousData
  })

/** How many were first seen today, in the last days, and before; today began when it did for the reader. */
export const agesQuery = (filter: ObservationFilter, today: string) => {
  const { first_seen_since: _, first_seen_until: __, ...rest } = filter
  const query = { ...rest, facets: "age", today }
  return queryOptions({
    queryKey: [...facetsKey, query],
    queryFn: async ({ signal }) => (await ok(api.GET("/api/observations/facets", { params: { query }, signal }))).age,
    staleTime: 30_000,
    placeholderData: keepPreviousData
  })
}

export type Facets = Schema<"ObservationFacets">

/** How many observations match a filter: the sum of one facet, of which the filter's own values count only. */
export const countOf = (facets: Facets, filter: ObservationFilter): number => {
  const own = filter.priority?.split(",")
  return facets.priority.reduce((sum, { value, count }) => (own?.includes(value) === false ? sum : sum + count), 0)
}
