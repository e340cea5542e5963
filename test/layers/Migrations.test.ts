import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Record as Records } from "effect"
import { type MigrationRecord, migrate, pendingMigrations } from "../../src/layers/Migrations.ts"
import { migrations } from "../../src/layers/migrations/index.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { Database, EmptyDatabase, OwnedDatabase, TestDatabase } from "../support/Database.ts"

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(text)))

layer(Database)("the template", (it) => {
  it.effect("has every migration", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* pendingMigrations(), [])
      const { url } = yield* TestDatabase
      assert.deepStrictEqual(yield* Effect.provide(migrate(), layerFromUrl(url, { maxConnections: 1 })), [])
    })
  )
})

layer(EmptyDatabase)("migrations", (it) => {
  it.effect("two processes that start at once on an empty database both come up", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      assert.deepStrictEqual(yield* pendingMigrations(), Object.keys(migrations))
      const runs = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate().pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1 })))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        runs.map((run) => run.length).sort((a, b) => a - b),
        [0, 0, 0, Object.keys(migrations).length]
      )
      assert.deepStrictEqual(yield* pendingMigrations(), [])
    })
  )

  it.effect("one that fails leaves nothing of its run and says why", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const record: MigrationRecord = {
        ...migrations,
        "9001_good": statement("CREATE TABLE good (n int)"),
        "9002_bad": statement("CREATE TABLE bad (n nonsense)")
      }
      const error = yield* Effect.flip(migrate(record))
      assert.strictEqual(error._tag, "MigrationError")
      assert.include(error.message, "9002_bad")
      assert.include(error.message, 'type "nonsense" does not exist')
      assert.deepStrictEqual(yield* pendingMigrations(record), ["9001_good", "9002_bad"])
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('good') AS good`, [{ good: null }])
    })
  )

  it.effect("a database of a newer version is rejected", () =>
    Effect.gen(function* () {
      yield* migrate({ ...migrations, "9001_from_the_future": Effect.void })
      const error = yield* Effect.flip(migrate())
      assert.include(error.message, "9001_from_the_future")
    })
  )
})

layer(Database, { excludeTestServices: true })("a migration that waits for a lock", (it) => {
  it.scoped("holds up no reader of the table for longer than it waits, and is tried again", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const pool = () => layerFromUrl(url, { maxConnections: 1 })
      const [locked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // A long read, as that of a backup.
      const reading = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM jobs LIMIT 1`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(release)
          })
        )
      ).pipe(Effect.provide(pool()))
      const reader = yield* Effect.forkScoped(reading)
      yield* Deferred.await(locked)
      const record = { ...migrations, "9001_add_column": statement("ALTER TABLE jobs ADD COLUMN later integer") }
      const migration = yield* Effect.forkScoped(Effect.provide(migrate(record), pool()))
      const sql = yield* SqlClient.SqlClient
      const waiting = sql<{ n: number }>`
        SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'jobs'::regclass AND NOT granted`
      yield* Effect.repeat(waiting, { until: ([row]) => row!.n > 0 })
      // Without a bound it would wait for the long read, which waits for this.
      yield* sql`SELECT count(*) FROM jobs`
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(reader)
      assert.deepStrictEqual(
        (yield* Fiber.join(migration)).map(([, name]) => name),
        ["add_column"]
      )
    })
  )
})

/** Of the last version without row-level security. */
const last = "0026_create_known_paths"

const id = (n: number) => `018f2f2c-0000-7000-8000-${String(n).padStart(12, "0")}`
const at = "2026-01-01T00:00:00Z"

