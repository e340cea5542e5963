import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Data, Duration, Effect, Option, Queue, Schema } from "effect"
import { builtFile } from "./builtFile.ts"
import { ScanResult } from "./ScanResult.ts"
import type { ScanErrorReason, ScanMessage, ScanRequest } from "./scanRequest.ts"

/** The message is for a person; the reason decides how a job failed. */
export class ScanError extends Data.TaggedError("ScanError")<{
  readonly reason: ScanErrorReason
  readonly message: string
}> {}

export interface ScanLimits {
  readonly wallTime: Duration.DurationInput
  readonly maxRssBytes: number
  readonly maxHeapMb: number
}

const defaultScanLimits: ScanLimits = {
  wallTime: "10 minutes",
  maxRssBytes: 1_000_000_000,
  maxHeapMb: 512
}

export type ScanEvent = Extract<ScanMessage, { type: "stage" | "progress" | "cost" }>

type ProcessMessage = ScanMessage | { readonly type: "exit"; readonly code: number | null; readonly stderr: string }

const decodeResult = Schema.decodeUnknown(ScanResult)
const MAX_STDERR = 4_000

/** Nothing of ours but what running git and node needs: the audited repository must not find a secret in here. */
const scrubbedEnvironment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"] as const
  const environment: NodeJS.ProcessEnv = { LANG: "C.UTF-8", NODE_NO_WARNINGS: "1" }
  for (const name of kept) if (process.env[name] !== undefined) environment[name] = process.env[name]
  return environment
}

const start = (request: ScanRequest, limits: ScanLimits, messages: Queue.Queue<ProcessMessage>) =>
  Effect.suspend(() => {
    const entry = builtFile(import.meta.url, "scan-process")
    if (entry === null) return Effect.dieMessage("The project is not built: dist/ has no scanning process.")
    const child = spawn(process.execPath, [`--max-old-space-size=${limits.maxHeapMb}`, fileURLToPath(entry)], {
      env: scrubbedEnvironment(),
      stdio: ["pipe", "pipe", "pipe"]
    })
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-MAX_STDERR)
    })
    const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
    lines.on("line", (line) => Queue.unsafeOffer(messages, parseLine(line)))
    // "close" comes after all output has been read; "error" when there is no process at all.
    child.on("close", (code) => Queue.unsafeOffer(messages, { type: "exit", code, stderr }))
    child.on("error", (error) => Queue.unsafeOffer(messages, { type: "exit", code: null, stderr: error.message }))
    child.stdin.on("error", () => undefined)
    child.stdin.end(JSON.stringify({ ...request, maxRssBytes: limits.maxRssBytes }))
    return Effect.succeed(child)
  })

const parseLine = (line: string): ProcessMessage => {
  const parsed = Option.liftThrowable(() => JSON.parse(line) as ScanMessage)()
  return Option.getOrElse(parsed, () => ({
    type: "error" as const,
    reason: "internal" as const,
    message: "The scanning process wrote something unreadable."
  }))
}

/** V8 aborts when its heap is full, and the kernel kills what takes too much: both are the same to a caller. */
const deathOf = (code: number | null, stderr: string): ScanError =>
  code === null || code === 134 || /heap out of memory|Allocation failed/i.test(stderr)
    ? new ScanError({ reason: "resource_limit", message: "The scan was stopped because it needed too much memory." })
    : new ScanError({ reason: "internal", message: `The scanning process ended with code ${code}.` })

/**
 * Run a scan in a process of its own, killed when it takes too long, when it takes too much memory, and when the
 * calling fiber is interrupted.
 */
export const scanInProcess = <E = never>(
  request: ScanRequest,
  options: {
    readonly limits?: Partial<ScanLimits>
    /** When it fails, the scan is ended and fails with the same. */
    readonly onEvent?: (event: ScanEvent) => Effect.Effect<void, E>
  } = {}
): Effect.Effect<ScanResult, ScanError | E> => {
  const limits = { ...defaultScanLimits, ...options.limits }
  const onEvent = options.onEvent ?? (() => Effect.void)
  const conversation = Effect.gen(function* () {
    const messages = yield* Queue.unbounded<ProcessMessage>()
    yield* Effect.acquireRelease(start(request, limits, messages), (child) => Effect.sync(() => child.kill("SIGKILL")))
    for (;;) {
      const message = yield* Queue.take(messages)
      switch (message.type) {
        case "stage":
        case "progress":
        case "cost":
          yield* onEvent(message)
          break
        case "result":
          return yield* Effect.orDie(decodeResult(message.result))
        case "error":
          return yield* new ScanError({ reason: message.reason, message: message.message })
        case "exit":
          return yield* deathOf(message.code, message.stderr)
      }
    }
  })
  return Effect.scoped(conversation).pipe(
    Effect.timeoutFail({
      duration: limits.wallTime,
      onTimeout: () =>
        new ScanError({
          reason: "timeout",
          message: `The scan took longer than ${Duration.format(Duration.decode(limits.wallTime))}.`
        })
    }),
    Effect.withSpan("scanInProcess")
  )
}
