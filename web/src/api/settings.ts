import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"
import { sessionQuery } from "./session.ts"
import { madeFrom } from "./texts.ts"

export type Setting = Schema<"Setting">
export type RuleSetting = Schema<"RuleSetting">

/** A change, after which what shows its outcome is read again. */
export const useChange = <Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  ...queryKeys: ReadonlyArray<ReadonlyArray<unknown>>
) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  })
}

export const useUpdateProfile = () =>
  useChange(
    (body: Schema<"UpdateProfileRequest">) => ok(api.PATCH("/api/session/profile", { body })),
    sessionQuery.queryKey,
    ["members"]
  )

export const useChangePassword = () =>
  useChange((body: Schema<"ChangePasswordRequest">) => ok(api.PUT("/api/session/password", { body })), ["sessions"])

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async () => (await ok(api.GET("/api/session/sessions"))).data
})

export const useEndSession = () =>
  useChange(
    (session_id: string) => ok(api.DELETE("/api/session/sessions/{session_id}", { params: { path: { session_id } } })),
    sessionsQuery.queryKey
  )

export const useSignOutElsewhere = () =>
  useChange(() => ok(api.DELETE("/api/session/sessions")), sessionsQuery.queryKey)

export const guidanceQuery = queryOptions({
  queryKey: ["guidance"],
  queryFn: () => ok(api.GET("/api/workspace/guidance"))
})

export const useSetGuidance = () =>
  useChange(
    ({ text, etag }: { readonly text: string; readonly etag: string }) =>
      ok(api.PUT("/api/workspace/guidance", { params: { header: madeFrom(etag) }, body: { text } })),
    guidanceQuery.queryKey
  )

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: async () => (await ok(api.GET("/api/workspace/settings"))).data
})

export const useSetSetting = () =>
  useChange(
    ({ name, value }: Pick<Setting, "name" | "value">) =>
      ok(api.PUT("/api/workspace/settings/{name}", { params: { path: { name } }, body: { value } })),
    settingsQuery.queryKey,
    limitsQuery.queryKey
  )

export const useClearSetting = () =>
  useChange(
    (name: Setting["name"]) => ok(api.DELETE("/api/workspace/settings/{name}", { params: { path: { name } } })),
    settingsQuery.queryKey,
    limitsQuery.queryKey
  )

export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: () => ok(api.GET("/api/workspace/limits"))
})

export const doctorQuery = queryOptions({
  queryKey: ["doctor"],
  queryFn: async () => (await ok(api.GET("/api/workspace/doctor"))).checks
})

export const ruleSettingsQuery = queryOptions({
  queryKey: ["rule-settings"],
  queryFn: async () => (await ok(api.GET("/api/rules/settings"))).data
})

export const muteProposalsQuery = queryOptions({
  queryKey: ["mute-proposals"],
  queryFn: async () => (await ok(api.GET("/api/rules/proposals"))).data
})

export const useSetRule = () =>
  useChange(
    ({ rule, ...body }: { readonly rule: string } & Schema<"SetRuleSettingRequest">) =>
      ok(api.PUT("/api/rules/settings/{rule}", { params: { path: { rule } }, body })),
    ruleSettingsQuery.queryKey,
    muteProposalsQuery.queryKey
  )

export type MailStatus = Schema<"OutboxMail">["status"]

/** The e-mails of one state, or of all. */
export const outboxQuery = (status: MailStatus | undefined) =>
  queryOptions({
    queryKey: ["outbox", status ?? null],
    queryFn: () =>
      everyRow((cursor) => ok(api.GET("/api/outbox", { params: { query: { limit: pageSize, cursor, status } } }))),
    refetchInterval: 15_000
  })