const fillOlder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [workspace_id, user_id, repository_id, project_id, job_id] = [id(1), id(2), id(3), id(4), id(5)]
  const [observation_id, entry_id] = [id(6), id(7)]
  const by = JSON.stringify({ kind: "user", label: "a@example.org" })
  yield* sql`INSERT INTO workspaces (id, name, features, created_at)
    VALUES (${workspace_id}, 'Acme', '{audit_suggestions}', ${at})`
  yield* sql`INSERT INTO users (id, email, created_at) VALUES (${user_id}, 'a@example.org', ${at})`
  yield* sql`INSERT INTO memberships ${sql.insert({ workspace_id, user_id, role: "owner", created_at: at })}`
  yield* sql`INSERT INTO sessions (id, token_hash, csrf_token, user_id, workspace_id, created_at, expires_at)
    VALUES (${id(8)}, 'hash', 'token', ${user_id}, ${workspace_id}, ${at}, ${at})`
  yield* sql`INSERT INTO api_keys (id, workspace_id, hash, name, prefix, scopes, created_by, created_at)
    VALUES (${id(9)}, ${workspace_id}, 'hash', 'ci', 'aud_', '{view_jobs}', ${user_id}, ${at})`
  yield* sql`INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode,
      clone_url, created_at)
    VALUES (${repository_id}, ${workspace_id}, 'acme', 'api', 'main', 'anonymous', 'https://example.org/api', ${at})`
  yield* sql`INSERT INTO projects (id, workspace_id, kind, slug, name, description, created_at, updated_at)
    VALUES (${project_id}, ${workspace_id}, 'project', 'web', 'Web', '', ${at}, ${at})`
  yield* sql`INSERT INTO project_repositories ${sql.insert({ project_id, repository_id, added_at: at })}`
  yield* sql`INSERT INTO project_roles
    ${sql.insert({ project_id, workspace_id, user_id, role: "manager", granted_at: at })}`
  yield* sql`INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, dedupe_hash, original_job_id,
      requested_by, created_at, queued_at, finished_at)
    VALUES (${job_id}, ${workspace_id}, ${repository_id}, 'audit', 'completed', 'hash', ${job_id}, ${by}, ${at}, ${at},
      ${at})`
  yield* sql`INSERT INTO job_events (job_id, seq, ts, stage, type) VALUES (${job_id}, 1, ${at}, 'snapshot', 'started')`
  yield* sql`INSERT INTO spend_entries (workspace_id, job_id, kind, amount_usd, at) VALUES
    (${workspace_id}, ${job_id}, 'settle', 1, ${at}), (${workspace_id}, NULL, 'credit', 5, ${at})`
  yield* sql`INSERT INTO observations (id, workspace_id, repository_id, number, kind, status, priority, category, domain,
      tool, rule_id, title, description, confidence, effort, risk, evidence, locations, file_path, tool_version,
      signatures, anchor, close_reason, dismissal_category, closed_at, first_seen_at, last_seen_at, first_seen_job_id,
      created_at, updated_at)
    VALUES (${observation_id}, ${workspace_id}, ${repository_id}, 1, 'finding', 'closed', 'P1', 'security', 'security',
      'sql_injection', 'sql_injection.query', 'A query', 'of a request', 0.9, 'small', 'high', '[]', '[]', 'a.ts', 1,
      '{"located": "there"}', 'tokens', 'dismissed', 'false_positive', ${at}, ${at}, ${at}, ${job_id}, ${at}, ${at})`
  yield* sql`INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, job_id)
    VALUES (${observation_id}, ${at}, ${by}, 'dismissed', 'new', 'closed', ${job_id})`
  yield* sql`INSERT INTO context_entries (id, workspace_id, project_id, key, status, kind, title, summary, body_md, data,
      scope, tags, created_by, updated_by, created_at, updated_at)
    VALUES (${entry_id}, ${workspace_id}, ${project_id}, 'style', 'live', 'convention', 'Style', 'How we write', 'Plainly',
      '{}', 'project', '{a}', ${by}, ${by}, ${at}, ${at})`
  yield* sql`INSERT INTO context_events (id, entry_id, version, event, actor, prev, created_at)
    VALUES (${id(10)}, ${entry_id}, 1, 'created', ${by}, 'null', ${at})`
  yield* sql`INSERT INTO known_paths (repository_id, workspace_id, bucket, digests)
    VALUES (${repository_id}, ${workspace_id}, 0, 'digests')`
})

/** The rows of each table, as it was when the older version ran. */
const rowsOf = (tables: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* Effect.forEach(tables, (table) =>
      Effect.map(
        sql<{ row: Record<string, unknown> }>`SELECT to_jsonb(t) AS row FROM ${sql(table)} t ORDER BY t`,
        (rows) => [table, rows.map(({ row }) => row)] as const
      )
    )
    return Object.fromEntries(found)
  })

const upgraded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrate(Records.filter(migrations, (_, name) => name <= last))
  yield* fillOlder
  const tables = yield* sql<{ name: string }>`SELECT relname AS name FROM pg_class WHERE relkind = 'r'
    AND relnamespace = 'public'::regnamespace AND relname <> 'effect_sql_migrations'`
  const before = yield* rowsOf(tables.map(({ name }) => name))
  assert.isAtLeast(Object.values(before).filter((rows) => rows.length > 0).length, 16)
  yield* migrate()
  assert.deepStrictEqual(yield* pendingMigrations(), [])
  return { before, after: yield* rowsOf(Object.keys(before)) }
})

for (const [owner, database] of [
  ["a superuser", EmptyDatabase],
  ["an owner who is no superuser", OwnedDatabase]
] as const)
  layer(database)(`a database of the last version without row-level security, brought up to date by ${owner}`, (it) => {
    it.effect("keeps every row and every value of it, and learns what the new columns say", () =>
      Effect.gen(function* () {
        const { before, after } = yield* upgraded
        for (const [table, rows] of Object.entries(before)) {
          const kept = after[table]?.map((row, at) => Records.filter(row, (_, column) => column in (rows[at] ?? {})))
          assert.deepStrictEqual(kept, rows, table)
        }
        assert.strictEqual(after.repositories?.[0]?.visibility, "workspace")
        assert.strictEqual(after.observation_events?.[0]?.dismissal_category, "false_positive")
        assert.deepStrictEqual(
          after.spend_entries?.map(({ repository_id }) => repository_id),
          [id(3), null]
        )
        assert.deepStrictEqual(after.context_entries?.[0]?.labels, [])
      })
    )
  })
