import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Writable } from "node:stream"
import { gunzipSync, gzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, TestClock, TestServices } from "effect"
import { writeArchive } from "../../../src/layers/backup/archive.ts"
import { backup, restore } from "../../../src/layers/backup/Backup.ts"
import { migrate } from "../../../src/layers/Migrations.ts"
import { layerFromUrl, type OnlyConnection, onlyConnectionFromUrl } from "../../../src/layers/Sql.ts"
import { withRequestReach } from "../../../src/services/access/Reach.ts"
import { Database, emptyDatabase, OwnedDatabase, TestDatabase } from "../../support/Database.ts"
import { inForm } from "../../support/forms.ts"
import { aFolder } from "../../support/gitRepository.ts"
import { as, aTenant } from "../../support/jobs.ts"

const only = Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => onlyConnectionFromUrl(url)))

const onlyConnected = <A, E>(effect: Effect.Effect<A, E, OnlyConnection | SqlClient.SqlClient>) =>
  Effect.provide(effect, only)

const provided = <A, E>(effect: Effect.Effect<A, E, OnlyConnection | SqlClient.SqlClient>) =>
  // A restore waits, in real time, for connections that are being closed.
  TestServices.provideLive(onlyConnected(effect))

const backUp = (file: string) => provided(backup({ file, version: "1.2.3" }))
const restoreFrom = (file: string, replace = false) => provided(restore({ file, replace }))

/** Runs `effect` against a second database without any table, on the same server. */
const elsewhere = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, emptyDatabase({ applicationName: "a test" }))

const workspaceId = "018f2f2c-0000-7000-8000-000000000001"
const odd = 'tab\t, line\nfeed, back\\slash, \\. alone, quote " and 😀'

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO workspaces (id, name, created_at) VALUES (${workspaceId}, ${odd}, '2026-01-01T00:00:00Z')
    ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO server_secrets (name, value) VALUES ('cursor', ${Buffer.from([0, 10, 92, 255])})
    ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO spend_entries (workspace_id, kind, amount_usd, at) SELECT ${workspaceId}, 'credit', n, now()
    FROM generate_series(1, 3) n`
})

/** Every row of every table, in an order of its own. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND relname <> 'effect_sql_migrations' ORDER BY 1`
  const content: Record<string, unknown> = {}
  for (const { name } of tables)
    content[name] = yield* sql.unsafe(`SELECT t::text AS line FROM ${name} t ORDER BY t::text COLLATE "C"`)
  return content
})

/** Foreign keys, triggers and functions, which a restore takes away for a while. */
const guards = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ line: string }>`
    SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) AS line FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s %s', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1`
)

