import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Deferred, Duration, Effect, Runtime } from "effect"
import type { Account } from "./Account.ts"
import type { Binaries } from "./Binaries.ts"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { commandLineOf, isAlive, run, runAs } from "./Processes.ts"

export interface PostmasterOptions {
  readonly binaries: Binaries
  readonly account: Account | undefined
  readonly data: string
  /** Folder of the Unix socket; `undefined` = a TCP port on the loopback. */
  readonly sockets: string | undefined
  readonly port: number
  readonly durable: boolean
}

const quoted = (folder: string) => `"${folder.replaceAll('"', '""')}"`

const flags = ({ account, data, sockets, port, durable }: PostmasterOptions): ReadonlyArray<string> => {
  const enforced = {
    listen_addresses: sockets === undefined ? "127.0.0.1" : "",
    unix_socket_directories: sockets === undefined ? "" : quoted(sockets),
    unix_socket_permissions: "0700",
    // Elsewhere, its segments are files in a folder that every process of the account may open.
    ...(account === undefined ? {} : { dynamic_shared_memory_type: "mmap" }),
    logging_collector: "off",
    log_destination: "stderr",
    log_line_prefix: "",
    // Failed statements reach their caller; in our log they would show the values of a tenant.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" })
  }
  return [
    "-D",
    data,
    "-p",
    String(port),
    ...Object.entries(enforced).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  ]
}

type Shutdown = "INT" | "QUIT" | "KILL"

/** A signal as postgres knows it: on Windows pg_ctl delivers it. */
const send = (pid: number, signal: Shutdown, { pgCtl }: Binaries, account: Account | undefined) =>
  process.platform === "win32"
    ? Effect.asVoid(run(pgCtl, ["kill", signal, String(pid)], account))
    : Effect.ignore(attempt("signalling", () => process.kill(pid, `SIG${signal}`)))

/** Fast shutdown, then ever less polite; `gone` ends when the process has. */
const stop = (pid: number, gone: Effect.Effect<unknown>, binaries: Binaries, account: Account | undefined) =>
  Effect.gen(function* () {
    for (const [signal, patience] of [
      ["INT", 20],
      ["QUIT", 5],
      ["KILL", 5]
    ] as const) {
      yield* send(pid, signal, binaries, account)
      const ended = yield* Effect.timeoutOption(Effect.interruptible(gone), Duration.seconds(patience))
      if (ended._tag === "Some") return
      yield* Effect.logWarning(`PostgreSQL (process ${pid}) did not stop on SIG${signal} within ${patience} s.`)
    }
  })

/**
 * Sends the fast-shutdown signal when our end of its pipe closes, which is also what a `kill -9` of us does. Plain `sh`,
 * so that it costs next to nothing.
 */
const guard = (pid: number, account: Account | undefined): ChildProcess | undefined => {
  if (process.platform === "win32") return undefined
  const script = 'while read -r line; do [ "$line" = stopped ] && exit 0; done; kill -INT "$1"'
  const child = spawn("/bin/sh", ["-c", script, "assay-postgres-guard", String(pid)], {
    ...runAs(account),
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  child.on("error", () => undefined)
  child.stdin?.on("error", () => undefined)
  child.unref()
  return child
}

const ready = "database system is ready to accept connections"

/** Starts the server and waits until it accepts connections; stopped when the scope closes. */
export const postmaster = (options: PostmasterOptions) =>
  Effect.gen(function* () {
    const { binaries, account } = options
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const accepts = yield* Deferred.make<void, EmbeddedPostgresError>()
    const exited = yield* Deferred.make<string>()
    const lastLines: Array<string> = []

    const start = Effect.sync(() => {
      const child = spawn(binaries.postgres, flags(options), {
        ...runAs(account),
        // A Ctrl-C goes to the whole foreground group: the database has to outlive what drains into it.
        detached: true,
        windowsHide: true,
        stdio: ["ignore", "ignore", "pipe"]
      })
      const watch = child.pid === undefined ? undefined : guard(child.pid, account)
      const ended = (how: string) => {
        watch?.stdin?.end("stopped\n")
        Deferred.unsafeDone(exited, Effect.succeed(how))
        const message = `PostgreSQL did not start (${how}). ${lastLines.join(" ")}`
        Deferred.unsafeDone(accepts, new EmbeddedPostgresError({ reason: "failed", message }))
      }
      createInterface({ input: child.stderr }).on("line", (line) => {
        lastLines.push(line)
        if (lastLines.length > 30) lastLines.shift()
        if (line.includes(ready)) Deferred.unsafeDone(accepts, Effect.void)
        runFork(line.startsWith("PANIC") ? Effect.logError(line) : Effect.logDebug(line))
      })
      child.once("error", (error) => ended(error.message))
      child.once("close", (code, signal) => ended(signal ?? `exit code ${code}`))
      return child
    })
    const child = yield* Effect.acquireRelease(start, (child) =>
      Effect.gen(function* () {
        if (child.pid === undefined || (yield* Deferred.isDone(exited))) return
        yield* stop(child.pid, Deferred.await(exited), binaries, account)
      })
    )
    yield* Deferred.await(accepts).pipe(
      Effect.timeoutFail({
        duration: "2 minutes",
        onTimeout: () =>
          new EmbeddedPostgresError({
            reason: "failed",
            message: `PostgreSQL was not ready after two minutes. ${lastLines.join(" ")}`
          })
      })
    )
    return { pid: child.pid, exited: Deferred.await(exited) }
  })

/** Null where there is none: a server that goes down removes its own at any moment. */
const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
    throw error
  }
}

const leftBehind = (data: string) => {
  const file = join(data, "postmaster.pid")
  const text = textOf(file)
  if (text === null) return undefined
  const [pid, directory = "", ...rest] = text.split("\n")
  return Number.isInteger(Number(pid)) && Number(pid) > 0 ? { file, pid: Number(pid), directory, rest } : undefined
}

const gone = (pid: number): Effect.Effect<void> =>
  Effect.suspend(() => (isAlive(pid) ? Effect.delay(gone(pid), "30 millis") : Effect.void))

/**
 * Stops a server that an earlier start left running, and sees to it that the pid it noted does not block the next one when
 * that number meanwhile belongs to another process.
 */
export const stopOrphan = (data: string, binaries: Binaries, account: Account | undefined) =>
  Effect.gen(function* () {
    const found = yield* attempt(`reading the lock in ${data}`, () => leftBehind(data))
    if (found === undefined || !isAlive(found.pid)) return
    const command = commandLineOf(found.pid)
    if (command.includes("postgres") && command.includes(` -D ${found.directory} `)) {
      yield* Effect.logWarning(`An earlier run left PostgreSQL running (process ${found.pid}); stopping it.`)
      yield* stop(found.pid, gone(found.pid), binaries, account)
      if (!isAlive(found.pid)) return
      return yield* new EmbeddedPostgresError({
        reason: "failed",
        pid: found.pid,
        message: `PostgreSQL of an earlier run (process ${found.pid}) does not stop.`
      })
    }
    // Postgres takes a file with its parent's pid, ours, for stale and still checks that no backend is left; without the
    // file it would not check.
    yield* attempt(`correcting ${found.file}`, () =>
      writeFileSync(found.file, [process.pid, found.directory, ...found.rest].join("\n"))
    )
  })
