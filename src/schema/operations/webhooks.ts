import { operation } from "../Operation.ts"

// `manage_tenant_settings` is a scope of admins and owners only: an endpoint may be sent everything in the workspace.
const common = { scopes: ["manage_tenant_settings"], beta: "webhooks" } as const

export const listWebhooks = operation({
  name: "webhooks.list",
  summary: "List the webhook endpoints of the workspace, without their secrets.",
  access: "read",
  ...common
})
export const createWebhook = operation({
  name: "webhooks.create",
  summary: "Register a webhook endpoint; its secret is returned this once.",
  access: "write",
  ...common
})
export const readWebhook = operation({
  name: "webhooks.read",
  summary: "Read a webhook endpoint, without its secret.",
  access: "read",
  ...common
})
export const updateWebhook = operation({
  name: "webhooks.update",
  summary: "Change, pause or resume a webhook endpoint.",
  access: "write",
  destructive: true,
  idempotent: true,
  ...common
})
export const deleteWebhook = operation({
  name: "webhooks.delete",
  summary: "Delete a webhook endpoint with its deliveries.",
  access: "write",
  destructive: true,
  idempotent: true,
  ...common
})
export const rotateSecret = operation({
  name: "webhooks.rotate_secret",
  summary: "Give a webhook endpoint a new secret; the old one signs, too, for 24 hours.",
  access: "write",
  destructive: true,
  ...common
})
export const testWebhook = operation({
  name: "webhooks.test",
  summary: "Send a test event to a webhook endpoint.",
  access: "write",
  openWorld: true,
  ...common
})
export const listDeliveries = operation({
  name: "webhooks.list_deliveries",
  summary: "List the deliveries to a webhook endpoint, newest first.",
  access: "read",
  ...common
})
export const resendDelivery = operation({
  name: "webhooks.resend",
  summary: "Send a delivery to a webhook endpoint again, or now instead of later.",
  access: "write",
  openWorld: true,
  ...common
})
