import { spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import type { Account } from "./Account.ts"

const linux = process.platform === "linux"

const quietly = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

const statOf = (pid: number): ReadonlyArray<string> | undefined =>
  quietly(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  })

/** False for a zombie: in a container no process may ever reap it. */
export const isAlive = (pid: number): boolean => {
  if (linux) {
    const stat = statOf(pid)
    return stat !== undefined && stat[0] !== "Z" && stat[0] !== "X"
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Distinguishes a process from a later one with the same pid; empty where the platform does not report it. */
export const startOf = (pid: number): string => {
  if (linux) {
    const boot = quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())
    return `${boot ?? ""} ${statOf(pid)?.[19] ?? ""}`
  }
  if (process.platform === "win32") return ""
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? ""
}

/** The command line of a process; empty when it is gone. */
export const commandLineOf = (pid: number): string => {
  if (linux) return quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")) ?? ""
  if (process.platform === "win32") {
    const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`
    return spawnSync("powershell", ["-NoProfile", "-Command", query], { encoding: "utf8" }).stdout?.trim() ?? ""
  }
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? ""
}

/** What a spawned postgres program needs to run as `account`, in a plain environment. */
export const runAs = (account: Account | undefined) => ({
  cwd: process.platform === "win32" ? process.cwd() : "/",
  // Nothing of ours goes in: the environment of a service holds secrets.
  env: {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    TEMP: process.env.TEMP,
    LC_ALL: "C",
    TZ: "UTC"
  },
  ...(account === undefined ? {} : { uid: account.uid, gid: account.gid })
})

export interface Finished {
  /** `undefined` when the program could not be started; `output` says why. */
  readonly code: number | undefined
  readonly output: string
}

/** Runs a short program to its end; killed on interruption. */
export const run = (program: string, args: ReadonlyArray<string>, account: Account | undefined) =>
  Effect.async<Finished>((resume) => {
    let output = ""
    const child = spawn(program, args, { ...runAs(account), stdio: ["ignore", "pipe", "pipe"] })
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-8000)
    }
    child.stdout.on("data", collect)
    child.stderr.on("data", collect)
    child.once("error", (error) => resume(Effect.succeed({ code: undefined, output: error.message })))
    child.once("close", (code) => resume(Effect.succeed({ code: code ?? -1, output: output.trim() })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })
