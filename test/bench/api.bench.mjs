import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { runningEmbeddedPostgres } from "../../dist/layers/EmbeddedPostgres.js"
import { fill } from "./api/fill.mjs"

/**
 * Claim: with 1,000,000 observations the API answers a list of 50 with at least 0.8, and the details with at least 0.5,
 * of the requests a second of a bare Fastify and pg, with keys, scopes, rate limits and encoding on.
 * `npm run bench -- api [--observations=1000000] [--seconds=4] [--rounds=2] [--connections=32] [--data=folder]`; a data
 * folder is kept and, when filled, used again.
 */
const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** A child that announces itself with one line of JSON. */
const start = (file, args, env) =>
  new Promise((resolve, reject) => {
    // As `npm start` does; the bare handler gets the same.
    const child = spawn(process.execPath, ["--max-semi-space-size=64", file, ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)))
    createInterface({ input: child.stdout }).once("line", (line) => resolve({ child, ...JSON.parse(line) }))
  })

const stop = ({ child }) =>
  new Promise((resolve) => {
    child.removeAllListeners("exit")
    child.once("exit", resolve)
    child.kill("SIGTERM")
  })

const load = (settings) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path("api/load.mjs")], { stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.once("close", (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error("the load failed"))))
    child.stdin.end(JSON.stringify(settings))
  })

/** User and system CPU seconds of a process so far; Linux only. */
const cpuOf = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}

const parentOf = (pid) => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1])
  } catch {
    return 0
  }
}

/** The same of all processes of a PostgreSQL server. */
const cpuOfPostgres = (postmaster) =>
  (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    .reduce((sum, pid) => sum + cpuOf(pid), 0)

const connect = async (dataDir) => {
  const running = await Effect.runPromise(runningEmbeddedPostgres(dataDir))
  const { host, port, user, database, password } = running.connection
  return { host, port, user, database, password: Redacted.value(password) }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)]

/** Loads both in turn, several times; one untimed turn first. */
const compare = async (servers, postmaster, rounds, settings) => {
  const turns = new Map(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, api, child } of servers) {
      const [own, database] = [cpuOf(child.pid), cpuOfPostgres(postmaster)]
      const result = await load({ ...settings, url: api, seconds: settings.seconds })
      if (result.failed > 0) throw new Error(`${result.failed} requests of ${name} failed`)
      const micros = (before, now) => ((now - before) / result.ok) * 1e6
      if (round > 0) {
        turns.get(name).push({
          ...result,
          cpu: micros(own, cpuOf(child.pid)),
          database: micros(database, cpuOfPostgres(postmaster))
        })
      }
    }
  }
  return [...turns].map(([name, results]) => ({
    name,
    ...Object.fromEntries(Object.keys(results[0]).map((key) => [key, median(results.map((result) => result[key]))]))
  }))
}

const report = (what, target, results) => {
  console.log(`\n${what} (${results[0].bytes} bytes an answer)`)
  for (const { name, rps, p50, p99, cpu, database } of results) {
    console.log(
      `  ${name.padEnd(8)} ${rps.toFixed(0).padStart(6)} requests/s   p50 ${p50} ms   p99 ${p99} ms   ` +
        `CPU ${cpu.toFixed(0)} µs + PostgreSQL ${database.toFixed(0)} µs a request`
    )
  }
  const [ours, bare] = results
  console.log(`  ratio    ${(ours.rps / bare.rps).toFixed(2)} (aim ${target})`)
}

const refs = (count, most) => Array.from({ length: count }, (_, i) => `OBS-${1 + Math.floor((i * most) / count)}`)

export const run = async (args) => {
  const count = Number(option(args, "observations", "1000000"))
  const rounds = Number(option(args, "rounds", "2"))
  const only = option(args, "only", "")
  const kept = option(args, "data", undefined)
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), "assay-bench-api-"))
  if (kept === undefined) chmodSync(dataDir, 0o755)
  const started = []
  let client
  try {
    const assay = await start(path("../../bin/assay"), ["serve"], {
      ASSAY_DATA_DIR: dataDir,
      ASSAY_PORT: "0",
      ASSAY_DOCS_PORT: "0",
      ASSAY_ADMIN_PORT: "0",
      ASSAY_LOG_LEVEL: "error",
      ASSAY_BOOTSTRAP_EMAIL: "owner@example.org",
      ASSAY_BOOTSTRAP_PASSWORD: "correct horse battery"
    })
    started.push(assay)
    const connection = await connect(dataDir)
    client = new pg.Client(connection)
    await client.connect()
    const before = performance.now()
    const { workspace, keys, jobs } = await fill(client, count)
    console.log(`${count} observations, filled in ${((performance.now() - before) / 1000).toFixed(0)} s`)
    const bare = await start(path("api/bare.mjs"), [JSON.stringify({ workspace, connection })], {})
    started.push(bare)
    const postmaster = Number((await client.query("SELECT pg_read_file('postmaster.pid', 0, 10) AS pid")).rows[0].pid.split("\n")[0])
    const servers = [
      { name: "assay", ...assay },
      { name: "fastify", ...bare }
    ]
    const settings = {
      connections: Number(option(args, "connections", "32")),
      seconds: Number(option(args, "seconds", "4")),
      keys
    }
    const loads = {
      list: ["list of 50 with locations", 0.8, Array(2).fill("/api/observations?limit=50&include=locations")],
      job: ["job detail", 0.5, jobs.map((id) => `/api/jobs/${id}`)],
      observation: ["observation detail", 0.5, refs(1000, count).map((ref) => `/api/observations/${ref}`)]
    }
    for (const [name, [what, target, paths]] of Object.entries(loads)) {
      if (only !== "" && only !== name) continue
      report(what, target, await compare(servers, postmaster, rounds, { ...settings, paths }))
    }
  } finally {
    await client?.end()
    for (const server of started.reverse()) await stop(server)
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}
