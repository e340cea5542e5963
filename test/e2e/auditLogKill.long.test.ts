// Held in the short form by: test/services/audit_log/AuditLog.test.ts (a record outside a transaction is a defect, a change that
// is undone leaves none), test/http/auditLogCatalogue.test.ts (every operation that changes something has its record).
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aServer, aTemporaryFolder, createKeys, type RunningServer } from "../support/server.ts"

const kills = 4
const callersAtOnce = 6
const changesBeforeKill = 60

/** A change: its request, and what it is known by in the tables. */
interface Attempt {
  readonly name: string
  readonly status: number
}

const change = (server: RunningServer, key: string, method: string, path: string, body: unknown) =>
  Effect.tryPromise((signal) =>
    fetch(`${server.api}${path}`, {
      method,
      signal,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    }).then(async (response) => {
      await response.text()
      return response.status
    })
  )

/** Every caller makes a project, renames it and replaces the guidance, again and again, until the process is killed. */
const changesUntilKilled = (server: RunningServer, keys: ReadonlyArray<string>, round: number) =>
  Effect.gen(function* () {
    const enough = yield* Deferred.make<void>()
    const acknowledged: Array<Attempt> = []
    const note = (name: string) => (status: number) => {
      acknowledged.push({ name, status })
      return acknowledged.length >= changesBeforeKill ? Deferred.succeed(enough, undefined) : Effect.void
    }
    const caller = (key: string, n: number) =>
      Effect.gen(function* () {
        for (let i = 0; ; i++) {
          const slug = `p-${round}-${n}-${i}`
          yield* Effect.flatMap(
            change(server, key, "POST", "/api/projects", { name: slug, slug, kind: "area" }),
            note(`create ${slug}`)
          )
          yield* Effect.flatMap(
            change(server, key, "PATCH", `/api/projects/${slug}`, { description: `Changed in round ${round}.` }),
            note(`update ${slug}`)
          )
          yield* Effect.flatMap(
            change(server, key, "PUT", "/api/workspace/guidance", { text: `Guidance ${slug}.` }),
            note(`guidance ${slug}`)
          )
        }
      }).pipe(Effect.ignore)
    yield* Effect.all(
      [
        Effect.zipRight(Deferred.await(enough), server.kill),
        Effect.forEach(keys, caller, { concurrency: "unbounded", discard: true })
      ],
      { concurrency: 2 }
    )
    return acknowledged
  })

const sorted = (names: Iterable<string>) => [...names].sort()

layer(Database)("a process killed while it makes changes", (it) => {
  it.scoped(
    "leaves no change without its record in the audit log, and no record without its change",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const dataDir = yield* aTemporaryFolder
        const options = { dataDir, env: { DATABASE_URL: Redacted.value(url) }, role: "api" } as const
        const scopes = ["manage_projects", "view_issues", "manage_tenant_settings", "view_repositories"]
        const acknowledged: Array<Attempt> = []
        let server = yield* aServer(options)
        const keys = yield* createKeys(server, scopes, callersAtOnce)
        for (let round = 0; round < kills; round++) {
          acknowledged.push(...(yield* changesUntilKilled(server, keys, round)))
          server = yield* aServer(options)
        }
        assert.deepStrictEqual(
          acknowledged.filter(({ status }) => status >= 300),
          []
        )

        const sql = yield* SqlClient.SqlClient
        const names = (rows: ReadonlyArray<{ readonly name: string }>) => sorted(rows.map(({ name }) => name))
        const inTables = names(
          yield* sql<{ readonly name: string }>`
          SELECT 'create ' || slug AS name FROM projects
          UNION ALL SELECT 'update ' || slug FROM projects WHERE description <> ''
          UNION ALL SELECT 'guidance ' || version FROM context_events`
        )
        const inLog = names(
          yield* sql<{ readonly name: string }>`
          SELECT 'create ' || object_ref AS name FROM audit_log WHERE action = 'projects.create'
          UNION ALL SELECT 'update ' || object_ref FROM audit_log WHERE action = 'projects.update'
          UNION ALL SELECT 'guidance ' || row_number() OVER (ORDER BY at, id)
            FROM audit_log WHERE action = 'workspace.set_guidance'`
        )
        assert.deepStrictEqual(inLog, inTables)
        assert.isAtLeast(inLog.length, kills * changesBeforeKill)
        const kept = new Set(inLog)
        const lost = acknowledged.filter(({ name }) => !name.startsWith("guidance ") && !kept.has(name))
        assert.deepStrictEqual(lost, [])
        const guidance = acknowledged.filter(({ name }) => name.startsWith("guidance "))
        assert.isAtLeast(inLog.filter((name) => name.startsWith("guidance ")).length, guidance.length)
      }),
    600_000
  )
})
