import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { clip } from "../../schema/characters.ts"
import { EntryId } from "../../schema/Ids.ts"
import type { Actor } from "../../schema/Job.ts"
import type { WorkspaceGuidance } from "../../schema/Setting.ts"
import {
  type ContextEventName,
  type ContextEventPrev,
  organizationContextKey,
  type VersionConflict
} from "../../schema/TeamContext.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { checkSeenText, textEtag } from "../support/textVersion.ts"
import { transactional } from "../support/transactional.ts"
import { contextActor, keyIdOf } from "./contextActor.ts"
import { nothing, previous } from "./entryHistory.ts"
import { scanText } from "./secretScan.ts"
import { type EntryRow, type EntryValues, type LastWritten, type Place, TeamContextRepo } from "./TeamContextRepo.ts"

/**
 * The workspace's guidance: the context entry with the reserved key, which only this changes, as a whole. Who may set it
 * speaks for the workspace, so it is live at once.
 */
export class OrganizationContext extends Effect.Service<OrganizationContext>()("OrganizationContext", {
  effect: Effect.gen(function* () {
    const repo = yield* TeamContextRepo
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const place = Effect.map(Caller, ({ workspace_id }): Place => ({ workspace_id, line: [] }))

    const get = Effect.fn("OrganizationContext.get")(function* () {
      const entry = Option.getOrNull(yield* repo.lastWritten(yield* place, organizationContextKey))
      return {
        ...textOf(entry?.body_md ?? ""),
        changed_at: entry?.updated_at ?? null,
        changed_by: entry === null ? null : authorOf(entry)
      } satisfies WorkspaceGuidance
    })

    const author = Effect.gen(function* () {
      const caller = yield* Caller
      return { actor: contextActor(caller), key_id: keyIdOf(caller), at: yield* now }
    })

    const log = Effect.fnUntraced(function* (
      entry: { readonly id: EntryId; readonly version: number },
      event: ContextEventName,
      prev: ContextEventPrev,
      text: string
    ) {
      const { actor, at } = yield* author
      const { id: entry_id, version } = entry
      yield* repo.addEvent(yield* place, {
        id: yield* newId(Uuid),
        entry_id,
        version,
        event,
        actor,
        prev,
        detail: null,
        created_at: at
      })
      const before = { text: prev.body_md ?? "" }
      yield* auditLog.record({ object: { kind: "setting", ref: "guidance" }, before, after: { text } })
    })

    const replace = Effect.fnUntraced(function* (row: EntryRow, body_md: string) {
      const by = yield* author
      const next = { id: row.id, version: row.version + 1 }
      if (body_md === "") {
        yield* repo.disable(yield* place, row.id, "The guidance was removed.", by)
        return yield* log(next, "deleted", previous(row), "")
      }
      if (row.body_md === body_md) return
      yield* repo.update(yield* place, row.id, valuesOf(body_md), by)
      yield* log(next, "updated", previous(row), body_md)
    })

    const write = Effect.fnUntraced(function* (
      body_md: string,
      seen: string | undefined
    ): Effect.fn.Return<void, VersionConflict, Caller> {
      const at = yield* place
      // Before the row: a row that was disabled meanwhile is locked without being returned, and the holder of the key waits for it.
      yield* repo.holdKey(at, organizationContextKey)
      const row = yield* repo.lock(at, organizationContextKey)
      yield* checkSeenText(seen, yield* get())
      if (Option.isSome(row)) return yield* replace(row.value, body_md)
      if (body_md === "") return
      const id = yield* newId(EntryId)
      yield* repo.insert(at, { id, key: organizationContextKey, ...valuesOf(body_md), ...(yield* author) })
      yield* log({ id, version: 1 }, "created", nothing, body_md)
    })

    /** An empty text removes it; `seen` is the ETag of the text that the change was made from. */
    const set = Effect.fn("OrganizationContext.set")(function* (text: string, seen?: string) {
      const warnings = yield* scanText("text", text)
      yield* write(text.trim() === "" ? "" : text, seen)
      const guidance: WorkspaceGuidance = yield* get()
      return warnings.length === 0 ? guidance : { ...guidance, secret_warnings: warnings }
    }, inTransaction)

    return { get, set }
  })
}) {}

const textOf = (text: string) => ({ text, etag: textEtag(text) })

/** As the other guidance and the settings name who changed them. */
const authorOf = ({ updated_by: { label, user_id }, updated_key_id }: LastWritten): Actor => ({
  kind: user_id === null ? "api_key" : "user",
  label,
  api_key_id: updated_key_id,
  user_id
})

const maxSummary = 500

// The digest shows the summary only: as much of the text as fits.
const valuesOf = (body_md: string): EntryValues => {
  const line = body_md.replace(/\s+/g, " ").trim()
  return {
    kind: "note",
    title: "Organization context",
    summary: clip(line, maxSummary),
    body_md,
    data: {},
    scope: "subtree",
    tags: [],
    labels: [],
    status: "live"
  }
}
