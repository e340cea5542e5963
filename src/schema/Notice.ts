import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { NoticeId } from "./Ids.ts"
import { pageQuery } from "./Page.ts"
import { booleanQuery, Count, field, Instant, list, nullable, oneOf, optional } from "./Text.ts"

/** Notices that a person keeps in a workspace; the oldest ones are deleted. */
export const maxNotices = 1000
export const noticeDays = 90

export const NoticeKind = oneOf("new_finding", "job_ended", "waiting_on_me", "key_expiring", "invitation_accepted")
export type NoticeKind = typeof NoticeKind.Type

export const Notice = record(
  "Notice",
  {
    id: field(NoticeId, "ID of the notice."),
    kind: field(NoticeKind, "What the notice is about."),
    text: field(Schema.String, "What happened, in one sentence."),
    link: field(Schema.String, "Path of the page in the web app that shows it."),
    at: field(Instant, "When it happened."),
    read_at: nullable(Instant, "When the person read it; null until then.")
  },
  {
    id: NoticeId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d71"),
    kind: "new_finding",
    text: "An audit of shop@main found 2 new observations of priority P0 or P1.",
    link: "/triage?repo=acme%2Fshop%40main&priority=P0%2CP1",
    at: "2026-11-20T08:00:17.120Z",
    read_at: null
  }
)
export type Notice = typeof Notice.Type

export const NoticesQuery = closed({
  ...pageQuery,
  unread: optional(booleanQuery, "True: only unread notices; false: only those that were read.")
})
export type NoticesQuery = typeof NoticesQuery.Type

export const ReadNotices = closed(
  {
    ids: optional(list(NoticeId, 1, maxNotices), "IDs of the notices; instead of `all`."),
    all: optional(
      Schema.Literal(true).annotations({
        message: () => ({ message: "must be true", override: true }),
        jsonSchema: { type: "boolean", enum: [true] }
      }),
      "All unread notices; instead of `ids`."
    )
  },
  "ReadNoticesRequest",
  { all: true }
)
export type ReadNotices = typeof ReadNotices.Type

export const NoticesRead = record(
  "NoticesRead",
  {
    read: field(Count, "How many notices this call marked as read."),
    unread: field(Count, "How many unread notices are left.")
  },
  { read: 3, unread: 0 }
)
export type NoticesRead = typeof NoticesRead.Type
