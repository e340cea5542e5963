import type { Buffer } from "node:buffer"
// Not Effect's Command: the whole tree of processes is measured and killed, and one descriptor more reports its start.
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { constants } from "node:os"
import { Clock, Deferred, type Duration, Effect, Option } from "effect"
import { type Isolation, isolated, isolationProcesses } from "./isolation.ts"
import { holdMoreThan, ProcessTree } from "./processTree.ts"

export interface ProcessLimits {
  readonly timeout: Duration.DurationInput
  /** Of all processes together. */
  readonly memoryMb: number
  readonly maxProcesses: number
  /** Of standard output and error together. */
  readonly outputBytes: number
}

export interface CappedRequest {
  /** Program and arguments. */
  readonly command: ReadonlyArray<string>
  readonly folder: string
  /** Null: outside of namespaces, where the tree is found by parents, groups, sessions and environments. */
  readonly isolation: Isolation | null
  /** All of it; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly input: string | null
  readonly limits: ProcessLimits
  readonly onOutput: (chunk: Buffer, stream: "stdout" | "stderr") => void
}

export type CappedResource = "memory" | "processes" | "output"

/** How a tree of processes ended. In each case none of them is left. */
export type CappedEnd =
  | { readonly status: "exited"; readonly exitCode: number }
  | { readonly status: "timeout" }
  | { readonly status: "resource_limit"; readonly resource: CappedResource }
  /** The program did not start; the message is the system's own. */
  | { readonly status: "not_started"; readonly message: string }

interface Running {
  readonly child: ChildProcess
  /** Null where no process came to be. */
  readonly tree: ProcessTree | null
  readonly exit: Effect.Effect<CappedEnd>
  readonly overflow: Effect.Effect<CappedEnd>
  /** All output has been read. */
  readonly closed: Effect.Effect<void>
  /** What is known of the start of the command itself. */
  readonly launch: { started: boolean; stderr: string }
}

const signalled = 128
const maxMessage = 2000
const pollMillis = 100
const killInterval = "10 millis"
const patience = "30 seconds"

const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? signalled + (signal === null ? 0 : constants.signals[signal])

const markName = "ASSAY_PROCESS_TREE"

const spawned = (request: CappedRequest, mark: string): ChildProcess => {
  const { command, folder, isolation, environment } = request
  const env = { ...environment, [markName]: mark }
  return isolation === null
    ? spawn("/bin/sh", ["-c", 'ulimit -c 0; exec "$@"', "sh", ...command], {
        cwd: folder,
        env,
        detached: true,
        stdio: ["pipe", "pipe", "pipe"]
      })
    : spawn("setpriv", isolated(isolation, command), {
        cwd: "/",
        env,
        detached: true,
        stdio: ["pipe", "pipe", "pipe", "pipe"]
      })
}

const start = (request: CappedRequest): Effect.Effect<Running> =>
  Effect.gen(function* () {
    const exit = yield* Deferred.make<CappedEnd>()
    const overflow = yield* Deferred.make<CappedEnd>()
    const closed = yield* Deferred.make<void>()
    const mark = randomUUID()
    const child = spawned(request, mark)
    const launch = { started: request.isolation === null, stderr: "" }
    let bytes = 0
    const receive = (stream: "stdout" | "stderr") => (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > request.limits.outputBytes) {
        Deferred.unsafeDone(overflow, Effect.succeed({ status: "resource_limit", resource: "output" }))
        return
      }
      if (!launch.started && stream === "stderr") {
        launch.stderr = (launch.stderr + chunk.toString("utf8")).slice(-maxMessage)
      }
      request.onOutput(chunk, stream)
    }
    child.stdout?.on("data", receive("stdout"))
    child.stderr?.on("data", receive("stderr"))
    child.stdio[3]?.on("data", () => {
      launch.started = true
    })
    child.once("error", ({ message }) => {
      Deferred.unsafeDone(exit, Effect.succeed({ status: "not_started", message }))
      Deferred.unsafeDone(closed, Effect.void)
    })
    child.once("exit", (code, signal) =>
      Deferred.unsafeDone(exit, Effect.succeed({ status: "exited", exitCode: exitCodeOf(code, signal) }))
    )
    child.once("close", () => Deferred.unsafeDone(closed, Effect.void))
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(request.input ?? "")
    return {
      child,
      tree: child.pid === undefined ? null : new ProcessTree(child.pid, `${markName}=${mark}`),
      exit: Deferred.await(exit),
      overflow: Deferred.await(overflow),
      closed: Deferred.await(closed),
      launch
    }
  })

/**
 * Polls: what the kernel does not limit by itself is noticed within a tenth of a second. Where looking takes long, because
 * there are thousands of processes or the machine is busy, it takes at most a quarter of the time.
 */
const excess = ({ tree }: Running, { limits, isolation }: CappedRequest): Effect.Effect<CappedEnd> =>
  Effect.gen(function* () {
    const own = isolation === null ? 0 : isolationProcesses
    for (let pause = pollMillis; ; ) {
      yield* Effect.sleep(pause)
      const startedAt = yield* Clock.currentTimeMillis
      const entries = tree?.members() ?? []
      if (entries.length - own > limits.maxProcesses) return { status: "resource_limit", resource: "processes" }
      if (holdMoreThan(limits.memoryMb * 1024 * 1024, entries)) return { status: "resource_limit", resource: "memory" }
      pause = Math.max(pollMillis, 3 * ((yield* Clock.currentTimeMillis) - startedAt))
    }
  })

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Already gone.
  }
}

/**
 * Kills what is left, first all but the first process: as long as that one is there, it reaps what dies. A process may
 * start others while it is looked for, so this goes on until none is found.
 */
const killWhole = ({ child, tree }: Running, isolation: Isolation | null): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (tree === null) return
    for (let round = 0; ; round++) {
      const left = tree.members(isolation === null).filter(({ isZombie }) => !isZombie)
      if (left.length === 0) return
      const others = left.filter(({ pid }) => pid !== child.pid)
      for (const { pid } of round === 0 && others.length > 0 ? others : left) kill(pid)
      yield* Effect.sleep(killInterval)
    }
  }).pipe(
    Effect.timeoutOption(patience),
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.logWarning(`Processes started by ${child.pid} could not be killed.`),
        onSome: () => Effect.void
      })
    )
  )

/** A process that no one can see may hold the output open. */
const drained = ({ child, closed }: Running): Effect.Effect<void> =>
  Effect.asVoid(
    Effect.zipRight(
      Effect.timeoutOption(closed, patience),
      Effect.sync(() => {
        for (const stream of child.stdio) stream?.destroy()
      })
    )
  )

/**
 * Runs a program with everything it starts, under caps. Whatever ends it (itself, a cap, an interruption), afterwards all
 * of its processes are gone and all of its output has been handed over.
 */
export const runCapped = (request: CappedRequest): Effect.Effect<CappedEnd> =>
  Effect.acquireUseRelease(
    start(request),
    (running) =>
      Effect.raceAll([running.exit, running.overflow, excess(running, request)]).pipe(
        Effect.timeoutTo({
          duration: request.limits.timeout,
          onSuccess: (end): CappedEnd => end,
          onTimeout: (): CappedEnd => ({ status: "timeout" })
        }),
        Effect.map((end) => ({ end, launch: running.launch }))
      ),
    (running) => Effect.zipRight(killWhole(running, request.isolation), drained(running))
  ).pipe(
    Effect.map(
      ({ end, launch }): CappedEnd =>
        end.status === "exited" && !launch.started ? { status: "not_started", message: launch.stderr.trim() } : end
    )
  )
