import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { pageQuery } from "./Page.ts"
import { Count, field, Instant, nullable, oneOf, optional, Uuid } from "./Text.ts"

export const MailStatus = oneOf("pending", "sent", "failed")
export type MailStatus = typeof MailStatus.Type

export const OutboxMail = record("OutboxMail", {
  id: field(Uuid, "ID of the e-mail."),
  to: field(Schema.String, "Address of the recipient."),
  subject: field(Schema.String, "Subject line."),
  text: field(Schema.String, "Plain text of the e-mail."),
  status: field(MailStatus, "`pending` until it is sent; `failed` once it is given up."),
  attempts: field(Count, "Number of attempts to send it."),
  error: nullable(Schema.String, "Why the last attempt failed; null if none did."),
  created_at: field(Instant, "When it was queued."),
  next_attempt_at: nullable(Instant, "When it is tried next; null once it is sent or given up."),
  sent_at: nullable(Instant, "When it was sent; null until then.")
})
export type OutboxMail = typeof OutboxMail.Type

export const OutboxQuery = closed({ ...pageQuery, status: optional(MailStatus, "Only this status.") })
export type OutboxQuery = typeof OutboxQuery.Type
