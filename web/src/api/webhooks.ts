import { queryOptions } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"
import { useChange } from "./settings.ts"

export type Webhook = Schema<"Webhook">
export type NewWebhook = Schema<"CreateWebhookRequest">

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: () => everyRow((cursor) => ok(api.GET("/api/webhooks", { params: { query: { limit: pageSize, cursor } } })))
})

/** The newest deliveries of an endpoint; older ones are a matter of the audit of a failure, not of a glance. */
export const deliveriesQuery = (webhook_id: string) =>
  queryOptions({
    queryKey: ["webhooks", webhook_id, "deliveries"],
    queryFn: async () =>
      (
        await ok(
          api.GET("/api/webhooks/{webhook_id}/deliveries", {
            params: { path: { webhook_id }, query: { limit: pageSize } }
          })
        )
      ).data,
    refetchInterval: 5_000
  })

const of = (webhook_id: string) => ({ params: { path: { webhook_id } } })

export const useCreateWebhook = () =>
  useChange((body: NewWebhook) => ok(api.POST("/api/webhooks", { body })), webhooksQuery.queryKey)

export const useUpdateWebhook = () =>
  useChange(
    ({ id, body }: { readonly id: string; readonly body: Schema<"UpdateWebhookRequest"> }) =>
      ok(api.PATCH("/api/webhooks/{webhook_id}", { ...of(id), body })),
    webhooksQuery.queryKey
  )

export const useDeleteWebhook = () =>
  useChange((id: string) => ok(api.DELETE("/api/webhooks/{webhook_id}", of(id))), webhooksQuery.queryKey)

export const useRotateSecret = () =>
  useChange((id: string) => ok(api.POST("/api/webhooks/{webhook_id}/secret", of(id))), webhooksQuery.queryKey)

export const useTestWebhook = () =>
  useChange((id: string) => ok(api.POST("/api/webhooks/{webhook_id}/test", of(id))), webhooksQuery.queryKey)

export const useResend = () =>
  useChange(
    ({ webhook_id, delivery_id }: { readonly webhook_id: string; readonly delivery_id: string }) =>
      ok(
        api.POST("/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", {
          params: { path: { webhook_id, delivery_id } }
        })
      ),
    webhooksQuery.queryKey
  )
