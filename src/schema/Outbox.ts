import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { pageQuery } from "./Page.ts"
import { Count, Instant, oneOf, Uuid } from "./Text.ts"

export const MailStatus = oneOf("pending", "sent", "failed")
export type MailStatus = typeof MailStatus.Type

export const OutboxMail = record("OutboxMail", {
  id: Uuid,
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  status: MailStatus,
  attempts: Count,
  error: Schema.NullOr(Schema.String).annotations({ description: "Why the last attempt failed." }),
  created_at: Instant,
  next_attempt_at: Schema.NullOr(Instant).annotations({ description: "Null once the mail is sent or given up." }),
  sent_at: Schema.NullOr(Instant)
})
export type OutboxMail = typeof OutboxMail.Type

export const OutboxQuery = closed({ ...pageQuery, status: Schema.optionalWith(MailStatus, { exact: true }) })
export type OutboxQuery = typeof OutboxQuery.Type
