import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"

const TICKS_PER_SECOND = 100

const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")

/** Processor time of all processes that were started here and have ended, with what they started; Linux only. */
const endedCpu = () => {
  try {
    const fields = statOf("self")
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** Most memory of a process that is running, in MB; Linux only. */
const peakMemory = (pid) => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

/**
 * A command from its start to its end: what it printed, wall and processor seconds (with all it started), and its most
 * memory in MB. One at a time. It is ended and fails when it takes longer than `limitMs`.
 */
export const measured = (command, args, { input = "", cwd, env, limitMs } = {}) =>
  new Promise((resolve, reject) => {
    const [started, cpuBefore] = [performance.now(), endedCpu()]
    const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    let memory = 0
    const note = () => {
      // What is left of a process that has ended has no memory.
      memory = Math.max(memory, peakMemory(child.pid))
    }
    const watch = setInterval(note, 10)
    const stop = limitMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), limitMs)
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk
      note()
    })
    child.on("error", reject)
    child.on("close", (_, signal) => {
      clearInterval(watch)
      clearTimeout(stop)
      if (signal !== null) return reject(new Error(`${command} was ended by ${signal}`))
      resolve({ output, seconds: (performance.now() - started) / 1000, cpu: endedCpu() - cpuBefore, memory })
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
  })
