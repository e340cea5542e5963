import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { ApiError, api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"
import type { RepositoryAddress } from "./repositories.ts"

export type EntrySummary = Schema<"ContextEntrySummary">
export type Entry = Schema<"ContextEntry">
export type EntryEvent = Schema<"ContextEvent">
export type NewEntry = Schema<"CreateContextEntryRequest">
export type EntryChange = Schema<"PatchContextEntryRequest">
export type Level = Schema<"Project">

/** Slug of an area, a space or a project; null for the workspace. */
export type Address = string | null

export interface EntryFilters {
  readonly kind?: EntrySummary["kind"]
  readonly status?: EntrySummary["status"]
  readonly q?: string
  readonly include_disabled?: boolean
}

export const levelsQuery = queryOptions({
  queryKey: ["levels"],
  queryFn: () => everyRow((cursor) => ok(api.GET("/api/projects", { params: { query: { limit: pageSize, cursor } } })))
})

const readPage = (address: Address, query: EntryFilters & { readonly limit: number; readonly cursor?: string }) =>
  address === null
    ? ok(api.GET("/api/context/entries", { params: { query } }))
    : ok(api.GET("/api/projects/{slug}/context/entries", { params: { path: { slug: address }, query } }))

/** What applies at a level, with what it inherits. */
export const entriesQuery = (address: Address, filters: EntryFilters) =>
  queryOptions({
    queryKey: ["context", "entries", address, filters],
    queryFn: () => everyRow((cursor) => readPage(address, { ...filters, limit: pageSize, cursor }))
  })

/** Entries that a page shows of what applies to a repository. */
const digestRows = 20

/** What applies to a repository: the entries of the level that holds it and of those above, in reading order. */
export const repositoryDigestQuery = (address: RepositoryAddress) =>
  queryOptions({
    queryKey: ["context", "digest", address],
    queryFn: () =>
      ok(
        api.GET("/api/repos/{github_org}/{github_repo}/{github_base_branch}/context-digest", {
          params: { path: address, query: { limit: digestRows } }
        })
      ),
    staleTime: 60_000
  })

/** Number of a level's own entries that wait for a person. */
export const proposedCountQuery = (address: Address) =>
  queryOptions({
    queryKey: ["context", "proposed", address],
    queryFn: async () => (await readPage(address, { status: "proposed", limit: 1 })).proposed_count
  })

export const entryQuery = (address: Address, key: string) =>
  queryOptions({
    queryKey: ["context", "entry", address, key],
    queryFn: (): Promise<Entry> =>
      address === null
        ? ok(api.GET("/api/context/entries/{key}", { params: { path: { key } } }))
        : ok(api.GET("/api/projects/{slug}/context/entries/{key}", { params: { path: { slug: address, key } } }))
  })

export const historyQuery = (address: Address, key: string) =>
  queryOptions({
    queryKey: ["context", "history", address, key],
    queryFn: () =>
      everyRow((cursor) => {
        const query = { limit: pageSize, cursor }
        return address === null
          ? ok(api.GET("/api/context/entries/{key}/history", { params: { path: { key }, query } }))
          : ok(
              api.GET("/api/projects/{slug}/context/entries/{key}/history", {
                params: { path: { slug: address, key }, query }
              })
            )
      })
  })

/** A change of entries, after which everything that shows them is read again. */
const useEntryMutation = <Input, Output>(mutationFn: (input: Input) => Promise<Output>) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    // Also after an error: what was shown may be an earlier version.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["context"] })
  })
}

/** The version that a change was made from, as the header holds it. */
const seen = (etag: string) => ({ "if-match": `"${etag}"` })

export const useCreateEntry = (address: Address) =>
  useEntryMutation((body: NewEntry) =>
    address === null
      ? ok(api.POST("/api/context/entries", { body }))
      : ok(api.POST("/api/projects/{slug}/context/entries", { params: { path: { slug: address } }, body }))
  )

export const usePatchEntry = (address: Address, key: string) =>
  useEntryMutation(({ etag, body }: { readonly etag: string; readonly body: EntryChange }) =>
    address === null
      ? ok(api.PATCH("/api/context/entries/{key}", { params: { path: { key }, header: seen(etag) }, body }))
      : ok(
          api.PATCH("/api/projects/{slug}/context/entries/{key}", {
            params: { path: { slug: address, key }, header: seen(etag) },
            body
          })
        )
  )

export const useConfirmEntry = (address: Address) =>
  useEntryMutation(({ key, etag }: Pick<EntrySummary, "key" | "etag">) =>
    address === null
      ? ok(api.POST("/api/context/entries/{key}/confirm", { params: { path: { key }, header: seen(etag) } }))
      : ok(
          api.POST("/api/projects/{slug}/context/entries/{key}/confirm", {
            params: { path: { slug: address, key }, header: seen(etag) }
          })
        )
  )

export const useDisableEntry = (address: Address, key: string) =>
  useEntryMutation(({ etag, reason }: { readonly etag: string; readonly reason: string }) =>
    address === null
      ? ok(
          api.DELETE("/api/context/entries/{key}", { params: { path: { key }, header: seen(etag) }, body: { reason } })
        )
      : ok(
          api.DELETE("/api/projects/{slug}/context/entries/{key}", {
            params: { path: { slug: address, key }, header: seen(etag) },
            body: { reason }
          })
        )
  )

export const useRestoreEntry = (address: Address) =>
  useEntryMutation((key: string) =>
    address === null
      ? ok(api.POST("/api/context/entries/{key}/restore", { params: { path: { key } } }))
      : ok(api.POST("/api/projects/{slug}/context/entries/{key}/restore", { params: { path: { slug: address, key } } }))
  )

/** The version that another person wrote meanwhile, out of the error of a change that was made from an earlier one. */
export const theirsOf = (error: Error | null): Entry | null => {
  if (!(error instanceof ApiError) || error.code !== "version_conflict") return null
  const { current } = error.details
  return typeof current === "object" && current !== null && "body_md" in current ? (current as Entry) : null
}
