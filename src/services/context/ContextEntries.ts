import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { BadRequest } from "../../schema/Errors.ts"
import {
  AlreadyCorroborated,
  type ContextEntry,
  type ContextEventName,
  type ContextEventPrev,
  ContextKeyTaken,
  type ContextScope,
  type ContextSecretWarning,
  type ContextStatus,
  type ContextWritten,
  type CreateContextEntry,
  MalformedEtag,
  NotProposed,
  type PatchContextEntry,
  PreconditionRequired,
  type PutContextEntry,
  SelfCorroboration,
  VersionConflict
} from "../../schema/TeamContext.ts"
import { Caller, holds, requireScope } from "../access/Caller.ts"
import { requireRole } from "../projects/Projects.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { contextActor, keyIdOf } from "./contextActor.ts"
import { nothing, previous } from "./entryHistory.ts"
import { checkData, checkFields, checkKey, parseEtag, scopeFor } from "./entryRules.ts"
import { mergePatch } from "./mergePatch.ts"
import { scanForSecrets } from "./secretScan.ts"
import { type Address, type Addressed, noEntry, TeamContext } from "./TeamContext.ts"
import { type EntryRow, type EntryValues, TeamContextRepo } from "./TeamContextRepo.ts"

/** An entry written, and whether this call made it. */
export interface Written {
  readonly entry: ContextWritten
  readonly isNew: boolean
}

