import { existsSync } from "node:fs"
import { mkdir, readdir, rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { HttpClient, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Ref, TestClock } from "effect"
import { adminSite } from "../../src/http/AdminSite.ts"
import { writeProbe } from "../../src/layers/WriteProbe.ts"
import { Database } from "../support/Database.ts"
import { aTemporaryFolder } from "../support/server.ts"

layer(Database)("readiness", (it) => {
  it.scoped("writes to the database and the data folder, and leaves nothing there", () =>
    Effect.gen(function* () {
      const folder = yield* aTemporaryFolder
      const probe = yield* writeProbe(folder)
      for (let i = 0; i < 3; i++) {
        assert.deepStrictEqual(yield* probe, [])
        yield* TestClock.adjust("5 seconds")
      }
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(folder)), [])
    })
  )

  it.scoped("names the data folder when there is no room in it", () =>
    Effect.gen(function* () {
      const folder = yield* aTemporaryFolder
      // A device that is always full stands in for the disk; without one (macOS), a folder in the way of the file does.
      yield* Effect.promise(() =>
        existsSync("/dev/full")
          ? symlink("/dev/full", join(folder, ".write-probe"))
          : mkdir(join(folder, ".write-probe"))
      )
      const probe = yield* writeProbe(folder)
      assert.deepStrictEqual(yield* probe, ["data_folder"])
      // The result holds for five seconds, however often it is asked for.
      yield* Effect.promise(() => rm(join(folder, ".write-probe"), { recursive: true, force: true }))
      assert.deepStrictEqual(yield* probe, ["data_folder"])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* probe, [])
    })
  )

  it.scoped("names the database when it rejects writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const probe = Effect.flatten(writeProbe(yield* aTemporaryFolder))
      const result = yield* sql.withTransaction(Effect.zipRight(sql`SET TRANSACTION READ ONLY`, probe))
      assert.deepStrictEqual(result, ["database"])
    })
  )

  it.scoped("is 503 while writes fail, and names what fails", () =>
    Effect.gen(function* () {
      const failing = yield* Ref.make<ReadonlyArray<string>>(["data_folder"])
      const site = adminSite({
        pendingMigrations: Effect.succeed([]),
        notWritable: Ref.get(failing),
        metrics: Effect.succeed("")
      })
      const read = Effect.flatMap(HttpClient.get("/readyz"), (response) =>
        Effect.map(response.json, (body) => [response.status, body])
      )
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* read, [503, { status: "unavailable", not_writable: ["data_folder"] }])
        yield* Ref.set(failing, [])
        assert.deepStrictEqual(yield* read, [200, { status: "ready" }])
      }).pipe(Effect.provide(HttpServer.serve(site).pipe(Layer.provideMerge(NodeHttpServer.layerTest))))
    })
  )
})
