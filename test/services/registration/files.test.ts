import { existsSync, mkdirSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { FileAuditCache } from "../../../src/layers/FileAuditCache.ts"
import { AuditCache } from "../../../src/services/ports/AuditCache.ts"
import { RepositoryLifecycle } from "../../../src/services/registration/RepositoryLifecycle.ts"
import { asOwner } from "../../support/Database.ts"
import { aFolder } from "../../support/gitRepository.ts"
import { as, aTenant } from "../../support/jobs.ts"
import { servicesWith } from "../../support/services.ts"

/** A repository that audits have left files of. */
const start = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const folder = (yield* AuditCache).folderOf(tenant.repository_id) ?? ""
  mkdirSync(folder)
  return { tenant, folder, lifecycle: yield* RepositoryLifecycle }
})

/** Every transaction that writes the repository's row fails when it is committed. */
const whileCommitsFail = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* asOwner(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          CREATE FUNCTION fail_commit() RETURNS trigger LANGUAGE plpgsql AS
            $body$ BEGIN RAISE EXCEPTION 'no commit'; END $body$;
          CREATE CONSTRAINT TRIGGER repositories_fail_commit AFTER UPDATE ON repositories
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_commit()`
      )
    )
    const exit = yield* Effect.exit(effect)
    yield* asOwner(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP FUNCTION fail_commit CASCADE`))
    return exit
  })

layer(Layer.provideMerge(servicesWith(), FileAuditCache.layer(aFolder())))("the files of audits", (it) => {
  it.effect("are deleted when the repository is removed or wiped, and kept by a smaller reset", () =>
    Effect.gen(function* () {
      const { tenant, folder, lifecycle } = yield* start
      yield* as(tenant)(lifecycle.reset(tenant.path, { findings: true, history: true }))
      assert.isTrue(existsSync(folder))
      yield* as(tenant)(lifecycle.reset(tenant.path, { wipe: true }))
      assert.isFalse(existsSync(folder))
      mkdirSync(folder)
      yield* as(tenant)(lifecycle.remove(tenant.path))
      assert.isFalse(existsSync(folder))
    })
  )

  it.effect("are left alone when the transaction is rolled back", () =>
    Effect.gen(function* () {
      const { tenant, folder, lifecycle } = yield* start
      for (const change of [lifecycle.reset(tenant.path, { wipe: true }), lifecycle.remove(tenant.path)]) {
        const exit = yield* whileCommitsFail(Effect.asVoid<unknown, unknown, never>(as(tenant)(change)))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        assert.isTrue(existsSync(folder))
      }
    })
  )
})
