import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const launcher = fileURLToPath(new URL("../../bin/assay", import.meta.url))

export interface CommandOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs `assay` with these arguments to its end; ended with the scope of the caller if that is sooner. */
export const assay = (args: ReadonlyArray<string>, options: CommandOptions = {}): Effect.Effect<CommandOutcome> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, [launcher, ...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { PATH: process.env.PATH ?? "", XDG_CACHE_HOME: join(tmpdir(), "assay-test-cache"), ...options.env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.on("close", (status) => resume(Effect.succeed({ status, stdout, stderr })))
    return Effect.sync(() => child.kill())
  })
