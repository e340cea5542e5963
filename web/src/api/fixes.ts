import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { observationKey } from "./observation.ts"
import { everyRow, pageSize } from "./paging.ts"

export type FixPr = Schema<"WorkspaceFixPr">

const path = (ref: string) => ({ params: { path: { ref } } })

/** The change that the newest attempt with one makes. */
export const fixDiffQuery = (ref: string) =>
  queryOptions({
    queryKey: [...observationKey(ref), "fix-diff"] as const,
    queryFn: () => ok(api.GET("/api/observations/{ref}/diff", path(ref)))
  })

const fixPrs = (status: string, repo: string | undefined, cursor: string | undefined) =>
  ok(
    api.GET("/api/fix-prs", {
      params: {
        query: { status, limit: pageSize, ...(repo === undefined ? {} : { repo }), ...(cursor ? { cursor } : {}) }
      }
    })
  )

/** Those that wait for something, of one repository or of all. */
export const openFixPrsQuery = (repo: string | undefined) =>
  queryOptions({
    queryKey: ["fix-prs", "open", repo ?? null] as const,
    queryFn: () => everyRow((cursor) => fixPrs("in_review,revising,needs_attention", repo, cursor))
  })

/** Those that nothing follows, the newest first. */
export const endedFixPrsQuery = (repo: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["fix-prs", "ended", repo ?? null] as const,
    queryFn: ({ pageParam }) => fixPrs("merged,closed,abandoned", repo, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor
  })

export const requestFix = (ref: string, extra_attempt: boolean) =>
  ok(api.POST("/api/observations/{ref}/fix", { ...path(ref), body: { extra_attempt } }))

export const reviseFix = (ref: string, instructions: string) =>
  ok(api.POST("/api/observations/{ref}/fix-revision", { ...path(ref), body: { instructions } }))

export const withdrawFix = (ref: string) => ok(api.POST("/api/observations/{ref}/fix-withdrawal", path(ref)))