/** Writing the team's notes: at the addressed level only, one version after the other. */
export class ContextEntries extends Effect.Service<ContextEntries>()("ContextEntries", {
  effect: Effect.gen(function* () {
    const repo = yield* TeamContextRepo
    const context = yield* TeamContext
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const author = (agent_label?: string | null) =>
      Effect.gen(function* () {
        const caller = yield* Caller
        return { actor: contextActor(caller, agent_label), key_id: keyIdOf(caller), at: yield* now }
      })

    // Entries written with a key are proposed until a person confirms them.
    const statusFor = (kept: ContextStatus) =>
      Effect.map(Caller, ({ credential }): ContextStatus => (credential.kind === "api_key" ? "proposed" : kept))

    /** Who may not read what they wrote learns only that it was written. */
    const answer = Effect.fnUntraced(function* (
      place: Addressed,
      id: string,
      warnings: ReadonlyArray<ContextSecretWarning> = []
    ) {
      const { permissions } = yield* Caller
      const entry: ContextEntry = { ...(yield* repo.byId(place, id)), project: place.level?.slug ?? null }
      const told = warnings.length === 0 ? {} : { secret_warnings: warnings }
      if (holds(permissions, "view_context")) return { ...entry, ...told } satisfies ContextWritten
      const { key, version, etag, status } = entry
      return { id, key, version, etag, status, ...told } satisfies ContextWritten
    })

    const log = Effect.fnUntraced(function* (
      entry: { readonly id: string; readonly version: number },
      event: ContextEventName,
      by: Effect.Effect.Success<ReturnType<typeof author>>,
      prev: ContextEventPrev,
      detail: Readonly<Record<string, unknown>> | null = null
    ) {
      const { id: entry_id, version } = entry
      yield* repo.addEvent({
        id: yield* newId,
        entry_id,
        version,
        event,
        actor: by.actor,
        prev,
        detail,
        created_at: by.at
      })
    })

    /** The level's own enabled entry, when it is the one and the version that the caller has seen. */
    const locked = Effect.fnUntraced(function* (
      place: Addressed,
      key: string,
      etag: string | undefined,
      param: string
    ) {
      if (etag === undefined) {
        return yield* new PreconditionRequired({
          message: `${param} with the entry's current ETag is required.`,
          param
        })
      }
      const seen = yield* parseEtag(etag, param)
      const row = yield* repo.lock(place, key)
      if (row === null) return yield* noEntry(key)
      if (row.id !== seen.id || row.version !== seen.version) return yield* yield* conflict(place, row)
      return row
    })

    const conflict = Effect.fnUntraced(function* (place: Addressed, row: EntryRow) {
      const { permissions } = yield* Caller
      const current_etag = `${row.id}:${row.version}`
      const current = holds(permissions, "view_context") ? { current: yield* answer(place, row.id) } : {}
      return new VersionConflict({
        message: `The entry changed; its ETag is now ${current_etag}.`,
        details: { current_etag, ...current }
      })
    })

    /** The entry that a change is about, once it is known that the caller may change entries there. */
    const opened = Effect.fnUntraced(function* (
      address: Address,
      key: string,
      etag: string | undefined,
      param: string
    ) {
      const place = yield* context.placeOf(address)
      yield* mayAddress(place)
      yield* checkKey(key)
      return { place, row: yield* locked(place, key, etag, param) }
    })

    const create = Effect.fn("ContextEntries.create")(function* (address: Address, request: CreateContextEntry) {
      const place = yield* context.placeOf(address)
      const scope = yield* scopeFor(place.level === null, request.scope)
      yield* mayWrite(place, scope)
      yield* checkKey(request.key)
      yield* checkFields(request)
      const warnings = yield* scanForSecrets(request)
      const by = yield* author(request.agent_label)
      yield* repo.holdKey(place, request.key)
      const id = yield* newId
      const inserted = yield* repo.insert(place, {
        id,
        key: request.key,
        kind: request.kind,
        title: request.title,
        summary: request.summary,
        body_md: request.body_md ?? "",
        data: request.data ?? {},
        tags: request.tags ?? [],
        scope,
        status: yield* statusFor("live"),
        ...by
      })
      if (!inserted) return yield* keyTaken(request.key)
      yield* log({ id, version: 1 }, "created", by, nothing)
      return yield* answer(place, id, warnings)
    }, inTransaction)

    const change = Effect.fnUntraced(function* (
      place: Addressed,
      row: EntryRow,
      values: Omit<EntryValues, "status">,
      agent_label: string | null | undefined,
      warnings: ReadonlyArray<ContextSecretWarning>
    ) {
      const by = yield* author(agent_label)
      yield* repo.update(row.id, { ...values, status: yield* statusFor(row.status) }, by)
      const changed = differing(row, values)
      yield* log({ id: row.id, version: row.version + 1 }, "updated", by, previous(row), { changed })
      return yield* answer(place, row.id, warnings)
    })

    const replace = Effect.fnUntraced(function* (
      address: Address,
      key: string,
      request: PutContextEntry,
      etag: string,
      param: string
    ) {
      const { place, row } = yield* opened(address, key, etag, param)
      const scope = yield* scopeAfter(place, row, request.scope)
      yield* checkFields(request)
      const warnings = yield* scanForSecrets(request)
      const { title, summary, kind } = request
      const values = {
        title,
        summary,
        kind,
        scope,
        body_md: request.body_md ?? "",
        data: request.data ?? row.data,
        tags: request.tags ?? row.tags
      }
      return yield* change(place, row, values, request.agent_label, warnings)
    }, inTransaction)

    /** Creates (`ifNoneMatch: "*"`) or replaces (`ifMatch`); exactly one of them says which. */
    const put = Effect.fn("ContextEntries.put")(function* (
      address: Address,
      key: string,
      request: PutContextEntry,
      condition: { readonly ifMatch?: string | undefined; readonly ifNoneMatch?: string | undefined },
      param = "If-Match"
    ) {
      const { ifMatch, ifNoneMatch } = condition
      if (ifMatch !== undefined && ifNoneMatch !== undefined) {
        return yield* new BadRequest({ message: "Send If-Match to replace or If-None-Match: * to create, not both." })
      }
      if (ifMatch !== undefined) {
        return { entry: yield* replace(address, key, request, ifMatch, param), isNew: false } satisfies Written
      }
      if (ifNoneMatch === undefined) {
        return yield* new PreconditionRequired({
          message: "Send If-None-Match: * to create, or If-Match with the current ETag to replace.",
          param
        })
      }
      if (ifNoneMatch.trim() !== "*") {
        return yield* new MalformedEtag({ message: "If-None-Match of a PUT is `*`.", param: "If-None-Match" })
      }
      return { entry: yield* create(address, { ...request, key }), isNew: true } satisfies Written
    })

    const patch = Effect.fn("ContextEntries.patch")(function* (
      address: Address,
      key: string,
      request: PatchContextEntry,
      etag: string | undefined,
      param = "If-Match"
    ) {
      const { place, row } = yield* opened(address, key, etag, param)
      const scope = yield* scopeAfter(place, row, request.scope)
      yield* checkFields({ ...request, data: null })
      const data = request.data === undefined || request.data === null ? row.data : mergePatch(row.data, request.data)
      yield* checkData(data)
      const warnings = yield* scanForSecrets({ ...request, data: request.data == null ? null : data })
      const values = {
        title: request.title ?? row.title,
        summary: request.summary ?? row.summary,
        kind: request.kind ?? row.kind,
        body_md: request.body_md ?? row.body_md,
        tags: request.tags ?? row.tags,
        scope,
        data
      }
      return yield* change(place, row, values, request.agent_label, warnings)
    }, inTransaction)

    const disable = Effect.fn("ContextEntries.disable")(function* (
      address: Address,
      key: string,
      reason: string,
      etag: string | undefined,
      param = "If-Match"
    ) {
      const { place, row } = yield* opened(address, key, etag, param)
      yield* mayWrite(place, row.scope)
      yield* checkFields({ reason })
      yield* scanForSecrets({ reason })
      const by = yield* author()
      yield* repo.disable(row.id, reason, by)
      yield* log({ id: row.id, version: row.version + 1 }, "deleted", by, previous(row), { reason })
      return yield* answer(place, row.id)
    }, inTransaction)

    const restore = Effect.fn("ContextEntries.restore")(function* (address: Address, key: string) {
      const place = yield* context.placeOf(address)
      yield* mayAddress(place)
      yield* checkKey(key)
      yield* repo.holdKey(place, key)
      if ((yield* repo.lock(place, key)) !== null) return yield* keyTaken(key)
      const row = yield* repo.lockDisabled(place, key)
      if (row === null) return yield* noEntry(key)
      yield* mayWrite(place, row.scope)
      const by = yield* author()
      yield* repo.restore(row.id, yield* statusFor(row.status), by)
      yield* log({ id: row.id, version: row.version + 1 }, "restored", by, previous(row))
      return yield* answer(place, row.id)
    }, inTransaction)

    /** A signed-in person vouches for the entry as they have seen it. */
    const confirm = Effect.fn("ContextEntries.confirm")(function* (
      address: Address,
      key: string,
      etag: string | undefined,
      param = "If-Match"
    ) {
      const { credential } = yield* Caller
      const { place, row } = yield* opened(address, key, etag, param)
      yield* mayWrite(place, row.scope)
      const by = yield* author()
      // The operation admits sessions only.
      yield* repo.confirm(row.id, credential.kind === "session" ? credential.user_id : credential.created_by, by)
      yield* log({ id: row.id, version: row.version + 1 }, "confirmed", by, previous(row))
      return yield* answer(place, row.id)
    }, inTransaction)

    /** Another key than the writer's says that it checked a proposed entry. The version stays. */
    const corroborate = Effect.fn("ContextEntries.corroborate")(function* (
      address: Address,
      key: string,
      etag: string | undefined,
      param = "If-Match"
    ) {
      const place = yield* context.placeOf(address)
      yield* checkKey(key)
      const row = yield* locked(place, key, etag, param)
      const by = yield* author()
      if (row.status !== "proposed") {
        return yield* new NotProposed({ message: `The entry is ${row.status}; only proposed ones are corroborated.` })
      }
      if (by.key_id === row.created_key_id || by.key_id === row.updated_key_id) {
        return yield* new SelfCorroboration({ message: "This key created or last changed the entry itself." })
      }
      if (row.corroborated_at !== null) {
        return yield* new AlreadyCorroborated({ message: "A key corroborated this version already." })
      }
      yield* repo.corroborate(row.id, by.actor, by.at)
      yield* log(row, "corroborated", by, previous(row))
      return yield* answer(place, row.id)
    }, inTransaction)

    return { create, put, patch, disable, restore, confirm, corroborate }
  })
}) {}

