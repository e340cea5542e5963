import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { JobId } from "../../src/schema/Ids.ts"
import { asOwner } from "../support/Database.ts"
import { aWorker, begun, probeOverDatabase, start, whenEnded } from "../support/jobEngine.ts"
import { aTenant, type Tenant, until } from "../support/jobs.ts"

const limits = { queuedPerWorkspace: 20, runningPerWorkspace: 4, runningPerRepository: 4, running: 8, slots: 4 }

const owned = (statement: string) => asOwner(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))

/** Waits until each of so many workers holds shards, and no shard is without one. */
const whenShared = (workers: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    until(
      sql<{ workers: number; shards: number }>`
        SELECT count(DISTINCT address) AS workers, count(*) AS shards FROM engine.cluster_locks
        WHERE acquired_at > now() - interval '6 seconds'`,
      ([row]) => row?.workers === workers && row.shards === 300
    )
  )

/** The workers that have begun stages of a job, by the names that they give themselves. */
const workersOf = (id: JobId) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ runner: string }>`SELECT DISTINCT runner FROM job_stages WHERE job_id = ${id} ORDER BY runner`
    ),
    (rows) => rows.map(({ runner }) => runner)
  )

let jobs = 0

const ran = (tenant: Tenant) =>
  Effect.gen(function* () {
    // The same one again would be answered by the job that there is.
    const { id } = yield* start(tenant, `quick ${jobs++}`, () => Effect.succeed({}))
    const { status } = yield* whenEnded(tenant, id)
    assert.strictEqual(status, "completed")
    return yield* workersOf(id)
  })

// The engine's own timers need real time.
layer(probeOverDatabase, { excludeTestServices: true })("of several workers", (it) => {
  it.scoped(
    "one runs all jobs of a repository, and another when it is gone",
    () =>
      Effect.gen(function* () {
        const ends = [yield* aWorker(limits), yield* aWorker(limits)]
        yield* whenShared(2)
        const tenants: Array<Tenant> = []
        const first: Array<ReadonlyArray<string>> = []
        while (tenants.length < 6 || new Set(first.flat()).size < 2) {
          const tenant = yield* aTenant()
          tenants.push(tenant)
          first.push(yield* ran(tenant))
        }
        for (const _ of [1, 2]) assert.deepStrictEqual(yield* Effect.forEach(tenants, ran), first)
        assert.strictEqual(first.flat().length, tenants.length)

        // A job of each of some repositories is in the middle of a stage.
        const goOn = yield* Deferred.make<void>()
        const held = yield* Effect.forEach(tenants.slice(-6), (tenant) =>
          Effect.map(
            start(tenant, "held", () => Effect.as(Deferred.await(goOn), {})),
            ({ id }) => ({ tenant, id })
          )
        )
        yield* until(
          Effect.sync(() => held.filter(({ id }) => begun.has(`${id}/scan`)).length),
          (n) => n === held.length
        )
        yield* ends[0]!
        yield* Deferred.succeed(goOn, undefined)
        for (const { tenant, id } of held) {
          assert.strictEqual((yield* whenEnded(tenant, id)).status, "completed")
        }
        const after = yield* Effect.forEach(tenants, ran)
        assert.strictEqual(new Set(after.flat()).size, 1)
      }),
    300_000
  )
})

layer(probeOverDatabase, { excludeTestServices: true })("a message of the previous version", (it) => {
  it.scoped(
    "which had another shard for it, is run, once, and is no second one to what is sent for the same run",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* aWorker(limits)
        yield* whenShared(1)
        const tenant = yield* aTenant()
        yield* owned(`CREATE FUNCTION engine.other_shard() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN NEW.shard_id := CASE NEW.shard_id WHEN 'default:7' THEN 'default:8' ELSE 'default:7' END; RETURN NEW; END $$`)
        yield* owned(`CREATE TRIGGER other_shard BEFORE INSERT ON engine.cluster_messages
          FOR EACH ROW EXECUTE FUNCTION engine.other_shard()`)
        const goOn = yield* Deferred.make<void>()
        const { id } = yield* start(tenant, "stored", () => Effect.as(Deferred.await(goOn), {}))
        yield* until(
          Effect.sync(() => begun.has(`${id}/scan`)),
          (holds) => holds
        )
        yield* owned("DROP TRIGGER other_shard ON engine.cluster_messages")
        // A dispatcher that starts sends all that runs.
        yield* aWorker(limits)
        yield* whenShared(2)
        yield* Deferred.succeed(goOn, undefined)
        assert.strictEqual((yield* whenEnded(tenant, id)).status, "completed")
        const messages = yield* sql`SELECT shard_id FROM engine.cluster_messages WHERE payload LIKE ${`%${id}%`}`
        assert.strictEqual(messages.length, 1)
        assert.include(["default:7", "default:8"], messages[0]?.shard_id)
      }),
    300_000
  )
})
