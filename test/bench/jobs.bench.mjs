import { cpuOf, cpuOfPostgres, machineLoad, option } from "./api/servers.mjs"
import { besideReaders } from "./jobs/readers.mjs"
import { until, withWorkers } from "./jobs/withWorkers.mjs"

const jobsPerSecond = 300
const startMillis = 100

const share = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)].toFixed(0)

/** Of the jobs of a workspace whose repository had one before, how many ran on the worker that had run that one, in %. */
const affinity = async (client, workspace) => {
  const { rows } = await client.query(
    `SELECT coalesce(100.0 * count(*) FILTER (WHERE runner = before) / nullif(count(before), 0), 100)::float8 AS share
    FROM (
      SELECT s.runner, lag(s.runner) OVER (PARTITION BY j.repository_id ORDER BY s.started_at, j.id) AS before
      FROM jobs j JOIN job_stages s ON s.job_id = j.id WHERE j.workspace_id = $1) each_job`,
    [workspace]
  )
  return rows[0].share.toFixed(0)
}

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis))

/** Milliseconds from submission to start of so many jobs, one after the other. */
const waitsOf = async ({ client, queue }, workspace, single) => {
  const waits = []
  for (let n = 0; n < single; n++) {
    const [id] = await queue(workspace, 1)
    await until(client, "SELECT status = 'completed' FROM jobs WHERE id = $1", [id])
    const { rows } = await client.query(
      "SELECT extract(epoch FROM started_at - created_at)::float8 * 1000 AS ms FROM jobs WHERE id = $1",
      [id]
    )
    waits.push(rows[0].ms)
    await pause(20)
  }
  return waits
}

/**
 * Claim: a worker takes 300 jobs a second that do nothing through their life, from the queued row to the completed one, and
 * an idle one starts a job within 100 ms of its submission (p99).
 * `npm run bench -- jobs [--workers=1,2,4,8] [--api=0] [--jobs=600] [--single=100] [--slots=32]`; each of the `--api` processes
 * answers 25 lists of jobs a second meanwhile.
 */
export const run = (args) =>
  withWorkers(async (bench) => {
    const { client, url, running, postmaster, aWorkspace, queue } = bench
    const count = Number(option(args, "jobs", "600"))
    const single = Number(option(args, "single", "100"))
    const slots = Number(option(args, "slots", "32"))
    const apis = Number(option(args, "api", "0"))
    for (const workers of option(args, "workers", "1,2,4,8").split(",").map(Number)) {
      await running(workers, { slots, stageMillis: 0 }, async (children) => {
        const workspace = await aWorkspace()
        const cpu = () => children.reduce((sum, { pid }) => sum + cpuOf(pid), 0)
        const measured = async () => {
          const waits = await waitsOf(bench, workspace, single)
          const [own, database, start] = [cpu(), cpuOfPostgres(postmaster), performance.now()]
          await queue(workspace, count)
          await until(client, "NOT EXISTS (SELECT FROM jobs WHERE status IN ('pending', 'running'))")
          const rate = count / ((performance.now() - start) / 1000)
          return { waits, rate, own: cpu() - own, database: cpuOfPostgres(postmaster) - database }
        }
        const { result, times, failed } = await besideReaders(apis, { client, url, workspace }, measured)
        const { waits, rate, own, database } = result
        const each = (seconds) => ((seconds / count) * 1000).toFixed(1)
        console.log(
          `${workers} workers: ${rate.toFixed(0)} jobs/s (aim ${jobsPerSecond}), CPU ${each(own)} ms + PostgreSQL ` +
            `${each(database)} ms a job; submitted to running p50 ${share(waits, 0.5)} ms, ` +
            `p99 ${share(waits, 0.99)} ms (aim ${startMillis} ms); ${await affinity(client, workspace)} % of the jobs ran on the worker ` +
            `that ran the repository before; load ${machineLoad()}`
        )
        if (times.length > 0) {
          console.log(
            `  ${apis} API processes: ${times.length} lists of jobs, p50 ${share(times, 0.5)} ms, p99 ${share(times, 0.99)} ms, ${failed} failed`
          )
        }
        if (workers === 1 && (rate < jobsPerSecond || Number(share(waits, 0.99)) > startMillis)) process.exitCode = 1
      })
    }
  })
