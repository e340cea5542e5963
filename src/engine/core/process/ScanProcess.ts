import { constants } from "node:os"
import { createInterface } from "node:readline"
import { Data, Duration, Effect, Option, Queue, Schema } from "effect"
import { DiscoveryResult } from "../../discovery/DiscoveryResult.ts"
import { ScanResult } from "../scan/ScanResult.ts"
import type { ChildSpan } from "../trace/childSpans.ts"
import { currentTraceparent, recordChildSpans } from "../trace/trace.ts"
import { childOf, DEFAULT_HEAP_MB } from "./childProcess.ts"
import { isDiskFull } from "./diskFull.ts"
import type { ScanErrorReason, ScanMessage, ScanRequest, SourceRequest } from "./requests/scanRequest.ts"

/** The message is for a person; the reason decides how a job failed. */
export class ScanError extends Data.TaggedError("ScanError")<{
  readonly reason: ScanErrorReason
  readonly message: string
}> {}

/** What a process reads and writes besides its own program. */
export interface ProcessPaths {
  readonly readable: ReadonlyArray<string>
  readonly writable: ReadonlyArray<string>
}

export interface ScanLimits {
  readonly wallTime: Duration.DurationInput
  readonly maxRssBytes: number
  readonly maxHeapMb: number
  /** The arguments that a process starts behind, such as those that confine it to these paths. */
  readonly behind: (paths: ProcessPaths) => ReadonlyArray<string>
}

const defaultScanLimits: ScanLimits = {
  wallTime: "10 minutes",
  maxRssBytes: 1_000_000_000,
  maxHeapMb: DEFAULT_HEAP_MB,
  behind: () => []
}

interface ProcessRequest {
  readonly source: SourceRequest
  readonly advisories?: string | undefined
  readonly cache?: string | undefined
}

const pathsOf = ({ source, advisories, cache }: ProcessRequest): ProcessPaths => ({
  readable: [source.kind === "git" ? source.gitDir : source.root, ...(advisories === undefined ? [] : [advisories])],
  writable: cache === undefined ? [] : [cache]
})

export type ScanEvent = Extract<ScanMessage, { type: "stage" | "progress" | "cost" }>

/** What any of the processes reports before its result. */
export type ProcessEvent =
  | { readonly type: "stage"; readonly stage: string }
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | { readonly type: "cost"; readonly cpu_seconds: number }

type ProcessMessage =
  | ProcessEvent
  | { readonly type: "spans"; readonly spans: ReadonlyArray<ChildSpan> }
  | { readonly type: "result"; readonly result: unknown }
  | Extract<ScanMessage, { type: "error" }>
  | ({ readonly type: "exit" } & Death)

const MAX_STDERR = 4_000

const start = (entryName: string, request: ProcessRequest, limits: ScanLimits, messages: Queue.Queue<ProcessMessage>) =>
  Effect.flatMap(currentTraceparent, (traceparent) => {
    const child = childOf(entryName, limits.maxHeapMb, { traceparent, behind: limits.behind(pathsOf(request)) })
    if (child === null) return Effect.dieMessage(`The project is not built: dist/ has no ${entryName}.`)
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-MAX_STDERR)
    })
    const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
    lines.on("line", (line) => Queue.unsafeOffer(messages, parseLine(line)))
    // "close" comes after all output has been read; "error" when there is no process at all.
    child.on("close", (code, signal) => Queue.unsafeOffer(messages, { type: "exit", code, signal, stderr }))
    child.on("error", (error) =>
      Queue.unsafeOffer(messages, { type: "exit", code: null, signal: null, stderr: error.message })
    )
    child.stdin.on("error", () => undefined)
    child.stdin.end(JSON.stringify({ ...request, maxRssBytes: limits.maxRssBytes }))
    return Effect.succeed(child)
  })

