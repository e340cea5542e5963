import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Queue, Redacted } from "effect"
import { type JobId } from "../../src/schema/Ids.ts"
import { asOwner, TestDatabase } from "../support/Database.ts"
import { freePort } from "../support/freePort.ts"
import { jobOf } from "../support/jobEngine.ts"
import { aTenant, JobEventsOverDatabase, submitted, type Tenant, until } from "../support/jobs.ts"

const script = fileURLToPath(new URL("../support/engineWorker.mjs", import.meta.url))

const kill = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** A process that ends with the test; one that holds a stage inside a transaction is put into `holders`. */
const worker = (mode: string, holders: Queue.Enqueue<ChildProcess>) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    return yield* Effect.acquireRelease(
      Effect.sync(() => {
        const env = { PATH: process.env.PATH, DATABASE_URL: Redacted.value(url) }
        const child = spawn(process.execPath, [script, mode], { env, stdio: ["ignore", "pipe", "pipe"] })
        let output = ""
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)))
        child.stdout.on("data", (chunk) => {
          if (String(chunk).includes("holding")) holders.unsafeOffer(child)
        })
        child.once("exit", (code) => {
          if (code === null || code === 0) return
          process.stderr.write(`The worker ended with ${code}:\n${output}\n`)
          // No worker will hold a stage any more: the test fails at once instead of waiting.
          Effect.runFork(holders.shutdown)
        })
        return child
      }),
      kill
    )
  })

const probeLog = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE probe_log (job_id uuid, stage text, pid integer, kind text)`
)

const counts = (jobId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ stage: string; kind: string; n: number }>`
      SELECT stage, kind, count(*) AS n FROM probe_log WHERE job_id = ${jobId} GROUP BY stage, kind`
    return Object.fromEntries(rows.map(({ stage, kind, n }) => [`${stage} ${kind}`, n]))
  })

const whenCompleted = (tenant: Tenant, id: JobId) =>
  until(jobOf(tenant, id), ({ status }) => status !== "pending" && status !== "running")

const onceEach = {
  "first begin": 1,
  "first write": 1,
  "second begin": 2,
  "second write": 1,
  "third begin": 1,
  "third write": 1
}

layer(JobEventsOverDatabase, { excludeTestServices: true })("kill -9 in the middle of a stage", (it) => {
  it.scoped(
    "and a new start: the job completes, finished stages are not run again, no write is doubled",
    () =>
      Effect.gen(function* () {
        yield* asOwner(probeLog)
        const tenant = yield* aTenant()
        const holders = yield* Queue.unbounded<ChildProcess>()
        yield* worker("single", holders)
        const { id } = yield* submitted(tenant, "audit")
        yield* kill(yield* Queue.take(holders))
        const second = yield* worker("single", holders)
        const job = yield* whenCompleted(tenant, id)
        assert.deepStrictEqual([job.status, job.result], ["completed", { by: second.pid }])
        assert.deepStrictEqual(yield* counts(id), onceEach)
      }),
    600_000
  )
})

layer(JobEventsOverDatabase, { excludeTestServices: true })("kill -9 of one of two workers", (it) => {
  it.scoped(
    "the other one takes its job over",
    () =>
      Effect.gen(function* () {
        yield* asOwner(probeLog)
        const tenant = yield* aTenant()
        const holders = yield* Queue.unbounded<ChildProcess>()
        const workers = [
          yield* worker(String(yield* freePort), holders),
          yield* worker(String(yield* freePort), holders)
        ]
        const { id } = yield* submitted(tenant, "audit")
        const holder = yield* Queue.take(holders)
        yield* kill(holder)
        const job = yield* whenCompleted(tenant, id)
        const survivor = workers.find((other) => other !== holder)
        assert.deepStrictEqual([job.status, job.result], ["completed", { by: survivor?.pid }])
        assert.deepStrictEqual(yield* counts(id), onceEach)
      }),
    600_000
  )
})
