import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"

export type ApiKey = Schema<"ApiKey">
export type NewKey = Schema<"CreateKeyRequest">
export type KeyChange = Schema<"UpdateKeyRequest">

/** Keys that may be live in a workspace at a time. */
export const maxLiveKeys = 25

/** Every key that the caller manages: their own, or all of the workspace for owners and admins. */
export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: () => everyRow((cursor) => ok(api.GET("/api/keys", { params: { query: { limit: pageSize, cursor } } })))
})

/** A change of keys, after which the list is read again. */
const useKeyChange = <Input, Output>(mutationFn: (input: Input) => Promise<Output>) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
  })
}

export const useCreateKey = () => useKeyChange((body: NewKey) => ok(api.POST("/api/keys", { body })))

export const useTightenKey = (key_id: string) =>
  useKeyChange((body: KeyChange) => ok(api.PATCH("/api/keys/{key_id}", { params: { path: { key_id } }, body })))

export const useRevokeKey = (key_id: string) =>
  useKeyChange(() => ok(api.DELETE("/api/keys/{key_id}", { params: { path: { key_id } } })))
