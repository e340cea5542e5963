import { existsSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { cpuOf, cpuOfPostgres, machineLoad } from "./servers.mjs"

// What requests cost when one caller sends them in turn: the whole request, and the statements within it.

/** A file for the record of a server's statements. */
export const statementsFile = () => join(mkdtempSync(join(tmpdir(), "assay-bench-statements-")), "statements.jsonl")

const now = () => performance.timeOrigin + performance.now()

const at = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

const get = async (url, key) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

/** The path of a later page of a list. */
export const laterPage = async (api, path, key, pages) => {
  const join = path.includes("?") ? "&" : "?"
  let cursor = null
  for (let page = 1; page < pages; page++) {
    const answer = await get(
      `${api}${path}${cursor === null ? "" : `${join}cursor=${encodeURIComponent(cursor)}`}`,
      key
    )
    cursor = answer.next_cursor
  }
  return `${path}${join}cursor=${encodeURIComponent(cursor)}`
}

const recorded = (file) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : []

// The recorder writes every 50 ms.
const untilWritten = () => new Promise((resolve) => setTimeout(resolve, 150))

/** What follows the last change of a connection's reach: the caller is known from then on. */
const afterAdmission = (statements) =>
  statements.slice(statements.findLastIndex(({ text }) => text.startsWith("SELECT set_config(")) + 1)

/** Planning and execution of a statement for a request's role and reach, in ms: the least of some runs. */
const plannedAndExecuted = async ({ connection, workspace }, statements) => {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query("SET ROLE assay_service")
  await client.query("SELECT set_config('assay.workspace', $1, false), set_config('assay.hidden', '{}', false)", [
    workspace
  ])
  const least = { planning: 0, execution: 0 }
  for (const { text, values } of statements) {
    const runs = []
    for (let run = 0; run < 5; run++) {
      const { rows } = await client.query({ text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values })
      runs.push(rows[0]["QUERY PLAN"][0])
    }
    // The connection keeps the plan of a prepared one.
    if (!text.startsWith("/* prepared */")) least.planning += Math.min(...runs.map((run) => run["Planning Time"]))
    least.execution += Math.min(...runs.map((run) => run["Execution Time"]))
  }
  await client.end()
  return least
}

const untimed = 5

/**
 * One line for a path: rows, the whole request, the server's wait for its statements (both p50 and p95), how many these
 * are, CPU of the server and of PostgreSQL a request, and the reading statements' plans by EXPLAIN.
 */
export const measure = async (running, { name, path, keys, rounds }) => {
  const { assay, postmaster, statements } = running
  const windows = []
  let rows = 0
  let before = [0, 0]
  for (let round = 0; round < rounds + untimed; round++) {
    // The first ones plan statements and compile encoders.
    if (round === untimed) before = [cpuOf(assay.child.pid), cpuOfPostgres(postmaster)]
    const start = now()
    const answer = await get(`${assay.api}${path}`, keys[round % keys.length])
    rows = answer.data?.length ?? 1
    if (round >= untimed) windows.push([start, now()])
  }
  const cpu = [cpuOf(assay.child.pid) - before[0], cpuOfPostgres(postmaster) - before[1]]
  await untilWritten()
  const found = recorded(statements)
  const within = windows.map(([start, end]) => found.filter(({ at }) => at >= start && at <= end))
  const http = windows.map(([start, end]) => end - start)
  const waits = within.map((list) => list.reduce((sum, { ms }) => sum + ms, 0))
  const counts = within.map((list) => list.length)
  const plans = await plannedAndExecuted(running, afterAdmission(within.at(-1)))
  const ms = (value) => value.toFixed(1).padStart(7)
  const each = (seconds) => ms((seconds / rounds) * 1000)
  console.log(
    `${name.padEnd(36)} ${String(rows).padStart(4)} ${ms(at(http, 0.5))} ${ms(at(http, 0.95))} ${ms(at(waits, 0.5))} ` +
      `${ms(at(waits, 0.95))} ${String(at(counts, 0.5)).padStart(4)} ${each(cpu[0])} ${each(cpu[1])} ` +
      `${ms(plans.planning)} ${ms(plans.execution)}`
  )
}

export const heading = () =>
  console.log(
    `${"".padEnd(36)} rows    HTTP     p95   waits     p95    n  server    PG CPU  planned executed   (ms; load ${machineLoad()})`
  )
