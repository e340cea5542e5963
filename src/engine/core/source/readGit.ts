import { Buffer } from "node:buffer"
import { type ChildProcessByStdio, type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { gitEnvironment } from "./gitEnvironment.ts"
import { SourceError } from "./TreeSource.ts"

export interface GitLocation {
  readonly gitDir: string
  readonly workTree?: string
  readonly cwd?: string
  /** Commit whose attributes hold for what git compares, instead of those of whatever is checked out; git 2.41 and later. */
  readonly attributesOf?: string
}

const environmentOf = (location: GitLocation) =>
  gitEnvironment({
    variables: {
      GIT_DIR: location.gitDir,
      ...(location.workTree === undefined ? {} : { GIT_WORK_TREE: location.workTree }),
      ...(location.attributesOf === undefined ? {} : { GIT_ATTR_SOURCE: location.attributesOf })
    }
  })

const stderrLimit = 4096

/** The end of a git process: resolves when it exits cleanly, rejects with its first complaint. */
export const finished = (child: ChildProcessByStdio<null, Readable, Readable> | ChildProcessWithoutNullStreams) => {
  let complaint = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < stderrLimit) complaint += text
  })
  return new Promise<void>((resolve, reject) => {
    child.once("error", () => reject(new SourceError("git_failed", "The git program could not be started.")))
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new SourceError("git_failed", complaintOf(complaint)))
    )
  })
}

const complaintOf = (stderr: string): string => {
  if (/not a git repository|must be run in a work tree/i.test(stderr)) return "This folder is not a git repository."
  if (/index file|bad index|index uses/i.test(stderr)) return "The repository's index cannot be read."
  if (/corrupt|bad object|unable to read tree|not a tree/i.test(stderr)) return "The repository's objects are damaged."
  if (/unknown repository extension|repo version/i.test(stderr))
    return "The repository's format is newer than this git."
  return "The repository could not be read by git."
}

/** Streams the NUL-separated records git prints. Each record is a copy and may be kept. */
export async function* gitRecords(location: GitLocation, args: ReadonlyArray<string>): AsyncGenerator<Buffer> {
  // As a bare repository: attributes in the index, which changes by itself, are not read then.
  const child = spawn("git", location.attributesOf === undefined ? args : ["--bare", ...args], {
    cwd: location.cwd ?? location.gitDir,
    env: environmentOf(location),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const end = finished(child)
  // Awaited below, or irrelevant because the reader left: either way never an unhandled rejection.
  end.catch(() => {})
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of child.stdout) {
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let at = bytes.indexOf(0, start); at !== -1; at = bytes.indexOf(0, start)) {
        yield Buffer.from(bytes.subarray(start, at))
        start = at + 1
      }
      rest = bytes.subarray(start)
    }
    await end
  } finally {
    child.kill("SIGKILL")
  }
}

/** One line of output, or null when git says no. */
export const gitLine = async (location: GitLocation, args: ReadonlyArray<string>): Promise<string | null> => {
  const child = spawn("git", args, {
    cwd: location.cwd ?? location.gitDir,
    env: environmentOf(location),
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output.length < stderrLimit) output += text
  })
  return finished(child).then(
    () => output.trim(),
    () => null
  )
}

export const startBatch = (gitDir: string): ChildProcessWithoutNullStreams =>
  spawn("git", ["cat-file", "--batch", "--buffer"], {
    cwd: gitDir,
    env: environmentOf({ gitDir }),
    stdio: ["pipe", "pipe", "pipe"]
  })
