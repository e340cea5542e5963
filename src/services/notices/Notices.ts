import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { NoticesQuery, NoticesRead, ReadNotices } from "../../schema/Notice.ts"
import { defaultPageSize } from "../../schema/Page.ts"
import { Caller, personOf } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { managesWorkspace } from "../access/roles.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { NoticesRepo } from "./NoticesRepo.ts"

/** What a person finds when they come back. */
export class Notices extends Effect.Service<Notices>()("Notices", {
  effect: Effect.gen(function* () {
    const repo = yield* NoticesRepo
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    // The operations admit sessions only.
    const reader = Effect.map(Caller, (caller) => {
      const { user_id, role } = personOf(caller)
      return { workspace_id: caller.workspace_id, user_id, managesWorkspace: role !== null && managesWorkspace(role) }
    })

    const list = Effect.fn("Notices.list")(function* ({ limit = defaultPageSize, cursor, unread }: NoticesQuery) {
      const person = yield* reader
      const filters = { user_id: person.user_id, unread: unread ?? null }
      const after = yield* cursors.open("notices", filters, cursor)
      const rows = yield* repo.list({ ...person, unread: filters.unread, after, limit })
      return yield* cursors.page("notices", filters, limit, rows, (row) => [row.at, row.id])
    })

    /** Unknown ones, and those of others, are passed over: a page may show what was deleted since. */
    const markRead = Effect.fn("Notices.markRead")(function* ({ ids, all }: ReadNotices) {
      if ((ids === undefined) === (all === undefined)) {
        return yield* new InvalidPayload({ message: "Send either ids or all.", param: "ids" })
      }
      const person = yield* reader
      const read = yield* repo.markRead({ ...person, ids: ids ?? null, at: yield* now })
      if (read > 0) {
        yield* auditLog.record({ object: { kind: "notices", ref: person.user_id }, before: null, after: { read } })
      }
      return { read, unread: yield* repo.countUnread(person) } satisfies NoticesRead
    }, inTransaction)

    return { list, markRead }
  })
}) {}
