// Held in the short form by: test/layers/backup/Backup.test.ts (a backup that is damaged changes nothing, none is restored while a
// process of the service uses the database).
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { aServer, aTemporaryFolder } from "../support/server.ts"

it.scopedLive(
  "Without a database there is no backup; none is restored that is damaged, or while the service runs",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const data = { ASSAY_DATA_DIR: join(dataDir, "data") }
      const file = join(dataDir, "all.assay")
      const nothing = yield* assay(["backup", file], { env: data })
      assert.deepStrictEqual([nothing.status, nothing.stdout], [2, ""])
      assert.include(nothing.stderr, "There is no database in")

      const server = yield* aServer({ dataDir })
      assert.strictEqual((yield* assay(["backup", file], { env: data })).status, 0)
      const rejected = yield* assay(["restore", "--replace", file], { env: data })
      assert.strictEqual(rejected.status, 2)
      assert.include(rejected.stderr, "already runs on")
      yield* server.stop

      writeFileSync(file, readFileSync(file).subarray(0, -10))
      const note = join(dataDir, "data", "postgres", "location")
      if (existsSync(note)) {
        const elsewhere = readFileSync(note, "utf8").trim()
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(elsewhere, { recursive: true, force: true })))
      }
      const damaged = yield* assay(["restore", "--replace", file], { env: data })
      assert.deepStrictEqual([damaged.status, damaged.stdout], [2, ""])
      assert.match(damaged.stderr, /^assay: The backup is damaged/)
    })
)
