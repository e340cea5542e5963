import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { keys as createKeys } from "./api/fill.mjs"
import { cpuOf, cpuOfPostgres, machineLoad, option, withAssay } from "./api/servers.mjs"
import { aWorkspace, queue } from "./jobs/withWorkers.mjs"

const deliveryMillis = 500
const kilobytes = 60
/** What one key may have open. */
const streamsOfAKey = 20

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis))

/**
 * What the process keeps, in kB, once what nothing needs any more is collected: requests leave garbage of the same size behind
 * whether they open a stream or not, and when it is collected is the engine's affair.
 */
const memoryOf = async (pid, file) => {
  rmSync(file, { force: true })
  process.kill(pid, "SIGUSR2")
  for (;;) {
    await pause(200)
    try {
      const { rss, heapUsed, external } = JSON.parse(readFileSync(file, "utf8"))
      return { resident: rss / 1000, used: (heapUsed + external) / 1000 }
    } catch {}
  }
}

/** Opens the stream of a job's events; `onEvent` gets each event's detail. Resolves once the first event has come. */
const open = (api, key, job, onEvent) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" }
    const sent = request(`${api}/api/jobs/${job}/events`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream ended with ${response.statusCode}`))
      let rest = ""
      response.setEncoding("utf8")
      response.on("data", (text) => {
        const messages = (rest + text).split("\n\n")
        rest = messages.pop()
        for (const message of messages) {
          const line = message.split("\n").find((one) => one.startsWith("data: "))
          if (line === undefined) continue
          onEvent(JSON.parse(line.slice("data: ".length)).detail)
          resolve(sent)
        }
      })
      response.on("error", () => undefined)
    })
    sent.on("error", reject)
    sent.end()
  })

/** As a stage writes one, with the notification of the job. Its detail is when it was written. */
const append = (client, job) =>
  client.query(
    `WITH job AS (UPDATE jobs SET event_seq = event_seq + 1 WHERE id = $1 RETURNING id, event_seq),
      event AS (
        INSERT INTO job_events (job_id, seq, ts, stage, type, detail)
        SELECT id, event_seq, now(), 'scan', 'log', $2 FROM job)
      SELECT pg_notify('job_events', id::text) FROM job`,
    [job, String(performance.now())]
  )

/**
 * Claim: one process has as many live streams of jobs' events as it takes; at 50 events a second, 95 % of the deliveries come
 * within 500 ms, and a stream takes at most 60 kB of memory. Each event goes to the streams of its job.
 * `npm run bench -- streams [--streams=200] [--jobs=40] [--rate=50] [--seconds=20]`.
 */
export const run = async (args) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-streams-"))
  const file = join(folder, "memory.json")
  const collector = new URL("api/memoryAfterCollection.mjs", import.meta.url)
  const env = { BENCH_MEMORY: file, NODE_OPTIONS: `--import=${collector}` }
  await withAssay(args, measure(args, file), { env })
  rmSync(folder, { recursive: true })
}

const measure =
  (args, file) =>
  async ({ assay, client, postmaster }) => {
    const streams = Number(option(args, "streams", "200"))
    const jobCount = Number(option(args, "jobs", "40"))
    const rate = Number(option(args, "rate", "50"))
    const seconds = Number(option(args, "seconds", "20"))
    const workspace = await aWorkspace(client)
    await client.query("UPDATE workspaces SET max_running = 0 WHERE id = $1", [workspace])
    const owner = (await client.query("SELECT id FROM users LIMIT 1")).rows[0].id
    await client.query(
      "INSERT INTO memberships (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now()) ON CONFLICT DO NOTHING",
      [workspace, owner]
    )
    const keys = await createKeys(client, workspace, owner, Math.ceil(streams / streamsOfAKey), ["view_jobs"])
    const jobs = (await queue(client, workspace, jobCount)).rows[0].ids
    const times = []
    let isTimed = false
    const take = (detail) => {
      if (isTimed && Number(detail) > 0) times.push(performance.now() - Number(detail))
    }
    const opened = []
    const openMore = async (count) => {
      const from = opened.length
      for (let n = from; n < from + count; n++) {
        opened.push(await open(assay.api, keys[Math.floor(n / streamsOfAKey)], jobs[n % jobs.length], take))
      }
    }
    // What the first streams load and compile stays, whatever their number.
    const first = Math.min(50, Math.floor(streams / 2))
    await openMore(first)
    await pause(3000)
    const before = await memoryOf(assay.child.pid, file)
    await openMore(streams - first)
    await pause(3000)
    const after = await memoryOf(assay.child.pid, file)
    const each = (after.resident - before.resident) / (streams - first)
    const used = (after.used - before.used) / (streams - first)

    isTimed = true
    const [own, database, start] = [cpuOf(assay.child.pid), cpuOfPostgres(postmaster), performance.now()]
    const events = rate * seconds
    for (let n = 0; n < events; n++) {
      await append(client, jobs[n % jobs.length])
      await pause(Math.max(0, start + ((n + 1) * 1000) / rate - performance.now()))
    }
    await pause(2000)
    const perEvent = (cpu) => ((cpu / events) * 1000).toFixed(1)
    const expected = opened.reduce((sum, _, n) => sum + Math.ceil((events - (n % jobs.length)) / jobs.length), 0)
    times.sort((a, b) => a - b)
    const at = (share) => times[Math.max(0, Math.ceil(times.length * share) - 1)]
    console.log(
      `${streams} streams of ${jobCount} jobs, ${rate} events/s: ${times.length} of ${expected} deliveries, p50 ` +
        `${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms (aim ${deliveryMillis} ms); ${each.toFixed(0)} kB each ` +
        `(aim ${kilobytes} kB), ${used.toFixed(0)} kB of it objects and buffers; CPU ${perEvent(cpuOf(assay.child.pid) - own)} ms + PostgreSQL ` +
        `${perEvent(cpuOfPostgres(postmaster) - database)} ms an event; load ${machineLoad()}`
    )
    for (const stream of opened) stream.destroy()
    if (times.length !== expected || at(0.95) > deliveryMillis || each > kilobytes) process.exitCode = 1
  }
