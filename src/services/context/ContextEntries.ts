import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { EntryId } from "../../schema/Ids.ts"
import type {
  ContextScope,
  ContextSecretWarning,
  CreateContextEntry,
  PatchContextEntry,
  PutContextEntry
} from "../../schema/TeamContext.ts"
import { newId } from "../support/ids.ts"
import type { SeenVersion } from "../support/seenVersion.ts"
import { transactional } from "../support/transactional.ts"
import { ContextEntryWriter, mayWrite } from "./ContextEntryWriter.ts"
import { nothing, previous } from "./entryHistory.ts"
import { checkData, checkFields, checkKey, checkLabelsSender, keyTaken, scopeFor } from "./entryRules.ts"
import { mergePatch } from "./mergePatch.ts"
import { scanForSecrets } from "./secretScan.ts"
import { type Address, type Addressed, TeamContext } from "./TeamContext.ts"
import { type EntryRow, type EntryValues, TeamContextRepo } from "./TeamContextRepo.ts"

/** Writing the content of the team's notes: at the addressed level only, one version after the other. */
export class ContextEntries extends Effect.Service<ContextEntries>()("ContextEntries", {
  effect: Effect.gen(function* () {
    const repo = yield* TeamContextRepo
    const context = yield* TeamContext
    const { author, log, opened, statusFor, written } = yield* ContextEntryWriter
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const create = Effect.fn("ContextEntries.create")(function* (address: Address, request: CreateContextEntry) {
      const target = yield* context.placeOf(address)
      const scope = yield* scopeFor(target.level === null, request.scope)
      yield* mayWrite(target, scope)
      yield* checkKey(request.key)
      yield* checkLabelsSender(request.labels)
      yield* checkFields(request)
      const warnings = yield* scanForSecrets(request)
      const by = yield* author(request.agent_label)
      const id = yield* newId(EntryId)
      const inserted = yield* repo.insert(target, {
        id,
        key: request.key,
        kind: request.kind,
        title: request.title,
        summary: request.summary,
        body_md: request.body_md ?? "",
        data: request.data ?? {},
        tags: request.tags ?? [],
        labels: request.labels ?? [],
        scope,
        status: yield* statusFor("live"),
        ...by
      })
      if (!inserted) return yield* keyTaken(request.key)
      return yield* written(target, yield* log(target, { id, version: 1 }, "created", by, nothing), warnings)
    }, inTransaction)

    const change = Effect.fnUntraced(function* (
      target: Addressed,
      row: EntryRow,
      values: Omit<EntryValues, "status">,
      agent_label: string | null | undefined,
      warnings: ReadonlyArray<ContextSecretWarning>
    ) {
      const by = yield* author(agent_label)
      yield* repo.update(target, row.id, { ...values, status: yield* statusFor(row.status) }, by)
      const changed = differing(row, values)
      return yield* written(
        target,
        yield* log(target, { id: row.id, version: row.version + 1 }, "updated", by, previous(row), { changed }),
        warnings
      )
    })

    const replace = Effect.fn("ContextEntries.replace")(function* (
      address: Address,
      key: string,
      request: PutContextEntry,
      seen: SeenVersion
    ) {
      const { target, row } = yield* opened(address, key, seen)
      const scope = yield* scopeAfter(target, row, request.scope)
      yield* checkLabelsSender(request.labels)
      yield* checkFields(request)
      const warnings = yield* scanForSecrets(request)
      const { title, summary, kind } = request
      const values = {
        title,
        summary,
        kind,
        scope,
        body_md: request.body_md ?? "",
        data: request.data === undefined ? row.data : (request.data ?? {}),
        tags: request.tags ?? row.tags,
        labels: request.labels ?? row.labels
      }
      return yield* change(target, row, values, request.agent_label, warnings)
    }, inTransaction)

    const patch = Effect.fn("ContextEntries.patch")(function* (
      address: Address,
      key: string,
      request: PatchContextEntry,
      seen: SeenVersion
    ) {
      const { target, row } = yield* opened(address, key, seen)
      const scope = yield* scopeAfter(target, row, request.scope)
      yield* checkLabelsSender(request.labels)
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
        labels: request.labels ?? row.labels,
        scope,
        data
      }
      return yield* change(target, row, values, request.agent_label, warnings)
    }, inTransaction)

    return { create, replace, patch }
  })
}) {}

const differing = (row: EntryRow, values: Omit<EntryValues, "status">): ReadonlyArray<string> =>
  (["title", "summary", "kind", "scope", "body_md", "data", "tags", "labels"] as const).filter(
    (field) => JSON.stringify(row[field]) !== JSON.stringify(values[field])
  )

/** The scope an entry has after a change: its own unless the caller wants another, and may have it. */
const scopeAfter = (target: Addressed, row: EntryRow, requested: ContextScope | null | undefined) =>
  Effect.gen(function* () {
    const scope =
      requested === undefined || requested === null ? row.scope : yield* scopeFor(target.level === null, requested)
    yield* mayWrite(target, row.scope, scope)
    return scope
  })
