import { Effect, Option } from "effect"
import { type EntryId } from "../../schema/Ids.ts"
import {
  type ContextEntry,
  type ContextEventName,
  type ContextEventPrev,
  type ContextScope,
  type ContextSecretWarning,
  type ContextStatus,
  type ContextWritten,
  VersionConflict
} from "../../schema/TeamContext.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller, holds, requireScope } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import { requireRole } from "../projects/Projects.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import type { SeenVersion } from "../support/seenVersion.ts"
import { contextActor, keyIdOf } from "./contextActor.ts"
import { previous } from "./entryHistory.ts"
import { checkKey } from "./entryRules.ts"
import { type Address, type Addressed, noEntry, TeamContext } from "./TeamContext.ts"
import { type EntryRow, type StoredEntry, TeamContextRepo } from "./TeamContextRepo.ts"

/** What every change of an entry has in common: finding and locking it, its history, and the response. */
export class ContextEntryWriter extends Effect.Service<ContextEntryWriter>()("ContextEntryWriter", {
  effect: Effect.gen(function* () {
    const repo = yield* TeamContextRepo
    const context = yield* TeamContext
    const auditLog = yield* AuditLog
    const notices = yield* NoticeWriter

    const author = (agent_label?: string | null) =>
      Effect.gen(function* () {
        const caller = yield* Caller
        return { actor: contextActor(caller, agent_label), key_id: keyIdOf(caller), at: yield* now }
      })

    // Entries written with a key are proposed until a person confirms them.
    const statusFor = (kept: ContextStatus) =>
      Effect.map(Caller, ({ credential }): ContextStatus => (credential.kind === "api_key" ? "proposed" : kept))

    /** A caller who may not read entries learns only that theirs was written. */
    const written = Effect.fnUntraced(function* (
      target: Addressed,
      current: StoredEntry,
      warnings: ReadonlyArray<ContextSecretWarning> = []
    ) {
      const { permissions } = yield* Caller
      const entry: ContextEntry = { ...current, project: target.level?.slug ?? null }
      const secretWarnings = warnings.length === 0 ? {} : { secret_warnings: warnings }
      if (holds(permissions, "view_context")) return { ...entry, ...secretWarnings } satisfies ContextWritten
      const { id, key, version, etag, status } = entry
      return { id, key, version, etag, status, ...secretWarnings } satisfies ContextWritten
    })

    /** Keeps the change in the entry's history and reports it; the entry as it is now. */
    const log = Effect.fnUntraced(function* (
      target: Addressed,
      entry: { readonly id: EntryId; readonly version: number },
      event: ContextEventName,
      by: Effect.Effect.Success<ReturnType<typeof author>>,
      prev: ContextEventPrev,
      detail: Readonly<Record<string, unknown>> | null = null
    ) {
      const { id: entry_id, version } = entry
      yield* repo.addEvent(target, {
        id: yield* newId(Uuid),
        entry_id,
        version,
        event,
        actor: by.actor,
        prev,
        detail,
        created_at: by.at
      })
      const current = yield* repo.byId(target, entry_id)
      const { level } = target
      yield* auditLog.record({
        object: { kind: "context_entry", ref: level === null ? current.key : `${level.slug}/${current.key}` },
        before: event === "created" ? null : { ...prev, version: event === "corroborated" ? version : version - 1 },
        after: { ...previous(current), version, ...stateAfter[event] }
      })
      if (by.key_id !== null && proposes.has(event)) yield* notices.entryProposed(target.workspace_id, target.level)
      return current
    })

    /** The level's own enabled entry, when it is the one and the version that the caller has seen. */
    const locked = Effect.fnUntraced(function* (target: Addressed, key: string, seen: SeenVersion) {
      const { id, version } = yield* seen
      const found = yield* repo.lock(target, key)
      if (Option.isNone(found)) return yield* noEntry(key)
      const row = found.value
      if (row.id !== id || row.version !== version) return yield* yield* conflict(target, row)
      return row
    })

    const conflict = Effect.fnUntraced(function* (target: Addressed, row: EntryRow) {
      const { permissions } = yield* Caller
      const current_etag = `${row.id}:${row.version}`
      const current = holds(permissions, "view_context")
        ? { current: yield* written(target, yield* repo.byId(target, row.id)) }
        : {}
      return new VersionConflict({
        message: `The entry changed; its ETag is now ${current_etag}.`,
        details: { current_etag, ...current }
      })
    })

    /** The entry that a change is about, once it is known that the caller may change entries there. */
    const opened = Effect.fnUntraced(function* (address: Address, key: string, seen: SeenVersion) {
      const target = yield* context.placeOf(address)
      yield* mayAddress(target)
      yield* checkKey(key)
      return { target, row: yield* locked(target, key, seen) }
    })

    return { author, statusFor, written, log, locked, opened }
  })
}) {}

/** What an event changes beside the values of an entry. */
const stateAfter: Partial<Record<ContextEventName, object>> = {
  deleted: { disabled: true },
  restored: { disabled: false },
  corroborated: { corroborated: true }
}

/** What makes an entry `proposed` when a key does it. */
const proposes: ReadonlySet<ContextEventName> = new Set(["created", "updated", "restored"])

/** Checked before anything of the level is read. */
export const mayAddress = ({ level }: Addressed) =>
  level === null ? requireScope("manage_projects") : requireRole(level, "editor")

/** An entry that applies to more than one project needs more than a role in one. */
export const mayWrite = (target: Addressed, ...scopes: ReadonlyArray<ContextScope>) =>
  Effect.gen(function* () {
    yield* mayAddress(target)
    const { level } = target
    if (level !== null && level.kind !== "project" && scopes.includes("subtree")) yield* requireScope("manage_projects")
  })
