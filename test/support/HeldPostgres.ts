import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Schedule } from "effect"
import { commandLineOf, isAlive } from "../../src/layers/postgres/Processes.ts"

const program = fileURLToPath(new URL("./holdPostgres.mjs", import.meta.url))

export interface Answer {
  readonly data?: string
  readonly reason?: string
  readonly message?: string
  readonly pid?: number
}

const firstLine = (child: ChildProcess) =>
  Effect.async<Answer>((resume) => {
    let errors = ""
    child.stderr?.on("data", (chunk) => {
      errors += chunk
    })
    createInterface({ input: child.stdout! }).once("line", (line) => resume(Effect.succeed(JSON.parse(line))))
    child.once("exit", (code) => resume(Effect.dieMessage(`the holder ended (${code}): ${errors}`)))
  })

/** Starts the embedded server in a process of its own; `answer` is its connection or why it rejected. */
export const holdPostgres = (dataDir: string) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [program, dataDir], { stdio: ["ignore", "pipe", "pipe"] })),
      (child) =>
        Effect.sync(() => {
          child.kill("SIGKILL")
        })
    )
    return { pid: child.pid!, answer: yield* firstLine(child) }
  })

/** Waits, in real time, until something is so. */
export const eventually = (what: string, test: () => boolean) =>
  Effect.suspend(() => (test() ? Effect.void : Effect.fail(what))).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo("5 minutes")) }),
    Effect.orDieWith((what) => new Error(`never: ${what}`))
  )

export const isGone = (pid: number) => !isAlive(pid)

/** The process that stops the postmaster `pid` should its owner die. */
export const guardOf = (pid: number): number | undefined => {
  // Slim images have no ps.
  const list =
    process.platform === "linux"
      ? readdirSync("/proc").map((name) => `${name} ${commandLineOf(Number(name)).trim()}`)
      : spawnSync("ps", ["-Ao", "pid=,args="], { encoding: "utf8" }).stdout.split("\n")
  const line = list.find((line) => line.endsWith(`assay-postgres-guard ${pid}`))
  return line === undefined ? undefined : Number.parseInt(line, 10)
}

export const postmasterOf = (data: string): number =>
  Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10)
