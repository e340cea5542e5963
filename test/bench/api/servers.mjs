import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { runningEmbeddedPostgres } from "../../../dist/layers/EmbeddedPostgres.js"
import { ensureBuilt } from "../../../scripts/build.mjs"
import { fill } from "./fill.mjs"

// Servers under load, each in a process of its own, and what they cost.

export const option = (args, name, fallback) =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

/** How long a turn is: `--seconds`, or by `--requests` how many it has, which a busy machine does not change. */
export const extentOf = (args, seconds) => {
  const amount = option(args, "requests", undefined)
  const warm = option(args, "warm", undefined)
  return {
    seconds: Number(option(args, "seconds", seconds)),
    amount: amount === undefined ? undefined : Number(amount),
    warm: warm === undefined ? undefined : Number(warm)
  }
}

const beside = (name) => fileURLToPath(new URL(name, import.meta.url))

/** A child that announces itself with one line of JSON. */
export const start = (file, args, env) =>
  new Promise((resolve, reject) => {
    // As `npm start` does; the bare handler gets the same.
    const child = spawn(process.execPath, ["--max-semi-space-size=64", file, ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)))
    createInterface({ input: child.stdout }).once("line", (line) => resolve({ child, ...JSON.parse(line) }))
  })

export const stop = ({ child }) =>
  new Promise((resolve) => {
    child.removeAllListeners("exit")
    child.once("exit", resolve)
    child.kill("SIGTERM")
  })

/** What one load of `load.mjs` comes to. */
export const loaded = (settings) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [beside("load.mjs")], { stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.once("close", (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error("the load failed"))))
    child.stdin.end(JSON.stringify(settings))
  })

/** The fields of a process after its name, zeros when it has ended; Linux only. */
const statOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").map(Number)
  } catch {
    return Array(20).fill(0)
  }
}

/** User and system CPU seconds of a process so far. */
export const cpuOf = (pid) => (statOf(pid)[11] + statOf(pid)[12]) / 100

/** The same of its children that have ended. */
const cpuOfEnded = (pid) => (statOf(pid)[13] + statOf(pid)[14]) / 100

const parentOf = (pid) => statOf(pid)[1]

/** The same of all processes of a PostgreSQL server, those that have ended included: the postmaster waits for each. */
export const cpuOfPostgres = (postmaster) =>
  (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    .reduce((sum, pid) => sum + cpuOf(pid), cpuOf(postmaster) + cpuOfEnded(postmaster))

const connect = async (dataDir) => {
  const running = await Effect.runPromise(runningEmbeddedPostgres(dataDir))
  const { host, port, user, database, password } = running.connection
  return { host, port, user, database, password: Redacted.value(password) }
}

/** Of the last minute, five and fifteen. */
export const machineLoad = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(", ")

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2
}

const figures = ["bytes", "rps", "p50", "p99", "cpu", "database"]

/** The share of failed requests above which the figures of a turn say nothing. */
const mostFailures = 0.01

/**
 * Loads all in turn, several times; one untimed turn first. `keysOf` gives the keys of one turn. `warm` is how many requests
 * the untimed turn has, instead of its seconds: on a busy machine these are too few for the compiler.
 */
export const compare = async (servers, postmaster, rounds, { keysOf, warm, ...settings }) => {
  const turns = new Map(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, api, child } of servers) {
      const [own, database] = [cpuOf(child.pid), cpuOfPostgres(postmaster)]
      const amount = round === 0 && warm !== undefined ? warm : settings.amount
      const result = await loaded({ ...settings, amount, keys: keysOf(), url: api })
      const requests = result.ok + result.failed
      if (result.failed > requests * mostFailures) {
        throw new Error(
          `${result.failed} of ${requests} requests of ${name} failed: ${JSON.stringify(result.statuses)}`
        )
      }
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
    ...Object.fromEntries(figures.map((key) => [key, median(results.map((result) => result[key]))])),
    failed: results.reduce((sum, { failed }) => sum + failed, 0)
  }))
}

