import { option } from "./api/servers.mjs"
import { costs, habits } from "./sizing/costs.mjs"

/** Numbers in [0, 1) that are the same at each run. */
const randomOf = (seed) => {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const linesOf = (random) => habits.medianLines * Math.exp(habits.spread * normal(random))

/** The busiest hour: audits come at random and wait for a core in the order in which they came. */
const simulate = (repositories, cores, random) => {
  const perSecond = (repositories * habits.auditsPerDay * habits.peakShare) / 3600
  const free = Array(cores).fill(0)
  const waits = []
  let busy = 0
  const untilNext = () => -Math.log(1 - random()) / perSecond
  for (let at = untilNext(); at < 3600; at += untilNext()) {
    const lines = linesOf(random)
    const work =
      random() < habits.fullShare
        ? costs.auditStart + lines * costs.auditLine
        : costs.auditStart + lines * costs.againLine
    const next = free.indexOf(Math.min(...free))
    const start = Math.max(at, free[next])
    free[next] = start + work + costs.jobWorker
    waits.push(start - at)
    busy += work + costs.jobWorker
  }
  waits.sort((a, b) => a - b)
  return { audits: waits.length, p95: waits[Math.floor(waits.length * 0.95)] ?? 0, load: busy / 3600 / cores }
}

/** As many cores as keep the wait of 95 of 100 audits in the busiest hour below a minute. */
const coresFor = (repositories) => {
  for (let cores = 1; ; cores = Math.ceil(cores * 1.15)) {
    const outcome = simulate(repositories, cores, randomOf(7))
    if (outcome.p95 <= 60 && outcome.load < 0.9) return { cores, ...outcome }
  }
}

/**
 * Carries the measured cost of each unit to installations of other sizes, by a simulation of their busiest hour.
 * `npm run bench -- sizing [--repositories=10,1000,100000] [--cores=2]`; `cores` are those of one worker process.
 */
export const run = async (args) => {
  const coresOfWorker = Number(option(args, "cores", "2"))
  for (const repositories of option(args, "repositories", "10,1000,100000").split(",").map(Number)) {
    const { cores, audits, p95, load } = coresFor(repositories)
    const reads = (audits * habits.readsPerAudit) / 3600
    const workers = Math.ceil(cores / coresOfWorker)
    const api = reads * costs.readServer
    const processes = workers + Math.ceil(api / 0.6)
    const database = reads * costs.readDatabase + (audits / 3600) * costs.jobDatabase
    const rows =
      (repositories * (habits.medianLines * Math.exp(habits.spread ** 2 / 2) * habits.observationsPerThousandLines)) /
      1000
    const eventRows = repositories * habits.auditsPerDay * 180 * habits.eventsPerAudit
    const gigabytes = (rows * costs.observation + eventRows * costs.jobEvent) / 1e9
    console.log(
      `${repositories} repositories: ${audits} audits in the busiest hour on ${cores} cores (${(load * 100).toFixed(0)} % busy, 95 of 100 wait at most ${p95.toFixed(0)} s), ` +
        `${workers} workers; ${reads.toFixed(0)} reads/s, ${api.toFixed(2)} cores of API; PostgreSQL ${database.toFixed(2)} cores, ` +
        `${processes * costs.connections} connections, ${gigabytes.toFixed(1)} GB with events of 180 days`
    )
  }
}
