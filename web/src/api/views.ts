import { queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"

export type SavedView = Schema<"View">

/** Saved views of the list of observations: one's own, and shared ones. */
export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: () => everyRow((cursor) => ok(api.GET("/api/views", { params: { query: { limit: pageSize, cursor } } }))),
  staleTime: 60_000
})

export const createView = (body: Schema<"CreateViewRequest">) => ok(api.POST("/api/views", { body }))

export const updateView = ({ id, ...body }: Schema<"UpdateViewRequest"> & { readonly id: string }) =>
  ok(api.PATCH("/api/views/{view_id}", { params: { path: { view_id: id } }, body }))

export const deleteView = (id: string) => ok(api.DELETE("/api/views/{view_id}", { params: { path: { view_id: id } } }))
