import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FileAuditCache } from "../../src/layers/FileAuditCache.ts"
import { AuditCache } from "../../src/services/ports/AuditCache.ts"
import { RepositoryLifecycle } from "../../src/services/registration/RepositoryLifecycle.ts"
import { as, aTenant, aWorkflow } from "../support/jobs.ts"
import { aTemporaryFolder } from "../support/server.ts"
import { servicesWith } from "../support/services.ts"

it.scopedLive("an audit cache is removed with its repository, and after a month without use", () =>
  Effect.gen(function* () {
    const root = yield* aTemporaryFolder
    for (const name of ["one", "two", "old"]) {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, "full.scan"), "")
    }
    const longAgo = Date.now() / 1000 - 40 * 24 * 3600
    utimesSync(join(root, "old"), longAgo, longAgo)
    yield* Effect.gen(function* () {
      const cache = yield* AuditCache
      assert.strictEqual(cache.folderOf("one"), join(root, "one"))
      assert.isFalse(existsSync(join(root, "old")))
      yield* cache.remove("one")
      yield* cache.remove("never")
    }).pipe(Effect.provide(FileAuditCache.layer(root)))
    assert.deepStrictEqual(
      ["one", "two", "old"].map((name) => existsSync(join(root, name))),
      [false, true, false]
    )
  })
)

const removed: Array<string> = []
const remembering = Layer.succeed(AuditCache, {
  folderOf: () => null,
  remove: (repositoryId) => Effect.sync(() => removed.push(repositoryId))
})

layer(servicesWith(aWorkflow("standard_audit")).pipe(Layer.provide(remembering)))("what audits left", (it) => {
  it.effect("goes with a wipe and with the repository, and stays at any other reset", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const lifecycle = yield* RepositoryLifecycle
      yield* as(tenant)(lifecycle.reset(tenant.path, { findings: true, history: true, suggestions: true }))
      assert.deepStrictEqual(removed, [])
      yield* as(tenant)(lifecycle.reset(tenant.path, { wipe: true }))
      yield* as(tenant)(lifecycle.remove(tenant.path))
      assert.deepStrictEqual(removed, [tenant.repository_id, tenant.repository_id])
    })
  )
})
