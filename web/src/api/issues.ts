import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"

export type Issue = Schema<"IssueDetail">
export type IssueSummary = Schema<"IssueSummary">
export type IssueStatus = Issue["status"]

/** Where an issue may be moved to, as the service's own table has it; closed ones are opened by reopening. */
export const nextStatuses: Readonly<Record<IssueStatus, ReadonlyArray<IssueStatus>>> = {
  open: ["in_progress", "blocked", "in_review"],
  in_progress: ["open", "blocked", "in_review"],
  blocked: ["open", "in_progress"],
  in_review: ["in_progress", "open"],
  done: [],
  cancelled: []
}

export interface IssueFilter {
  readonly status?: string
  readonly project?: string
  readonly repo?: string
  readonly assignee?: string
  readonly labels?: string
  readonly q?: string
  readonly ready?: boolean
}

export const issuesQuery = (filter: IssueFilter) =>
  infiniteQueryOptions({
    queryKey: ["issues", filter],
    queryFn: ({ pageParam }) =>
      ok(api.GET("/api/issues", { params: { query: { ...filter, limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })

export const issueQuery = (ref: string) =>
  queryOptions({
    queryKey: ["issue", ref],
    queryFn: () => ok(api.GET("/api/issues/{ref}", { params: { path: { ref } } }))
  })

export const issueEventsQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: ["issue", ref, "events"],
    queryFn: ({ pageParam }) =>
      ok(api.GET("/api/issues/{ref}/events", { params: { path: { ref }, query: { limit: 50, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: () => ok(api.GET("/api/projects", { params: { query: { limit: 200 } } }))
})

export type FiledIssues = Schema<"FiledIssues">

type FromFindings = Schema<"FileIssuesFromFindingsRequest">
export type FindingsGrouping = NonNullable<FromFindings["group_by"]>

/** Observations that one call files issues from. */
export const mostFindings = 100

export interface IssuesRequest {
  readonly project: string
  readonly group_by: FindingsGrouping
  readonly refs?: ReadonlyArray<string>
  readonly filter?: FromFindings["filter"]
}

const fromFindings = ({ refs, ...rest }: IssuesRequest, preview: boolean) =>
  ok(
    api.POST("/api/issues/from-findings", {
      body: { ...rest, preview, ...(refs === undefined ? {} : { refs: [...refs] }) }
    })
  )

/** What would be filed from observations. */
export const issuesPreviewQuery = (request: IssuesRequest) =>
  queryOptions({
    queryKey: ["issues", "preview", request],
    queryFn: async () => {
      const { preview, existing, skipped } = await fromFindings(request, true)
      if (preview === undefined) throw new Error("The server returned issues in place of a preview.")
      return { ...preview, existing, skipped }
    },
    gcTime: 0
  })

export const useFileFromFindings = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (request: IssuesRequest) => fromFindings(request, false),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["issues"], refetchType: "none" })
  })
}

/** A change of one issue; what it returns is read again together with the events and the lists. */
export const useIssueChange = <Input>(ref: string, change: (input: Input) => Promise<unknown>) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      queryClient.invalidateQueries({ queryKey: ["issue", ref] })
      queryClient.invalidateQueries({ queryKey: ["issues"] })
    }
  })
}

/** The requests that change one issue. */
export const issueRequests = (ref: string) => {
  const params = { path: { ref } }
  return {
    move: (status: IssueStatus) => ok(api.POST("/api/issues/{ref}/status", { params, body: { status } })),
    close: (body: Schema<"CloseIssueRequest">) => ok(api.POST("/api/issues/{ref}/close", { params, body })),
    reopen: (reason: string) => ok(api.POST("/api/issues/{ref}/reopen", { params, body: { reason } })),
    note: (body_md: string) => ok(api.POST("/api/issues/{ref}/notes", { params, body: { body_md } })),
    claim: () => ok(api.POST("/api/issues/{ref}/claim", { params, body: {} })),
    release: () => ok(api.DELETE("/api/issues/{ref}/claim", { params, body: {} })),
    addCriterion: (text: string) => ok(api.POST("/api/issues/{ref}/criteria", { params, body: { text } })),
    setMet: ({ id, met }: { readonly id: string; readonly met: boolean }) =>
      ok(api.PUT("/api/issues/{ref}/criteria/{id}", { params: { path: { ref, id } }, body: { met } })),
    attach: (url: string) => ok(api.POST("/api/issues/{ref}/pull-requests", { params, body: { url } })),
    relate: (body: Schema<"RelateIssuesRequest">) => ok(api.POST("/api/issues/{ref}/relations", { params, body })),
    unrelate: ({ kind, other }: Schema<"RelateIssuesRequest">) =>
      ok(api.DELETE("/api/issues/{ref}/relations/{kind}/{other}", { params: { path: { ref, kind, other } } })),
    update: ({ etag, body }: { readonly etag: string; readonly body: Schema<"UpdateIssueRequest"> }) =>
      ok(api.PATCH("/api/issues/{ref}", { params: { path: { ref }, header: { "if-match": etag } }, body }))
  }
}
