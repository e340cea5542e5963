// Looks at the arguments and the environment of every process again and again, until a message arrives.
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { basename } from "node:path"
import { parentPort, workerData } from "node:worker_threads"

const forms = workerData.forms.map((form) => Buffer.from(form))
const found = new Set()
const programs = new Set()
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
}

let isDone = false
parentPort.once("message", () => {
  isDone = true
})

const round = () => {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) inspect(pid)
  rounds++
  if (rounds === 1) parentPort.postMessage("started")
  if (isDone) parentPort.postMessage({ found: [...found], programs: [...programs], rounds })
  else setImmediate(round)
}

round()