layer(Database)("a backup", (it) => {
  it.effect(
    "restores every row, identity counters included, into an empty database, with all that the migrations make",
    () =>
      Effect.gen(function* () {
        yield* fill
        const file = join(aFolder(), "all.assay")
        const { rows, tables, bytes } = yield* backUp(file)
        assert.isAtLeast(rows, 5)
        assert.strictEqual(statSync(file).size, bytes)
        if (process.platform !== "win32") assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        const before = yield* everything
        assert.strictEqual(Object.keys(before).length, tables)
        const [after, next, guardsAfter] = yield* elsewhere(
          Effect.gen(function* () {
            const restored = yield* restoreFrom(file)
            assert.strictEqual(restored.rows, rows)
            const sql = yield* SqlClient.SqlClient
            const after = yield* everything
            const next = yield* sql<{ id: number }>`
            INSERT INTO spend_entries (workspace_id, kind, amount_usd, at) VALUES (${workspaceId}, 'credit', 9, now())
            RETURNING id`
            return [after, next, yield* guards] as const
          })
        )
        assert.deepStrictEqual(after, before)
        assert.deepStrictEqual(guardsAfter, yield* guards)
        const sql = yield* SqlClient.SqlClient
        const largest = yield* sql<{ id: number }>`SELECT max(id) AS id FROM spend_entries`
        assert.isAbove(next[0]?.id ?? 0, largest[0]?.id ?? 0)
      })
  )

  it.effect("is the state of one moment, whatever is written meanwhile", () =>
    Effect.gen(function* () {
      yield* fill
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* TestDatabase
      const pairs = sql`WITH w AS (INSERT INTO workspaces (id, name, created_at)
          VALUES (gen_random_uuid(), 'pair', now()) RETURNING id)
        INSERT INTO spend_entries (workspace_id, kind, amount_usd, at) SELECT id, 'settle', 1, now() FROM w`
      const writer = yield* Effect.fork(
        Effect.forever(pairs).pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1 })))
      )
      const folder = aFolder()
      for (const n of inForm({ short: [1], long: [1, 2, 3] })) {
        const file = join(folder, `${n}.assay`)
        yield* backUp(file)
        const halves = yield* elsewhere(
          Effect.zipRight(
            restoreFrom(file),
            Effect.flatMap(
              SqlClient.SqlClient,
              (sql) => sql<{ w: number; s: number }>`
                SELECT (SELECT count(*) FROM workspaces WHERE name = 'pair') AS w,
                  (SELECT count(*) FROM spend_entries WHERE kind = 'settle') AS s`
            )
          )
        )
        assert.strictEqual(halves[0]?.w, halves[0]?.s)
      }
      yield* writer.interruptAsFork(writer.id())
    })
  )

  it.effect("does not overwrite a file, and leaves no part of one when it fails", () =>
    Effect.gen(function* () {
      yield* fill
      const folder = aFolder()
      const file = join(folder, "all.assay")
      writeFileSync(file, "kept")
      writeFileSync(`${file}.4000000.partial`, "of a killed process")
      assert.include((yield* Effect.flip(backUp(file))).message, "exists")
      assert.strictEqual(readFileSync(file, "utf8"), "kept")
      assert.include((yield* Effect.flip(backUp(join(folder, "no", "folder")))).message, "ENOENT")
      assert.include((yield* elsewhere(Effect.flip(backUp(join(folder, "empty.assay"))))).message, "no tables yet")
      rmSync(file)
      yield* backUp(file)
      assert.deepStrictEqual(readdirSync(folder), ["all.assay"])
    })
  )

  it.effect("is not restored over rows, unless that is said", () =>
    Effect.gen(function* () {
      yield* fill
      const file = join(aFolder(), "all.assay")
      yield* backUp(file)
      yield* elsewhere(
        Effect.gen(function* () {
          yield* restoreFrom(file)
          const before = yield* everything
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE workspaces SET name = 'changed'`
          const rejection = yield* Effect.flip(restoreFrom(file))
          assert.include(rejection.message, "--replace")
          assert.deepStrictEqual(yield* sql`SELECT DISTINCT name FROM workspaces`, [{ name: "changed" }])
          yield* restoreFrom(file, true)
          assert.deepStrictEqual(yield* everything, before)
        })
      )
    })
  )

  it.effect("that is damaged, foreign, or of a newer version changes nothing", () =>
    Effect.gen(function* () {
      yield* fill
      const folder = aFolder()
      const file = join(folder, "all.assay")
      yield* backUp(file)
      const text = gunzipSync(readFileSync(file)).toString("latin1")
      const variant = (name: string, content: string) => {
        writeFileSync(join(folder, name), gzipSync(Buffer.from(content, "latin1")))
        return join(folder, name)
      }
      writeFileSync(join(folder, "short"), readFileSync(file))
      truncateSync(join(folder, "short"), statSync(file).size - 20)
      writeFileSync(join(folder, "trailer"), readFileSync(file).subarray(0, -1))
      writeFileSync(join(folder, "plain"), "not gzip")
      const wrong: ReadonlyArray<readonly [string, string]> = [
        [join(folder, "short"), "damaged"],
        [join(folder, "trailer"), "damaged"],
        [join(folder, "plain"), "is not one that `assay backup` wrote"],
        [variant("other", "hello\n"), "is not one that `assay backup` wrote"],
        [variant("bit", text.replace("slash", "slush")), "its checksum is another one"],
        [variant("cut", text.slice(0, -200)), "damaged"],
        [variant("more", `${text}more\n`), "damaged"],
        [
          variant("newer", text.replace('"migrations":[', '"migrations":[{"id":9999,"name":"of_tomorrow"},')),
          "newer version"
        ],
        [join(folder, "absent"), "ENOENT"]
      ]
      yield* elsewhere(
        Effect.gen(function* () {
          yield* restoreFrom(file)
          const before = yield* everything
          for (const [path, message] of inForm({ short: wrong.filter((_, index) => index % 2 === 0), long: wrong })) {
            const { message: actual } = yield* Effect.flip(restoreFrom(path, true))
            assert.include(actual, message, path)
          }
          assert.deepStrictEqual(yield* everything, before)
        })
      )
    })
  )

  it.effect("is not restored while a process of the service uses the database", () =>
    Effect.gen(function* () {
      yield* fill
      const file = join(aFolder(), "all.assay")
      yield* backUp(file)
      const rejection = yield* elsewhere(
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          return yield* Effect.flip(onlyConnected(restore({ file, replace: true }))).pipe(
            // It waits for the process to end.
            Effect.raceFirst(Effect.forever(TestClock.adjust("250 millis"))),
            Effect.provide(layerFromUrl(Redacted.make(`${Redacted.value(url)}`), { applicationName: "assay" }))
          )
        })
      )
      assert.include(rejection.message, "is running on this database")
    })
  )
})

layer(OwnedDatabase)("a backup by an owner who is no superuser", (it) => {
  it.effect("has every row, and is restored with policies that bind the owner", () =>
    Effect.gen(function* () {
      yield* migrate()
      yield* fill
      const tenant = yield* aTenant()
      const before = yield* everything
      const file = join(aFolder(), "all.assay")
      yield* backUp(file)
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM workspaces`
      assert.include((yield* Effect.flip(restoreFrom(file))).message, "--replace")
      yield* restoreFrom(file, true)
      assert.deepStrictEqual(yield* everything, before)
      const seen = yield* sql<{ id: string }>`SELECT id FROM repositories`.pipe(as(tenant), withRequestReach)
      assert.deepStrictEqual(seen, [{ id: tenant.repository_id }])
      assert.deepStrictEqual(yield* withRequestReach(sql`SELECT id FROM workspaces`), [])
      const open = yield* sql`SELECT DISTINCT tablename FROM pg_policies
        JOIN pg_class ON relname = tablename AND relnamespace = schemaname::regnamespace WHERE NOT relforcerowsecurity`
      assert.deepStrictEqual(open, [])
    })
  )
})

it("an archive is written as fast as its target takes it, so that no table is held in memory", async () => {
  const block = randomBytes(64 * 1024)
  let taken = 0
  let furthest = 0
  const target = new Writable({
    write: (chunk: Buffer, _, done) => {
      taken += chunk.length
      setImmediate(done)
    }
  })
  const header = { created_at: "", assay: "1.2.3", postgres: "18", migrations: [], sequences: [] }
  const archive = await writeArchive(target, header)
  for (let n = 1; n <= 256; n++) {
    await archive.rows(block)
    furthest = Math.max(furthest, n * block.length - taken)
  }
  await archive.end()
  // Random bytes do not compress: what was not taken is in buffers.
  assert.isAbove(taken, 256 * block.length)
  assert.isBelow(furthest, 1024 * 1024)
})
