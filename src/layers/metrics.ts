import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import type { RequestObserver } from "../http/observedServer.ts"
import { advisoryMetrics } from "./advisories/AdvisoryTimer.ts"
import { openPools } from "./Sql.ts"

/** How long what is counted in the database holds: more frequent scrapes cost no more statements. */
const countedFor = "10 seconds"

/** Requests of this process: how long they took, and those under way. */
const requestMetrics = (registry: Registry): RequestObserver => {
  const underWay: RequestObserver["underWay"] = new Set()
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time to serve a request, by method, route pattern and status; without event streams.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry]
  })
  new Gauge({
    name: "http_requests_in_flight",
    help: "Requests being served, event streams included.",
    registers: [registry],
    collect() {
      this.set(underWay.size)
    }
  })
  new Gauge({
    name: "assay_event_streams",
    help: "Open event streams of jobs.",
    registers: [registry],
    collect() {
      this.set([...underWay].filter(({ isStream }) => isStream).length)
    }
  })
  const ended: RequestObserver["ended"] = ({ method, route, status, millis, isStream }) => {
    if (!isStream) duration.observe({ method: methods.has(method) ? method : "other", route, status }, millis / 1000)
  }
  return { underWay, ended }
}

/** Clients choose methods: those that no route has are one. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])

const poolMetrics = (registry: Registry) =>
  new Gauge({
    name: "assay_database_connections",
    help: "Connections of this process by pool and state, and statements that wait for one.",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      this.reset()
      for (const [name, pool] of openPools()) {
        this.set({ pool: name, state: "busy" }, pool.totalCount - pool.idleCount)
        this.set({ pool: name, state: "idle" }, pool.idleCount)
        this.set({ pool: name, state: "waiting" }, pool.waitingCount)
      }
    }
  })

/** What the whole installation has in its database, the same from every process. */
const databaseMetrics = (registry: Registry, sql: SqlClient.SqlClient) => {
  const registers = [registry]
  const jobs = new Gauge({
    name: "assay_jobs",
    help: "Jobs waiting and running.",
    labelNames: ["workflow", "status"],
    registers
  })
  const ended = new Counter({
    name: "assay_jobs_ended_total",
    help: "Jobs that have ended, by workflow and outcome.",
    labelNames: ["workflow", "status"],
    registers
  })
  const oldest = new Gauge({
    name: "assay_queue_age_seconds",
    help: "How long the oldest waiting job has waited; 0 when none waits.",
    registers
  })
  const observations = new Gauge({
    name: "assay_observations",
    help: "Observations by status and priority.",
    labelNames: ["status", "priority"],
    registers
  })
  const mails = new Gauge({
    name: "assay_outbox_mails",
    help: "E-mails of the outbox by status.",
    labelNames: ["status"],
    registers
  })
  const count = Effect.gen(function* () {
    const ofJobs = yield* sql<{ workflow: string; status: string; n: number; age: number | null }>`
      SELECT workflow, status, count(*)::int AS n,
        CASE WHEN status = 'pending' THEN extract(epoch FROM now() - min(queued_at))::float8 END AS age
      FROM jobs GROUP BY workflow, status`
    const ofObservations = yield* sql<{ status: string; priority: string; n: number }>`
      SELECT status, priority, count(*)::int AS n FROM observations GROUP BY status, priority`
    const ofMails = yield* sql<{ status: string; n: number }>`
      SELECT status, count(*)::int AS n FROM outbox_mails GROUP BY status`
    for (const metric of [jobs, ended, observations, mails]) metric.reset()
    for (const { workflow, status, n } of ofJobs) {
      if (status === "pending" || status === "running") jobs.set({ workflow, status }, n)
      else ended.inc({ workflow, status }, n)
    }
    oldest.set(Math.max(0, ...ofJobs.map(({ age }) => age ?? 0)))
    for (const { status, priority, n } of ofObservations) observations.set({ status, priority }, n)
    for (const { status, n } of ofMails) mails.set({ status }, n)
  })
  return count.pipe(
    Effect.timeout("3 seconds"),
    // A number of before would look like one of now.
    Effect.catchAllCause(() =>
      Effect.sync(() => {
        for (const metric of [jobs, ended, oldest, observations, mails]) metric.reset()
      })
    )
  )
}

/** Prometheus text, and who fills in what it says of requests. */
export const metrics = Effect.fnUntraced(function* (dataDir: string) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const observer = requestMetrics(registry)
  poolMetrics(registry)
  advisoryMetrics(registry, dataDir)
  const counted = yield* Effect.cachedWithTTL(databaseMetrics(registry, yield* SqlClient.SqlClient), countedFor)
  return {
    observer,
    registry,
    /** Counts what the database holds, unless that was done just now. */
    counted,
    text: Effect.zipRight(
      counted,
      Effect.promise(() => registry.metrics())
    )
  }
})
