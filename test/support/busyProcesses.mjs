import { spawn } from "node:child_process"

/** Works until its parent is gone or a bounded time has passed, whichever is first: a test that dies leaves none behind. */
const busy = `
const parent = process.ppid
const end = Date.now() + 600_000
let work = 0
while (Date.now() < end && process.ppid === parent) for (let i = 0; i < 1e7; i++) work = (work * 31 + i) | 0
`

/** Runs beside that many processes that never pause, and ends them, each by its own id. */
export const besideBusyProcesses = async (count, run) => {
  const processes = Array.from({ length: count }, () => spawn(process.execPath, ["-e", busy], { stdio: "ignore" }))
  try {
    return await run()
  } finally {
    for (const child of processes) child.kill("SIGKILL")
  }
}
