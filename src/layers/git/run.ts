import { Buffer } from "node:buffer"
// Not Effect's Command: we need a process group of its own to kill git with its helpers, and a limit on output bytes.
import { type ChildProcess, spawn } from "node:child_process"
import { Data, Effect } from "effect"
import { behindGit, type GitReach } from "./gitConfinement.ts"

export class GitFailure extends Data.TaggedError("GitFailure")<{
  readonly reason: "exit" | "not_started" | "too_much_output"
  readonly exitCode: number | null
  /** What git said. Holds addresses and paths: for classification, not for people. */
  readonly stderr: string
}> {}

export interface GitCall {
  /** The repository of the call; what it reads from is shown to git, too. */
  readonly gitDir?: string
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  /** What git reads besides the repository, what it writes, and whether it reaches a remote. */
  readonly reach?: Partial<GitReach>
  readonly maxOutputBytes?: number
  /** What git reads from its standard input. */
  readonly input?: Uint8Array
}

const defaultMaxOutputBytes = 16 * 1024 * 1024
const maxStderrBytes = 64 * 1024

const reachOf = ({ gitDir, reach }: GitCall): GitReach => ({
  readable: [...(gitDir === undefined ? [] : [gitDir]), ...(reach?.readable ?? [])],
  writable: reach?.writable ?? [],
  network: reach?.network ?? false
})

/**
 * Runs git, confined to what the call names, and gives its output. Interruption kills git and everything it started, and
 * waits until they are gone.
 */
export const runGit = (call: GitCall): Effect.Effect<Buffer, GitFailure> =>
  Effect.flatMap(behindGit(reachOf(call)), (behind) => runBehind(behind, call))

const runBehind = (behind: ReadonlyArray<string>, call: GitCall) =>
  Effect.async<Buffer, GitFailure>((resume) => {
    const limit = call.maxOutputBytes ?? defaultMaxOutputBytes
    const output: Array<Buffer> = []
    let bytes = 0
    let stderr = ""
    let overflown = false
    const repository = call.gitDir === undefined ? [] : ["--git-dir", call.gitDir]
    const [program, ...args] = [...behind, "git", ...repository, ...call.args]
    const child = spawn(program as string, args, {
      cwd: "/",
      env: call.environment,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"]
    })
    // git may end before it has read everything; its exit code says what became of the call.
    child.stdin.on("error", () => {})
    child.stdin.end(call.input ?? "")
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limit) output.push(chunk)
      else if (!overflown) {
        overflown = true
        killGroup(child)
      }
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < maxStderrBytes) stderr += text
    })
    const closed = new Promise<void>((resolve) => {
      child.once("error", () => {
        resume(Effect.fail(new GitFailure({ reason: "not_started", exitCode: null, stderr: "" })))
        resolve()
      })
      child.once("close", (exitCode) => {
        if (overflown) resume(Effect.fail(new GitFailure({ reason: "too_much_output", exitCode, stderr })))
        else if (exitCode !== 0) resume(Effect.fail(new GitFailure({ reason: "exit", exitCode, stderr })))
        else resume(Effect.succeed(Buffer.concat(output)))
        resolve()
      })
    })
    return Effect.promise(() => {
      killGroup(child)
      return closed
    })
  })

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // Already gone.
  }
}
