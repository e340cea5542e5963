import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { cpuOf, cpuOfPostgres, loaded, machineLoad, option, refs, withAssay } from "./api/servers.mjs"
import { fillMany, fullCounts } from "./load/fillMany.mjs"

const openLoop = (settings) =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL("load/openLoop.mjs", import.meta.url))
    const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.once("close", (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error("the load failed"))))
    child.stdin.end(JSON.stringify(settings))
  })

const isAccepted = ({ status }) => status === 200
const isRejected = ({ status, hasRetryAfter }) => (status === 429 || status === 503) && hasRetryAfter

const at = (results, share) => {
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b)
  return times.length === 0 ? Number.POSITIVE_INFINITY : times[Math.floor((times.length - 1) * share)]
}

const p99 = (results) => at(results.filter(isAccepted), 0.99)

/** Where a second's p99 is this small, the service is well. */
const wellMillis = 500

/** Seconds until every later second is well. */
const secondsUntilWell = (results, seconds) => {
  const isWell = Array.from({ length: seconds }, (_, second) => {
    const own = results.filter((result) => Math.floor(result.at / 1000) === second)
    return own.every(isAccepted) && p99(own) <= wellMillis
  })
  return isWell.lastIndexOf(false) + 1
}

const pathsOf = {
  "list of 50": () => ["/api/observations?limit=50&include=locations"],
  observation: ({ observations }) => refs(100, observations).map((ref) => `/api/observations/${ref}`),
  job: ({ jobs }) => jobs.map((id) => `/api/jobs/${id}`),
  "events of a job": ({ jobs }) => jobs.map((id) => `/api/jobs/${id}/events`),
  issues: () => ["/api/issues?limit=50"],
  "context entries": () => ["/api/context/entries?limit=50"]
}

/** Of twenty requests. */
const mixture = ["list of 50", ...Array(9).fill("observation"), ...Array(8).fill("job"), "events of a job", "issues"]

/** Requests of workspaces in turn, each with keys of its own. */
const trafficOf = (workspaces, names) => {
  const requests = workspaces.flatMap((workspace) =>
    workspace.keys.map((key, n) => {
      const paths = pathsOf[names[n % names.length]](workspace)
      return { key, path: paths[n % paths.length] }
    })
  )
  // Neighbours of the list go to different workspaces and operations.
  const turned = requests.map((_, n) => requests[(n * 7919) % requests.length])
  return { paths: turned.map(({ path }) => path), keys: turned.map(({ key }) => key) }
}

let misses = 0
const line = (what, figure, aim, isMet) => {
  if (!isMet) misses++
  console.log(`  ${what.padEnd(44)} ${figure.padEnd(24)} aim ${aim}: ${isMet ? "met" : "missed"}`)
}

/**
 * Claim: an installation of twenty teams answers at a fixed rate of requests; at four times what it can do, it rejects the
 * rest with 429 or 503 and Retry-After, accepts with p99 <= 500 ms, and is well within 5 s after; a team that sends as much
 * as the server can do slows the others' p99 by at most 25 %.
 * `npm run bench -- load [--scale=0.02] [--seconds=10]`; a scale of 1 has 1,000,000 observations and 4,000,000 events of jobs.
 * The exit code is 1 where an aim is missed.
 */
export const run = (args) =>
  withAssay(args, async ({ assay, client, postmaster }) => {
    const scale = Number(option(args, "scale", "0.02"))
    const seconds = Number(option(args, "seconds", "10"))
    const before = performance.now()
    const workspaces = await fillMany(client, { scale, keysOfEach: 100 })
    const sizes = Object.entries(fullCounts).map(
      ([what, count]) => `${Math.round(count * (what === "repositories" ? 1 : scale))} ${what}`
    )
    console.log(`20 workspaces, ${sizes.join(", ")}; filled in ${((performance.now() - before) / 1000).toFixed(0)} s`)
    const url = assay.api
    const traffic = trafficOf(workspaces, mixture)
    const requests = traffic.paths.map((path, n) => ({
      method: "GET",
      path,
      headers: { authorization: `Bearer ${traffic.keys[n]}` }
    }))

    await loaded({ url, connections: 32, amount: 2000, requests })
    const [own, database] = [cpuOf(assay.child.pid), cpuOfPostgres(postmaster)]
    const { rps: capacity, ok, failed } = await loaded({ url, connections: 32, seconds, requests })
    // The last ones are cut off.
    if (failed > ok / 100) throw new Error(`${failed} requests failed while the capacity was measured`)
    const micros = (cpu) => ((cpu / ok) * 1e6).toFixed(0)
    console.log(
      `\ncapacity: ${capacity.toFixed(0)} requests/s of the mixture by 32 connections, CPU ${micros(cpuOf(assay.child.pid) - own)} µs + ` +
        `PostgreSQL ${micros(cpuOfPostgres(postmaster) - database)} µs a request; load ${machineLoad()}`
    )

    const rate = Math.max(5, capacity / 2)
    console.log(`\nopen loop, ${rate.toFixed(0)} requests/s:`)
    for (const name of Object.keys(pathsOf)) {
      // A list is several times as dear as the mixture's average.
      const own = { name, rate: rate / 4, seconds, ...trafficOf(workspaces, [name]) }
      const [{ results }] = await openLoop({ url, streams: [own] })
      const failed = results.length - results.filter(isAccepted).length
      console.log(
        `  ${name.padEnd(44)} p50 ${at(results, 0.5).toFixed(0)} ms   p99 ${p99(results).toFixed(0)} ms   at ${own.rate.toFixed(0)}/s, ${failed} not answered`
      )
    }

    const [{ results: over }] = await openLoop({ url, streams: [{ rate: 4 * capacity, seconds, ...traffic }] })
    const [{ results: after }] = await openLoop({ url, streams: [{ rate: rate / 2, seconds, ...traffic }] })
    const accepted = over.filter(isAccepted)
    const others = over.filter((result) => !isAccepted(result) && !isRejected(result))
    const rejected = over.length - accepted.length - others.length
    console.log(
      `\noverload, ${(4 * capacity).toFixed(0)} requests/s: ${accepted.length} accepted, ${rejected} rejected; sent at most ${Math.max(...over.map(({ late }) => late)).toFixed(0)} ms late; load ${machineLoad()}`
    )
    line("neither accepted nor rejected in order", String(others.length), "0", others.length === 0)
    line("p99 of the accepted", `${p99(over).toFixed(0)} ms`, "500 ms", p99(over) <= 500)
    const well = secondsUntilWell(after, seconds)
    line("well again after", `${well} s`, "5 s", well <= 5)

    const [noisy, ...quiet] = workspaces
    const calm = { name: "others", rate: rate / 2, seconds, ...trafficOf(quiet, mixture) }
    const [{ results: alone }] = await openLoop({ url, streams: [calm] })
    const loud = { name: "noisy", rate: capacity, seconds, ...trafficOf([noisy], mixture) }
    const beside = await openLoop({ url, streams: [calm, loud] })
    const others99 = p99(beside.find(({ name }) => name === "others").results)
    const more = (others99 / p99(alone) - 1) * 100
    console.log(`\nnoisy neighbour, ${capacity.toFixed(0)} requests/s of one workspace; load ${machineLoad()}`)
    const figure = `${p99(alone).toFixed(0)} ms, ${others99.toFixed(0)} ms: ${more >= 0 ? "+" : ""}${more.toFixed(0)} %`
    line("p99 of the others, alone and beside it", figure, "+25 %", more <= 25)
    if (misses > 0) process.exitCode = 1
  })
