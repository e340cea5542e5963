// Looks at the arguments and the environment of every process again and again, until a message arrives.
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { basename } from "node:path"
import { parentPort, workerData } from "node:worker_threads"

/** Shorter than any program of git takes, so that none comes and goes between two rounds. */
const PAUSE_MS = 2
/** A process that becomes another program does so early: in these rounds it is looked at each time, later in every such one. */
const YOUNG_ROUNDS = 100

const forms = workerData.forms.map((form) => Buffer.from(form))
const found = new Set()
const programs = new Set()
/** By process: the round in which it was first seen, and its arguments as they were last. */
const known = new Map()
let rounds = 0

const read = (path) => {
  try {
    return readFileSync(path)
  } catch {
    // The process has ended, or is another user's.
    return Buffer.alloc(0)
  }
}

const programOf = (pid) => {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return "?"
  }
}

const commandOf = (pid) => read(`/proc/${pid}/cmdline`)

/** Gives the arguments of the program that was looked at. */
const inspect = (pid) => {
  let command = commandOf(pid)
  let environment = read(`/proc/${pid}/environ`)
  // Between the two reads it may have become another program; one that has ended is what it was.
  for (let now = commandOf(pid); now.length > 0 && !now.equals(command); now = commandOf(pid)) {
    command = now
    environment = read(`/proc/${pid}/environ`)
  }
  const words = command.toString().replaceAll("\0", " ").trim()
  if (command.length > 0) programs.add(`${programOf(pid)} ${words}`)
  for (const [name, content] of Object.entries({ cmdline: command, environ: environment })) {
    if (forms.some((form) => content.includes(form))) found.add(`${name} of ${words}`)
  }
  return command
}

const look = (pid) => {
  const earlier = known.get(pid)
  if (earlier === undefined) return void known.set(pid, { since: rounds, command: inspect(pid) })
  const age = rounds - earlier.since
  if (age >= YOUNG_ROUNDS && age % YOUNG_ROUNDS !== 0) return
  if (!commandOf(pid).equals(earlier.command)) earlier.command = inspect(pid)
}

let isDone = false
parentPort.once("message", () => {
  isDone = true
})

const round = () => {
  const pids = new Set(readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
  for (const pid of known.keys()) if (!pids.has(pid)) known.delete(pid)
  for (const pid of pids) look(pid)
  rounds++
  if (rounds === 1) parentPort.postMessage("started")
  if (isDone) parentPort.postMessage({ found: [...found], programs: [...programs] })
  else setTimeout(round, PAUSE_MS)
}

round()
