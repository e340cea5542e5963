import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { SqlClient } from "@effect/sql"
import { Effect, Queue, Redacted } from "effect"
import { type JobId } from "../../src/schema/Ids.ts"
import { TestDatabase } from "./Database.ts"
import { jobOf } from "./jobEngine.ts"
import { type Tenant, until } from "./jobs.ts"

const script = fileURLToPath(new URL("./engineWorker.mjs", import.meta.url))

export const kill = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** A process that ends with the test; one that holds a stage inside a transaction is put into `holders`. */
export const worker = (mode: string, holders: Queue.Enqueue<ChildProcess>) =>
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

export const probeLog = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE probe_log (job_id uuid, stage text, pid integer, kind text)`
)

export const counts = (jobId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ stage: string; kind: string; n: number }>`
      SELECT stage, kind, count(*) AS n FROM probe_log WHERE job_id = ${jobId} GROUP BY stage, kind`
    return Object.fromEntries(rows.map(({ stage, kind, n }) => [`${stage} ${kind}`, n]))
  })

export const whenCompleted = (tenant: Tenant, id: JobId) =>
  until(jobOf(tenant, id), ({ status }) => status !== "pending" && status !== "running")

export const onceEach = {
  "first begin": 1,
  "first write": 1,
  "second begin": 2,
  "second write": 1,
  "third begin": 1,
  "third write": 1
}
