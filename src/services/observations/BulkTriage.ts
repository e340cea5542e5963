import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Option } from "effect"
import {
  AlreadyUndone,
  BulkOperationNotFound,
  type BulkTriage as BulkTriageRequest,
  maxBulk,
  previewSample,
  TooManyObservations,
  type TriageResult,
  UndoExpired,
  undoMinutes
} from "../../schema/BulkTriage.ts"
import {
  type ObservationClosed,
  ObservationNotFound,
  type ObservationNumber,
  type ObservationOpen,
  refOf
} from "../../schema/Observation.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { BulkTriageRepo } from "./BulkTriageRepo.ts"
import { problemOf, triageOf } from "./bulkRequest.ts"
import { ObservationListRepo } from "./ObservationListRepo.ts"
import { ObservationQueries } from "./ObservationQueries.ts"
import { ObservationStateRepo } from "./ObservationStateRepo.ts"
import type { Triage } from "./triage.ts"

/** Triage of many observations in one call and one transaction, and its undo. */
export class BulkTriage extends Effect.Service<BulkTriage>()("BulkTriage", {
  effect: Effect.gen(function* () {
    const repo = yield* BulkTriageRepo
    const lists = yield* ObservationListRepo
    const states = yield* ObservationStateRepo
    const queries = yield* ObservationQueries
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The numbers that a request is about, each once: those that it names, or those that match, newest first. */
    const numbersOf = Effect.fnUntraced(function* ({ refs = [], filter }: BulkTriageRequest) {
      if (filter === undefined) return [...new Set(refs)]
      const narrowed = yield* queries.narrowed(filter)
      const numbers = yield* lists.numbers({ ...narrowed, limit: maxBulk + 1 })
      if (numbers.length <= maxBulk) return numbers
      const count = yield* lists.count(narrowed)
      return yield* new TooManyObservations({
        message: `${count} observations match, and one call changes at most ${maxBulk}: narrow the filter.`,
        details: { count, limit: maxBulk }
      })
    })

    /** Does to each what is done to one by the same rules; what is rejected for one stops no other. */
    const changeAll = Effect.fnUntraced(function* (
      action: BulkTriageRequest["action"],
      triage: Triage<ObservationClosed | ObservationOpen>,
      numbers: ReadonlyArray<ObservationNumber>
    ) {
      const { workspace_id, actor } = yield* Caller
      const instant = yield* DateTime.now
      const cause = { workspace_id, at: DateTime.formatIso(instant), actor, job_id: null }
      const undo_until = DateTime.formatIso(DateTime.add(instant, { minutes: undoMinutes }))
      const operation_id = yield* newId(Uuid)
      yield* repo.forgetExpired(cause)
      const rows = yield* repo.lock({ workspace_id, numbers })
      const changing = rows.filter((row) => triage.rejectionOf(row) === null && !triage.isDone(row))
      const changed = yield* states.changeAll({ ...cause, ids: changing.map(({ id }) => id) }, triage.change)
      const repository_ids = [...new Set(changing.map((row) => row.repository_id))]
      yield* repo.insert({ ...cause, id: operation_id, action, undo_until, repository_ids, changed })
      if (changed.length > 0) {
        const object = { kind: "bulk_operation", ref: operation_id } as const
        yield* auditLog.record({ object, before: null, after: { action, count: changed.length } })
      }
      const codes = new Map(rows.map((row) => [row.number, triage.rejectionOf(row)?.spec.code]))
      const results = numbers.map((number) =>
        resultOf(number, codes.has(number) ? codes.get(number) : ObservationNotFound.spec.code)
      )
      return { operation_id, results, undo_until }
    }, inTransaction)

    const run = Effect.fn("BulkTriage.run")(function* (request: BulkTriageRequest) {
      const problem = problemOf(request)
      if (problem !== null) return yield* problem
      const { workspace_id } = yield* Caller
      const numbers = yield* numbersOf(request)
      const triage = request.preview === true ? null : triageOf(request)
      return triage === null
        ? yield* lists.preview({ workspace_id, numbers, limit: previewSample })
        : yield* changeAll(request.action, triage, numbers)
    })

    /**
     * Puts back what an operation changed. Anyone may who sees all repositories that it was about, so that a colleague can
     * help; for anyone else there is no such operation.
     */
    const undo = Effect.fn("BulkTriage.undo")(function* (id: string) {
      const { workspace_id, actor } = yield* Caller
      const at = yield* now
      const operation = Option.getOrNull(yield* repo.open({ workspace_id, id }))
      if (operation === null || operation.visible_repositories < operation.repositories) {
        return yield* new BulkOperationNotFound({ message: `No operation ${id}.` })
      }
      if (operation.undone_at !== null) {
        return yield* new AlreadyUndone({ message: `The operation was undone at ${operation.undone_at}.` })
      }
      if (operation.undo_until < at || operation.changed === null) {
        return yield* new UndoExpired({
          message: `The operation could be undone until ${operation.undo_until}; change the observations one by one.`
        })
      }
      const { changed } = operation
      const rows = yield* repo.lock({ workspace_id, numbers: changed.map(({ number }) => number) })
      const present = new Set(rows.map((row) => row.id))
      const reason = `Undo of ${id}`
      const restored = yield* states.restoreAll({
        workspace_id,
        at,
        actor,
        job_id: null,
        reason,
        changed: changed.filter((row) => present.has(row.id))
      })
      yield* repo.markUndone({ workspace_id, id, at, actor })
      yield* auditLog.record({
        object: { kind: "bulk_operation", ref: id },
        before: { undone: false },
        after: { undone: true, count: restored.size }
      })
      const results = changed.map((row) =>
        resultOf(
          row.number,
          restored.has(row.id) ? undefined : present.has(row.id) ? changedSince : ObservationNotFound.spec.code
        )
      )
      return { operation_id: id, results }
    }, inTransaction)

    return { run, undo }
  })
}) {}

const changedSince = "changed_since"

const resultOf = (number: ObservationNumber, code: string | undefined): TriageResult => ({
  ref: refOf(number),
  ok: code === undefined,
  ...(code === undefined ? {} : { code })
})
