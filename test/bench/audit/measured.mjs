import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"

const TICKS_PER_SECOND = 100

/** Of a process that is running; Linux only. */
const look = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
    return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, memory: Number(peak?.[1] ?? 0) / 1000 }
  } catch {
    return null
  }
}

/** A command from its start to its end: what it printed, wall and processor seconds, and its most memory in MB. */
export const measured = (command, args, { input = "", cwd, env } = {}) =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    let last = { cpu: 0, memory: 0 }
    const note = () => {
      const { cpu, memory } = look(child.pid) ?? last
      // What is left of a process that has ended has no memory.
      last = { cpu, memory: Math.max(memory, last.memory) }
    }
    const watch = setInterval(note, 10)
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk
      note()
    })
    child.on("error", reject)
    child.on("close", () => {
      clearInterval(watch)
      resolve({ output, seconds: (performance.now() - started) / 1000, ...last })
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
  })