export const report = (what, aim, results) => {
  console.log(`\n${what} (${results[0].bytes} bytes an answer)`)
  for (const { name, rps, p50, p99, cpu, database, failed } of results) {
    console.log(
      `  ${name.padEnd(9)} ${rps.toFixed(0).padStart(6)} requests/s   p50 ${p50} ms   p99 ${p99} ms   ` +
        `CPU ${cpu.toFixed(0)} µs + PostgreSQL ${database.toFixed(0)} µs a request   ${failed} failed`
    )
  }
  const [ours, bare] = results
  if (bare === undefined) return
  const cpuRatio = (bare.cpu + bare.database) / (ours.cpu + ours.database)
  console.log(
    `  ratio     ${(ours.rps / bare.rps).toFixed(2)}${aim}, by CPU ${cpuRatio.toFixed(2)}, of the servers alone ${(bare.cpu / ours.cpu).toFixed(2)}; load ${machineLoad()}`
  )
}

/** The program as it is installed, or unbundled with a record of its statements. */
const programFor = (statements) => {
  if (statements === undefined) return { file: beside("../../../bin/assay"), env: {} }
  const problem = ensureBuilt()
  if (problem !== null) throw new Error(problem)
  const recorder = `--import=${new URL("recordStatements.mjs", import.meta.url)}`
  return {
    file: beside("../../../dist/main.js"),
    env: { BENCH_STATEMENTS: statements, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${recorder}` }
  }
}

const newDataDir = () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-api-"))
  chmodSync(folder, 0o755)
  return folder
}

/** Who may sign in to a server that was just started, and where it listens. */
export const fresh = {
  ASSAY_PORT: "0",
  ASSAY_DOCS_PORT: "0",
  ASSAY_ADMIN_PORT: "0",
  ASSAY_LOG_LEVEL: "error",
  ASSAY_BOOTSTRAP_EMAIL: "owner@example.org",
  ASSAY_BOOTSTRAP_PASSWORD: "correct horse battery"
}

/**
 * Assay on its embedded PostgreSQL, for as long as `use` takes. `--data=folder` is kept and used again. `statements` is the
 * file that gets a record of each statement, `env` has further variables of the server.
 */
export const withAssay = async (args, use, { statements, env = {} } = {}) => {
  const kept = option(args, "data", undefined)
  const dataDir = kept ?? newDataDir()
  const started = []
  const startBeside = async (file, ...rest) => {
    const server = await start(file, rest, {})
    started.push(server)
    return server
  }
  let client
  try {
    const program = programFor(statements)
    const assay = await start(program.file, ["serve"], {
      ...program.env,
      ASSAY_DATA_DIR: dataDir,
      ...fresh,
      ...env
    })
    started.push(assay)
    const connection = await connect(dataDir)
    client = new pg.Client(connection)
    await client.connect()
    const { rows } = await client.query("SELECT pg_read_file('postmaster.pid', 0, 10) AS pid")
    const postmaster = Number(rows[0].pid.split("\n")[0])
    await use({ assay, client, connection, postmaster, startBeside, statements })
  } finally {
    await client?.end()
    for (const server of started.reverse()) await stop(server)
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The same, with many observations in it; a kept folder that is filled is used again. */
export const withFilledAssay = (args, use, { keyCount = 0, statements } = {}) =>
  withAssay(
    args,
    async (running) => {
      const count = Number(option(args, "observations", "1000000"))
      const before = performance.now()
      const filled = await fill(running.client, count, keyCount)
      console.log(`${count} observations, filled in ${((performance.now() - before) / 1000).toFixed(0)} s`)
      await use({ ...running, ...filled, count })
    },
    { statements }
  )

/** The refs of observations all over the table. */
export const refs = (count, most) =>
  Array.from({ length: count }, (_, i) => `OBS-${1 + Math.floor((i * most) / count)}`)