const parseLine = (line: string): ProcessMessage => {
  const parsed = Option.liftThrowable(() => JSON.parse(line) as ProcessMessage)()
  return Option.getOrElse(parsed, () => ({
    type: "error" as const,
    reason: "internal" as const,
    message: "The scanning process wrote something unreadable."
  }))
}

/** How a process ended that returned no result. */
export interface Death {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

/** A shell between us and the process returns 128 and the number of the signal. */
const signalOf = ({ code, signal }: Death): string | null => {
  if (signal !== null) return signal
  const named = Object.entries(constants.signals).find(([, number]) => number + 128 === code)
  return named?.[0] ?? null
}

/** What V8 prints before it aborts: a full heap is noticed in several of its phases. */
const heapFull = /(?:heap|process|javascript) out of memory|javascript OOM|Allocation failed/i

/** V8 aborts when its heap is full, and the kernel kills what takes too much; other signals are defects, named as such. */
export const deathOf = (death: Death): ScanError => {
  const signal = signalOf(death)
  if (signal === "SIGKILL" || heapFull.test(death.stderr)) {
    return new ScanError({
      reason: "resource_limit",
      message: "The scan was stopped because it needed too much memory."
    })
  }
  if (isDiskFull(death.stderr)) {
    return new ScanError({ reason: "disk_full", message: "The disk is full: the scan could not write what it needs." })
  }
  const end = signal === null ? `ended with code ${death.code}` : `was ended by the signal ${signal}`
  return new ScanError({ reason: "internal", message: `The scanning process ${end}.` })
}

export interface InProcessOptions<Event, E> {
  readonly limits?: Partial<ScanLimits>
  /** When it fails, the process is ended and all fails with the same. */
  readonly onEvent?: (event: Event) => Effect.Effect<void, E>
}

/**
 * Runs one of the compiled entries in a process of its own, killed when it takes too long, when it takes too much
 * memory, and when the calling fiber is interrupted.
 */
export const inProcess = <A, I, E>(
  entry: string,
  request: ProcessRequest,
  result: Schema.Schema<A, I>,
  options: InProcessOptions<ProcessEvent, E>
): Effect.Effect<A, ScanError | E> => {
  const limits = { ...defaultScanLimits, ...options.limits }
  const onEvent = options.onEvent ?? (() => Effect.void)
  const decode = Schema.decodeUnknown(result)
  const conversation = Effect.gen(function* () {
    const messages = yield* Queue.unbounded<ProcessMessage>()
    yield* Effect.acquireRelease(start(entry, request, limits, messages), (child) =>
      Effect.sync(() => child.kill("SIGKILL"))
    )
    for (;;) {
      const message = yield* Queue.take(messages)
      switch (message.type) {
        case "stage":
        case "progress":
        case "cost":
          yield* onEvent(message)
          break
        case "spans":
          yield* recordChildSpans(message.spans)
          break
        case "result":
          return yield* Effect.orDie(decode(message.result))
        case "error":
          return yield* new ScanError({ reason: message.reason, message: message.message })
        case "exit":
          return yield* deathOf(message)
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
    })
  )
}

/** An audit's scan, in a process of its own. */
export const scanInProcess = <E = never>(
  request: ScanRequest,
  // The scanning process reports more of its progress than others.
  options: InProcessOptions<ScanEvent, E> = {}
): Effect.Effect<ScanResult, ScanError | E> =>
  Effect.withSpan(
    inProcess("scan-process", request, ScanResult, options as InProcessOptions<ProcessEvent, E>),
    "scanInProcess"
  )

/** A look at a repository for its discovery, in a process of its own. */
export const discoverInProcess = <E = never>(
  request: Pick<ScanRequest, "source" | "workers" | "cache">,
  options: InProcessOptions<ProcessEvent, E> = {}
): Effect.Effect<DiscoveryResult, ScanError | E> => {
  const ofAll = { ...request, suite: "full" }
  return Effect.withSpan(inProcess("discovery-process", ofAll, DiscoveryResult, options), "discoverInProcess")
}
