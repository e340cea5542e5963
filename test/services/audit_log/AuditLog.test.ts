import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { Caller } from "../../../src/services/access/Caller.ts"
import { AuditLog, operator, partOfChange } from "../../../src/services/audit_log/AuditLog.ts"
import { CurrentCall } from "../../../src/services/support/CurrentCall.ts"
import { transactional } from "../../../src/services/support/transactional.ts"
import { AuditLogLive, loggedIn } from "../../support/auditLog.ts"
import { asOwner, Database } from "../../support/Database.ts"
import { as, aTenant } from "../../support/jobs.ts"

const call = { requestId: "req_1", operation: "settings.test", address: "192.0.2.7" }

const aChange = { object: { kind: "setting", ref: "guidance" }, before: { value: "a" }, after: { value: "b" } } as const

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => transactional(sql)(effect))

const recorded = (change: Parameters<AuditLog["record"]>[0]) =>
  inTransaction(Effect.flatMap(AuditLog, (log) => log.record(change))).pipe(Effect.provideService(CurrentCall, call))

layer(AuditLogLive.pipe(Layer.provideMerge(Database)))("AuditLog", (it) => {
  it.effect("a record says who acted, what, on which object, from which address and in which request", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* as(tenant)(recorded(aChange))
      const { actor, credential } = tenant.caller
      const key = credential.kind === "api_key" ? { name: credential.name, prefix: credential.prefix } : null
      assert.deepStrictEqual(yield* loggedIn(tenant.caller.workspace_id), [
        {
          actor: { kind: "api_key", user_id: null, api_key: key, label: actor.label },
          action: "settings.test",
          object_kind: "setting",
          object_ref: "guidance",
          before: { value: "a" },
          after: { value: "b" },
          address: "192.0.2.7",
          request_id: "req_1"
        }
      ])
    })
  )

  it.effect("what changes nothing leaves no record, and neither does a part of a change that has one", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* as(tenant)(recorded({ ...aChange, after: aChange.before }))
      yield* as(tenant)(partOfChange(recorded(aChange)))
      assert.deepStrictEqual(yield* loggedIn(tenant.caller.workspace_id), [])
    })
  )

  it.effect("without a caller the change names who acts, or fails", () =>
    Effect.gen(function* () {
      const { workspace_id } = (yield* aTenant()).caller
      yield* recorded({ ...aChange, action: "workspace.rename", by: { workspace_id, actor: operator } })
      const [row] = yield* loggedIn(workspace_id)
      assert.strictEqual(row?.action, "workspace.rename")
      assert.deepStrictEqual(row?.actor, operator)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(recorded(aChange))))
    })
  )

  it.effect("a record outside a transaction is a defect", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const { caller } = yield* aTenant()
      const exit = yield* log
        .record({ ...aChange, action: "a.b" })
        .pipe(Effect.provideService(Caller, caller), Effect.exit)
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "needs the change's transaction")
      assert.deepStrictEqual(yield* loggedIn(caller.workspace_id), [])
    })
  )

  it.effect("a change that is undone leaves no record", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const undone = inTransaction(Effect.zipRight(recorded(aChange), Effect.fail("undone")))
      yield* Effect.flip(as(tenant)(undone))
      assert.deepStrictEqual(yield* loggedIn(tenant.caller.workspace_id), [])
    })
  )

  it.effect("records are never changed or deleted, and end with their workspace", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* aTenant()
      const { workspace_id } = tenant.caller
      yield* as(tenant)(recorded(aChange))
      const kept = [
        (sql: SqlClient.SqlClient) => sql`UPDATE audit_log SET action = 'other' WHERE workspace_id = ${workspace_id}`,
        (sql: SqlClient.SqlClient) => sql`DELETE FROM audit_log WHERE workspace_id = ${workspace_id}`,
        (sql: SqlClient.SqlClient) => sql`TRUNCATE audit_log`,
        (sql: SqlClient.SqlClient) => sql`TRUNCATE workspaces CASCADE`
      ]
      for (const statement of kept) {
        const error = yield* Effect.flip(asOwner(Effect.flatMap(SqlClient.SqlClient, statement)))
        assert.include(String(error.cause), "the audit log is append-only")
      }
      assert.lengthOf(yield* loggedIn(workspace_id), 1)
      yield* sql`DELETE FROM workspaces WHERE id = ${workspace_id}`
      assert.lengthOf(yield* loggedIn(workspace_id), 0)
    })
  )
})
