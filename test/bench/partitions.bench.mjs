import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Logger, LogLevel, Option, Redacted } from "effect"
import pg from "pg"
import { startEmbeddedPostgres } from "../../dist/layers/EmbeddedPostgres.js"
import { serviceRole } from "../../dist/layers/Migrations.js"
import { upToDate } from "../../dist/layers/OnlineIndexes.js"
import { layerFromConnection } from "../../dist/layers/Sql.js"
import { asSystem, withinWorkspace, withReach } from "../../dist/services/access/Reach.js"
import { JobEventsRepo } from "../../dist/services/jobs/JobEventsRepo.js"
import { RetentionRepo } from "../../dist/services/retention/RetentionRepo.js"
import { cpuOfPostgres, machineLoad, option } from "./api/servers.mjs"
import { aWorkspace } from "./jobs/withWorkers.mjs"
import { eventsOfAJob, fillEvents, fillJobs, fillMonth, months, sizeOf, startsOfMonths } from "./partitions/tables.mjs"

/** As many rows as a batch of retention has. */
const batch = 2_000
const noJob = "00000000-0000-0000-0000-000000000000"

const arrangements = [
  { name: "plain", isPartitioned: false },
  { name: "partitioned", isPartitioned: true }
]

/** Time, CPU of all processes of PostgreSQL, and write-ahead log. */
const costOf = ({ client, postmaster }, effect) =>
  Effect.gen(function* () {
    const position = () => client.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal")
    yield* Effect.promise(() => client.query("CHECKPOINT"))
    const walBefore = Number((yield* Effect.promise(position)).rows[0].wal)
    const [cpuBefore, since] = [cpuOfPostgres(postmaster), performance.now()]
    yield* effect
    const seconds = (performance.now() - since) / 1000
    const cpu = cpuOfPostgres(postmaster) - cpuBefore
    return { seconds, cpu, wal: Number((yield* Effect.promise(position)).rows[0].wal) - walBefore }
  })

/** What happens to a month that is due: in batches by job, as retention does, or at once. */
const removals = {
  plain: ({ retention, now }) =>
    Effect.gen(function* () {
      const before = new Date(startsOfMonths(now)[1]).toISOString()
      let after = { at: "-infinity", id: noJob }
      for (;;) {
        const found = yield* retention.deleteEvents({ after, before, most: batch })
        if (Option.isNone(found)) return
        if (found.value.deleted < batch) after = found.value
      }
    }),
  partitioned: ({ client }) => Effect.promise(() => client.query("DROP TABLE job_events_0"))
}

/** The reads of other connections while `effect` runs: the longest, in ms. */
const withReader = (connection, jobs, effect) =>
  Effect.gen(function* () {
    let isOver = false
    const reading = (async () => {
      const reader = new pg.Client(connection)
      reader.on("error", () => undefined)
      await reader.connect()
      let longest = 0
      while (!isOver) {
        const since = performance.now()
        await reader.query("SELECT seq, detail FROM job_events WHERE job_id = $1", [random(jobs)])
        longest = Math.max(longest, performance.now() - since)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      await reader.end()
      return longest
    })()
    const result = yield* effect
    isOver = true
    return { ...result, longestRead: yield* Effect.promise(() => reading) }
  })

const random = (values) => values[Math.floor(Math.random() * values.length)]

const explain = async (client, job) => {
  await client.query("SET plan_cache_mode = force_generic_plan")
  await client.query(
    "PREPARE events_of (uuid) AS SELECT seq, detail FROM job_events WHERE job_id = $1 ORDER BY seq LIMIT 50"
  )
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE events_of('${job}')`
  )
  await client.query("DEALLOCATE events_of")
  await client.query("RESET plan_cache_mode")
  return rows.map((row) => `    ${row["QUERY PLAN"]}`).join("\n")
}

/** All figures of one arrangement of the table. */
const measure = (arrangement, running) =>
  Effect.gen(function* () {
    const { client, connection, workspace, now, calls, events } = running
    const since = performance.now()
    yield* Effect.promise(() => fillEvents(client, { ...arrangement, now }))
    const filledIn = (performance.now() - since) / 1000
    const { rows } = yield* Effect.promise(() =>
      client.query("SELECT id FROM jobs WHERE created_at >= $1 AND created_at < $2 ORDER BY random() LIMIT 1000", [
        new Date(startsOfMonths(now)[1]),
        new Date(startsOfMonths(now)[months])
      ])
    )
    const jobs = rows.map(({ id }) => id)
    console.log(`\n${arrangement.name}: filled in ${filledIn.toFixed(0)} s; a job's events are read so:`)
    console.log(yield* Effect.promise(() => explain(client, jobs[0])))

    const repeated = (call) => Effect.repeatN(Effect.suspend(call), calls - 1)
    const eachOf = (call) =>
      Effect.map(Effect.zipRight(repeated(call), costOf(running, repeated(call))), ({ seconds, cpu, wal }) => ({
        ms: (seconds / calls) * 1000,
        cpu: (cpu / calls) * 1000,
        wal: wal / calls
      }))
    const write = yield* eachOf(() =>
      running.journal.append({
        job_id: random(jobs),
        stage: "scan",
        type: "stage_progress",
        detail: "File 21 of 20",
        data: null,
        at: new Date().toISOString()
      })
    ).pipe(asSystem, withReach)
    const read = yield* eachOf(() =>
      running.journal.list({ workspace_id: workspace, job_id: random(jobs), after: 0, limit: 50 })
    ).pipe(withinWorkspace(workspace), withReach)
    const before = yield* Effect.promise(() => sizeOf(client))
    const removal = removals[arrangement.name](running).pipe(asSystem, withReach)
    const month = yield* withReader(connection, jobs, costOf(running, removal))
    const vacuum = yield* costOf(
      running,
      Effect.promise(() => client.query("VACUUM job_events"))
    )
    const left = yield* Effect.promise(() => client.query("SELECT count(*)::float8 AS count FROM job_events"))
    // A few jobs of the oldest month end after it.
    const expected = events - Math.round(events / months)
    if (Math.abs(left.rows[0].count - expected - 2 * calls) > 10 * eventsOfAJob) {
      throw new Error(`${left.rows[0].count} events are left of ${arrangement.name}`)
    }
    const after = yield* Effect.promise(() => sizeOf(client))
    yield* Effect.promise(() => fillMonth(client, now, months))
    return { write, read, month, vacuum, before, after, monthLater: yield* Effect.promise(() => sizeOf(client)) }
  })

