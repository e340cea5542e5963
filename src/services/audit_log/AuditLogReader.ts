import { Effect, Option, Stream } from "effect"
import { type AuditFilters, type AuditLogQuery, type AuditRecord, auditObjectKinds } from "../../schema/AuditLog.ts"
import { defaultPageSize } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { reachOfCaller } from "../access/Reach.ts"
import { csvLine } from "../support/csv.ts"
import { AuditLogRepo, type AuditSelection } from "./AuditLogRepo.ts"

const batchSize = 200

/** The audit log as people read it: in pages, or whole as CSV. The operations admit admins and owners only. */
export class AuditLogReader extends Effect.Service<AuditLogReader>()("AuditLogReader", {
  effect: Effect.gen(function* () {
    const repo = yield* AuditLogRepo
    const cursors = yield* Cursors

    /** Newest first. */
    const list = Effect.fn("AuditLogReader.list")(function* ({
      limit = defaultPageSize,
      cursor,
      ...filters
    }: AuditLogQuery) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("audit_log", filters, cursor)
      const rows = yield* repo.list({ workspace_id, selection: selectionOf(filters), after, limit })
      return yield* cursors.page("audit_log", filters, limit, rows, (row) => [row.at, row.id])
    })

    /**
     * All records of a selection as CSV, newest first. Batches are read as fast as the client takes them, and no
     * statement or transaction stays open in between; the first one is read at once, so that its failure has a status.
     */
    const csv = Effect.fn("AuditLogReader.csv")(function* (filters: AuditFilters) {
      const { workspace_id } = yield* Caller
      const selection = selectionOf(filters)
      // A stream outlives the request's effect, and with it what that provides.
      const seeing = yield* reachOfCaller
      const batch = (last: AuditRecord | null) =>
        seeing(
          repo.list({ workspace_id, selection, after: last === null ? null : [last.at, last.id], limit: batchSize })
        )
      const first = yield* batch(null)
      const lines = Stream.paginateEffect(Effect.succeed(first), (read) =>
        Effect.map(read, (rows) => {
          const shown = rows.slice(0, batchSize)
          const last = shown.at(-1)
          const next: Option.Option<typeof read> =
            rows.length > batchSize && last !== undefined ? Option.some(batch(last)) : Option.none()
          return [shown.map(lineOf).join(""), next] as const
        })
      )
      return Stream.concat(Stream.make(heading), lines)
    })

    return { list, csv }
  })
}) {}

/** A word that names a kind selects all of the kind; what follows the kind and a colon is a ref, and so is anything else. */
const selectionOf = ({ object, ...filters }: AuditFilters): AuditSelection => {
  const kind = auditObjectKinds.find((name) => object === name || object?.startsWith(`${name}:`)) ?? null
  const ref = kind === null ? (object ?? null) : (object?.slice(kind.length + 1) ?? "")
  return {
    actor: filters.actor ?? null,
    action: filters.action ?? null,
    object_kind: kind,
    object_ref: ref === "" ? null : ref,
    since: filters.since ?? null,
    until: filters.until ?? null
  }
}

const heading = csvLine([
  "id",
  "at",
  "actor_kind",
  "actor",
  "actor_id",
  "action",
  "object_kind",
  "object_ref",
  "before",
  "after",
  "address",
  "request_id"
])

const lineOf = ({ id, at, actor, action, object, before, after, address, request_id }: AuditRecord): string =>
  csvLine([
    id,
    at,
    actor.kind,
    actor.label,
    actor.user_id ?? actor.api_key?.prefix ?? null,
    action,
    object.kind,
    object.ref,
    before === null ? null : JSON.stringify(before),
    after === null ? null : JSON.stringify(after),
    address,
    request_id
  ])
