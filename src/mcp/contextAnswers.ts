import { Effect, Schema, Struct } from "effect"
import { page } from "../schema/Page.ts"
import {
  type ContextDigest,
  ContextDigestRow,
  ContextEntry,
  ContextEntryWriteAck,
  ContextEvent,
  ContextHistoryPage,
  ContextKind,
  ContextScope,
  type ContextWritten,
  defaultDigestLimit
} from "../schema/TeamContext.ts"
import { Count, field, Instant, integer, JsonObject, nullable, optional } from "../schema/Text.ts"
import type { Current, Unchanged } from "../services/context/TeamContext.ts"
import { listWithin, maxContent, prefixWithin, recordWithin, truncatedFields, valueWithin } from "./answerSize.ts"

// What the context tools return: entries may hold more text than a model can read at once.

/** A tool sends no condition, so the service always returns the value. */
export const valueOf = <A>(found: Unchanged | Current<A>): A => {
  if (found.unchanged) throw new Error("A request without a condition returns the value.")
  return found.value
}

/** A digest of fewer entries where their summaries are long; `truncated` says so. */
export const digestWithin = <E, R>(
  limit: number | undefined,
  read: (limit: number) => Effect.Effect<Unchanged | Current<ContextDigest>, E, R>
) =>
  listWithin(
    ContextDigestRow,
    (digest: ContextDigest) => digest.entries,
    limit ?? defaultDigestLimit,
    (limit) => Effect.map(read(limit), valueOf)
  )

export const offset = {
  offset: optional(integer(0), "Characters of `body_md` to skip: `next_offset` of the previous answer; default 0.")
}

/** An entry with the part of its text that fits. */
export const ContextEntryWindow = Schema.Struct({
  ...Struct.omit(ContextEntry.fields, "secret_warnings"),
  body_length: field(Count, "Characters of the whole text."),
  truncated: field(Schema.Boolean, "Whether `body_md` ends before the text does."),
  next_offset: nullable(Count, "Pass back as `offset` to read on; null at the end of the text.")
})

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const withoutFirst = (text: string, characters: number): string => {
  let skipped = 0
  let start = 0
  for (const character of text) {
    if (skipped === characters) break
    skipped += 1
    start += character.length
  }
  return text.slice(start)
}

/** What the fields beside text and data leave free of an answer, for certain. */
const reserve = 200

export const windowAt =
  (offset = 0) =>
  (entry: ContextEntry): typeof ContextEntryWindow.Type => {
    const rest = withoutFirst(entry.body_md, offset)
    const room = maxContent - reserve - JSON.stringify({ ...entry, body_md: "", data: {} }).length
    // Data that is longer than half is cut by the answer's own limit.
    const forText = Math.max(room / 2, room - JSON.stringify(entry.data).length)
    const end = prefixWithin(rest, forText)
    const body_md = rest.slice(0, end)
    const truncated = end < rest.length
    return {
      ...entry,
      body_md,
      body_length: lengthOf(entry.body_md),
      truncated,
      next_offset: truncated ? offset + lengthOf(body_md) : null
    }
  }

const maxPrevious = 400
const maxDetail = 600

/** A change with what it replaced. */
export const ContextEventRow = Schema.Struct({
  ...Struct.omit(ContextEvent.fields, "prev"),
  changed: field(Schema.Array(Schema.String), "Names of the fields that the change replaced."),
  prev: field(
    JsonObject,
    `Values of these fields and the status before the change; of long ones the first ${maxPrevious} characters.`
  ),
  prev_truncated: field(Schema.Array(Schema.String), "Names of the fields of `prev` that were cut.")
})

export const ContextHistoryRows = Schema.Struct({
  ...page("ContextHistoryRows", ContextEventRow).fields,
  entry_id: ContextHistoryPage.fields.entry_id
})

const isTexts = Schema.is(Schema.Array(Schema.String))

export const eventRow = ({ prev, detail, ...event }: ContextEvent): typeof ContextEventRow.Type => {
  const changed = isTexts(detail?.changed) ? detail.changed : []
  const replaced = Object.entries(prev).filter(
    ([name, value]) => value !== null && (name === "status" || changed.includes(name))
  )
  const short = replaced.map(([name, value]) => [name, valueWithin(value, maxPrevious)] as const)
  return {
    ...event,
    changed,
    prev: Object.fromEntries(short),
    prev_truncated: short.filter(([, value], index) => value !== replaced[index]?.[1]).map(([name]) => name),
    detail: detail === null ? null : valueWithin(detail, maxDetail)
  }
}

const maxAcknowledgement = 4000

/** Response to a write: what identifies the entry, and the state that the write has left it in, without its text. */
export const ContextAcknowledgement = Schema.Struct({
  [truncatedFields]: optional(Schema.Array(Schema.String), "Paths of fields that were cut."),
  ...ContextEntryWriteAck.fields,
  title: optional(Schema.String, "Title of the entry."),
  kind: optional(ContextKind, "Kind of entry."),
  scope: optional(ContextScope, "`project`: applies to this level only; `subtree`: also to all levels below."),
  project: optional(Schema.NullOr(Schema.String), "Slug of the level it lives at; null for the workspace."),
  data: optional(JsonObject, "Structured data as merged."),
  updated_at: optional(Instant, "When it last changed."),
  corroborated_at: optional(Schema.NullOr(Instant), "When another key corroborated it; null if none did."),
  disabled_at: optional(Schema.NullOr(Instant), "When it was disabled; null while it is enabled.")
})

/** Callers who may not read entries get what identifies it only. */
export const acknowledgement = (written: ContextWritten): typeof ContextAcknowledgement.Type => {
  if (!("body_md" in written)) return written
  const { body_md: _, summary: __, tags: ___, replaces: ____, ...others } = written
  return recordWithin(others, maxAcknowledgement)
}