const figure = (number, unit) => `${number.toFixed(number < 10 ? 2 : 0)} ${unit}`.padStart(11)
const mb = (bytes) => figure(bytes / 1e6, "MB")

const print = ({ plain, partitioned }) => {
  const line = (what, of, unit) =>
    console.log(`${what.padEnd(52)} plain ${figure(of(plain), unit)}   partitioned ${figure(of(partitioned), unit)}`)
  const bytes = (what, of) =>
    console.log(`${what.padEnd(52)} plain ${mb(of(plain))}   partitioned ${mb(of(partitioned))}`)
  console.log("")
  line("writing an event: time", ({ write }) => write.ms, "ms")
  line("writing an event: CPU of PostgreSQL", ({ write }) => write.cpu, "ms")
  line("reading a job's events: time", ({ read }) => read.ms, "ms")
  line("reading a job's events: CPU of PostgreSQL", ({ read }) => read.cpu, "ms")
  line("retention of a month: time", ({ month }) => month.seconds, "s")
  line("retention of a month: CPU of PostgreSQL", ({ month }) => month.cpu, "s")
  bytes("retention of a month: write-ahead log", ({ month }) => month.wal)
  line("retention of a month: longest read beside it", ({ month }) => month.longestRead, "ms")
  line("VACUUM after it: CPU of PostgreSQL", ({ vacuum }) => vacuum.cpu, "s")
  bytes("VACUUM after it: write-ahead log", ({ vacuum }) => vacuum.wal)
  bytes("table and indexes before it", ({ before }) => before)
  bytes("table and indexes after it", ({ after }) => after)
  bytes("table and indexes with a month of new events", ({ monthLater }) => monthLater)
}

/**
 * Compares the table of events as it is with one partitioned by the month in which a job was made, on the same rows: seven
 * months of events, of which retention removes the oldest before another is written. PostgreSQL's own vacuuming is off, so that it happens where it is measured.
 * `npm run bench -- partitions [--events=4000000] [--calls=2000]`. At 40,000,000 events it takes some 10 GB of disk.
 */
export const run = (args) => {
  const request = Number(option(args, "events", "4000000"))
  const calls = Number(option(args, "calls", "2000"))
  const jobsOfAMonth = Math.ceil(request / eventsOfAJob / months)
  const events = jobsOfAMonth * months * eventsOfAJob
  const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-partitions-"))
  chmodSync(dataDir, 0o755)
  return Effect.gen(function* () {
    const { connection: embedded } = yield* startEmbeddedPostgres({ dataDir })
    yield* Effect.provide(upToDate, layerFromConnection(embedded, { maxConnections: 2 }))
    const connection = { ...embedded, password: Redacted.value(embedded.password) }
    const client = new pg.Client(connection)
    // A failure ends the server before the client.
    client.on("error", () => undefined)
    yield* Effect.promise(() => client.connect())
    const { rows } = yield* Effect.promise(() => client.query("SELECT pg_read_file('postmaster.pid', 0, 10) AS pid"))
    const postmaster = Number(rows[0].pid.split("\n")[0])
    yield* Effect.promise(async () => {
      await client.query("ALTER SYSTEM SET autovacuum = off")
      await client.query("SELECT pg_reload_conf()")
    })
    const now = Date.now()
    const workspace = yield* Effect.promise(() => aWorkspace(client))
    yield* Effect.promise(() => fillJobs(client, workspace, { jobsOfAMonth, now }))
    const services = Layer.mergeAll(JobEventsRepo.Default, RetentionRepo.Default).pipe(
      Layer.provide(layerFromConnection(embedded, { maxConnections: 1, role: serviceRole }))
    )
    const measured = yield* Effect.gen(function* () {
      const running = { client, connection, postmaster, workspace, now, calls, events }
      const repos = { journal: yield* JobEventsRepo, retention: yield* RetentionRepo }
      const figures = {}
      for (const arrangement of arrangements) {
        figures[arrangement.name] = yield* measure(arrangement, { ...running, ...repos })
      }
      return figures
    }).pipe(Effect.provide(services))
    print(measured)
    console.log(`${events} events of ${jobsOfAMonth * months} jobs, ${calls} calls; load ${machineLoad()}`)
    yield* Effect.promise(() => client.end())
  }).pipe(
    Effect.scoped,
    Logger.withMinimumLogLevel(LogLevel.Warning),
    Effect.ensuring(Effect.sync(() => rmSync(dataDir, { recursive: true, force: true }))),
    Effect.runPromise
  )
}
