import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { collectDefaultMetrics, Gauge, Registry } from "prom-client"

/** Prometheus text: this process, and the queue as the database has it at the moment of the scrape. */
export const metrics = Effect.map(SqlClient.SqlClient, (sql) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: "assay_" })
  const jobs = new Gauge({
    name: "assay_jobs",
    help: "Jobs waiting and running.",
    labelNames: ["status"],
    registers: [registry]
  })
  return Effect.gen(function* () {
    const counts = yield* sql<{ readonly pending: number; readonly running: number }>`
      SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'running') AS running
      FROM jobs WHERE status IN ('pending', 'running')`
    jobs.set({ status: "pending" }, counts[0]?.pending ?? 0)
    jobs.set({ status: "running" }, counts[0]?.running ?? 0)
    return yield* Effect.promise(() => registry.metrics())
  }).pipe(
    Effect.catchAll(() =>
      Effect.promise(() => {
        jobs.reset()
        return registry.metrics()
      })
    )
  )
})