const keyTaken = (key: string) => new ContextKeyTaken({ message: `An entry holds the key ${key} here.`, param: "key" })

/** Before anything of the level is looked at. */
const mayAddress = ({ level }: Addressed) =>
  level === null ? requireScope("manage_projects") : requireRole(level, "editor")

/** What reaches further than one project needs more than a role in it. */
const mayWrite = (place: Addressed, ...scopes: ReadonlyArray<ContextScope>) =>
  Effect.gen(function* () {
    yield* mayAddress(place)
    const { level } = place
    if (level !== null && level.kind !== "project" && scopes.includes("subtree")) yield* requireScope("manage_projects")
  })

const differing = (row: EntryRow, values: Omit<EntryValues, "status">): ReadonlyArray<string> =>
  (["title", "summary", "kind", "scope", "body_md", "data", "tags"] as const).filter(
    (field) => JSON.stringify(row[field]) !== JSON.stringify(values[field])
  )

/** The scope an entry has after a change: its own unless the caller wants another, and may have it. */
const scopeAfter = (place: Addressed, row: EntryRow, wanted: ContextScope | null | undefined) =>
  Effect.gen(function* () {
    const scope = wanted === undefined || wanted === null ? row.scope : yield* scopeFor(place.level === null, wanted)
    yield* mayWrite(place, row.scope, scope)
    return scope
  })
