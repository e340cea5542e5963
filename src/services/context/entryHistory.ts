import type { ContextEventPrev } from "../../schema/TeamContext.ts"
import type { EntryRow } from "./TeamContextRepo.ts"

/** Before an entry was made. */
export const nothing: ContextEventPrev = {
  body_md: null,
  data: null,
  kind: null,
  scope: null,
  status: null,
  summary: null,
  tags: null,
  title: null,
  labels: null
}

/** What an entry held before a change, as its history keeps it. */
export const previous = ({
  body_md,
  data,
  kind,
  scope,
  status,
  summary,
  tags,
  title,
  labels
}: Pick<EntryRow, keyof ContextEventPrev>): ContextEventPrev => ({
  body_md,
  data,
  kind,
  scope,
  status,
  summary,
  tags,
  title,
  labels
})
