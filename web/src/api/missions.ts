import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"

export type Mission = Schema<"Mission">
export type MissionSummary = Schema<"MissionSummary">
export type MissionStatus = Mission["status"]

/** While one of these holds, the mission changes by itself. */
const moving: ReadonlySet<MissionStatus> = new Set(["planning", "running"])
const pollMillis = 3_000

/** Whether nothing of it can change any more. */
export const isOver = ({ status }: Pick<Mission, "status">): boolean =>
  status === "completed" || status === "failed" || status === "cancelled"

export interface MissionFilter {
  readonly status?: MissionStatus
  readonly repo?: string
}

export const missionsQuery = (filter: MissionFilter) =>
  infiniteQueryOptions({
    queryKey: ["missions", filter],
    queryFn: ({ pageParam }) =>
      ok(api.GET("/api/missions", { params: { query: { ...filter, limit: 50, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })

export const missionQuery = (ref: string) =>
  queryOptions({
    queryKey: ["mission", ref],
    queryFn: () => ok(api.GET("/api/missions/{ref}", { params: { path: { ref } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && moving.has(state.data.status) ? pollMillis : false)
  })

export const missionEventsQuery = (ref: string) =>
  queryOptions({
    queryKey: ["mission", ref, "events"],
    queryFn: () => ok(api.GET("/api/missions/{ref}/events", { params: { path: { ref }, query: { limit: 100 } } }))
  })

export const missionSettingsQuery = queryOptions({
  queryKey: ["mission-settings"],
  queryFn: () => ok(api.GET("/api/missions/settings"))
})

/** What a person decides about a mission. */
export type MissionDecision =
  | { readonly kind: "approve" | "pause" | "resume" | "cancel" }
  | { readonly kind: "send_back"; readonly reason: string }
  | { readonly kind: "raise_budget"; readonly budget_usd: number }
  | { readonly kind: "skip_step"; readonly step_id: string; readonly reason: string }
  | { readonly kind: "retry_step"; readonly step_id: string }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "resubmit"; readonly request: Schema<"ResubmitMissionRequest"> }

const decide = (ref: string, decision: MissionDecision): Promise<Mission> => {
  const path = { ref }
  switch (decision.kind) {
    case "approve":
      return ok(api.POST("/api/missions/{ref}/approve", { params: { path } }))
    case "pause":
      return ok(api.POST("/api/missions/{ref}/pause", { params: { path } }))
    case "resume":
      return ok(api.POST("/api/missions/{ref}/resume", { params: { path } }))
    case "cancel":
      return ok(api.POST("/api/missions/{ref}/cancel", { params: { path } }))
    case "send_back":
      return ok(api.POST("/api/missions/{ref}/send-back", { params: { path }, body: { reason: decision.reason } }))
    case "raise_budget":
      return ok(api.POST("/api/missions/{ref}/budget", { params: { path }, body: { budget_usd: decision.budget_usd } }))
    case "skip_step":
      return ok(
        api.POST("/api/missions/{ref}/steps/{step_id}/skip", {
          params: { path: { ref, step_id: decision.step_id } },
          body: { reason: decision.reason }
        })
      )
    case "retry_step":
      return ok(
        api.POST("/api/missions/{ref}/steps/{step_id}/retry", { params: { path: { ref, step_id: decision.step_id } } })
      )
    case "answer":
      return ok(api.POST("/api/missions/{ref}/answer", { params: { path }, body: { text: decision.text } }))
    case "resubmit":
      return ok(api.POST("/api/missions/{ref}/resubmit", { params: { path }, body: decision.request }))
  }
}

/** Carries out a decision; the mission's new state is its answer. */
export const useDecision = (ref: string) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (decision: MissionDecision) => decide(ref, decision),
    onSuccess: (mission) => queryClient.setQueryData(missionQuery(ref).queryKey, mission),
    onSettled: () => {
      queryClient.invalidateQueries({ queryKey: ["mission", ref] })
      queryClient.invalidateQueries({ queryKey: ["missions"] })
    }
  })
}
