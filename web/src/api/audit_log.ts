import { infiniteQueryOptions } from "@tanstack/react-query"
import { errorOf, unreachable } from "./ApiError.ts"
import { api, ok, type Schema } from "./client.ts"

export type AuditRecord = Schema<"AuditRecord">

export interface AuditFilters {
  readonly actor?: string
  readonly action?: string
  readonly object?: string
  readonly since?: string
  readonly until?: string
}

const rowsOfPage = 50

export const auditLogQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ["audit-log", filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) => {
      const page = await ok(api.GET("/api/audit-log", { params: { query: { ...filters, limit: rowsOfPage, cursor } } }))
      // Text is the other form of the response, which only `auditLogFile` asks for.
      return typeof page === "string" ? { data: [], next_cursor: null } : page
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })

/** All records that the filters select, as a file. */
export const auditLogFile = async (filters: AuditFilters): Promise<Blob> => {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== undefined))
  const response = await fetch(`/api/audit-log?${query}`, { headers: { accept: "text/csv" } }).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw errorOf(response, await response.json().catch(() => null))
  return response.blob()
}
