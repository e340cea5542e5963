import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as LocalRepositoryFiles from "../../../src/layers/LocalRepositoryFiles.ts"
import { RepositoryId } from "../../../src/schema/Ids.ts"
import { DiskBound, DiskRetention } from "../../../src/services/retention/DiskRetention.ts"
import { RetentionRepo } from "../../../src/services/retention/RetentionRepo.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { aTenant, JobsOverDatabase, submitted } from "../../support/jobs.ts"
import { aTemporaryFolder } from "../../support/server.ts"

const fileBytes = 1_000

/** A mirror and a cache of a file each, used so many days ago. */
const files = (dataDir: string, id: RepositoryId, daysAgo: number) => {
  const [mirror, cache] = [join(dataDir, "mirrors", `${id}.git`), join(dataDir, "cache", id)]
  mkdirSync(join(mirror, "objects/pack"), { recursive: true })
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(mirror, "objects/pack/a.pack"), Buffer.alloc(fileBytes))
  writeFileSync(join(cache, "full.scan"), Buffer.alloc(fileBytes))
  const at = Date.now() / 1000 - daysAgo * 86_400
  for (const folder of [mirror, cache]) utimesSync(folder, at, at)
  return { isThere: () => existsSync(mirror) || existsSync(cache), lock: join(dataDir, "mirrors", `${id}.lock`) }
}

const sweep = (dataDir: string, bound: number) =>
  Effect.flatMap(DiskRetention, (retention) => retention.sweep()).pipe(
    Effect.provide(
      DiskRetention.Default.pipe(
        Layer.provide(RetentionRepo.Default),
        Layer.provide(LocalRepositoryFiles.layer(dataDir)),
        Layer.provide(Layer.succeed(DiskBound, bound))
      )
    )
  )

layer(JobsOverDatabase, { excludeTestServices: true })("the mirrors and caches of a machine", (it) => {
  it.scoped("stay within their bound: those that no job has used for longest go first", () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const old = files(dataDir, yield* newId(RepositoryId), 30)
      const older = files(dataDir, yield* newId(RepositoryId), 40)
      const recent = files(dataDir, yield* newId(RepositoryId), 1)
      yield* sweep(dataDir, 6 * fileBytes)
      assert.deepStrictEqual([older.isThere(), old.isThere(), recent.isThere()], [true, true, true])
      yield* sweep(dataDir, 5 * fileBytes)
      assert.deepStrictEqual([older.isThere(), old.isThere(), recent.isThere()], [false, true, true])
      yield* sweep(dataDir, 2 * fileBytes)
      assert.deepStrictEqual([old.isThere(), recent.isThere()], [false, true])
    })
  )

  it.scoped("stay while a job works on their repository, whatever they take", () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      const used = files(dataDir, tenant.repository_id, 30)
      const setStatus = (status: string, finished_at: string | null) =>
        sql`UPDATE jobs SET status = ${status}, started_at = now(), finished_at = ${finished_at} WHERE id = ${id}`
      yield* setStatus("running", null)
      yield* sweep(dataDir, 0)
      assert.isTrue(used.isThere())
      yield* setStatus("completed", new Date().toISOString())
      yield* sweep(dataDir, 0)
      assert.isFalse(used.isThere())
    })
  )

  it.scoped("stay while something fetches their repository", () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const fetched = files(dataDir, yield* newId(RepositoryId), 30)
      writeFileSync(fetched.lock, JSON.stringify({ pid: 1, host: "another machine", process: "", lock: "" }))
      yield* sweep(dataDir, 0)
      assert.isTrue(fetched.isThere())
    })
  )

  it.scoped("are nothing where there is no folder yet", () =>
    Effect.flatMap(aTemporaryFolder, (dataDir) => sweep(join(dataDir, "none"), 0))
  )
})
