import { queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"
import { useChange } from "./settings.ts"

export type Credential = Schema<"Credential">

export const credentialsQuery = queryOptions({
  queryKey: ["credentials"],
  queryFn: () =>
    everyRow((cursor) => ok(api.GET("/api/credentials", { params: { query: { limit: pageSize, cursor } } })))
})

export const useCreateCredential = () =>
  useChange(
    (body: Schema<"CreateCredentialRequest">) => ok(api.POST("/api/credentials", { body })),
    credentialsQuery.queryKey
  )

export const useDeleteCredential = () =>
  useChange(
    (credential_id: string) =>
      ok(api.DELETE("/api/credentials/{credential_id}", { params: { path: { credential_id } } })),
    credentialsQuery.queryKey
  )
