import type { Worker } from "node:worker_threads"
import type { AuditTool } from "../tool/AuditTool.ts"
import { type ScanTools, scanTools } from "../tool/scanTools.ts"
import { builtFile } from "./builtFile.ts"
import {
  type Batch,
  type BatchOutcome,
  POSITION_BATCH,
  POSITION_FILE,
  POSITION_TICK,
  type WorkerMessage,
  type WorkerSettings,
  without
} from "./scanProtocol.ts"
import { startThreadAhead, takeThread } from "./threads.ts"

export type StuckReason = "time_budget" | "memory_budget" | "crashed"

export interface Pool {
  /** Resolves when there is room for more, not when the batch is done. */
  readonly submit: (batch: Batch) => Promise<void>
  /** Starts another thread that loads its code until there is work for it. */
  readonly prepare: () => void
  /** All batches done; the pool can go on afterwards. */
  readonly drain: () => Promise<void>
  /** Ends all threads but one, with the memory they hold. Only after `drain`; later batches start new ones. */
  readonly shrink: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface PoolOptions {
  readonly worker: WorkerSettings
  readonly size: number
  /** Tools given as functions cannot cross threads; null for those that a thread can load. */
  readonly inThread: ReadonlyArray<AuditTool> | null
  readonly onOutcome: (outcome: BatchOutcome, batch: Batch) => void
  /** The file or tool at this index got stuck; the rest of the batch is done without it. */
  readonly onStuck: (batch: Batch, index: number, reason: StuckReason) => void
  /** Processor time without progress after which a worker counts as stuck. */
  readonly stuckAfterCpuMs?: number
}

const STUCK_AFTER_CPU_MS = 15_000
/** A pass over all files may take so much longer for each of them. */
const STUCK_AFTER_CPU_MS_PER_FILE = 0.5
const WATCH_EVERY_MS = 500
/** A worker always has its next batch of files at hand; parts of the cross-file passes differ too much to wait behind another. */
const QUEUED_PER_WORKER = 2
/** Deaths without a file begun, after which workers are given up. */
const MAX_IDLE_DEATHS = 5

/** Worker threads where the compiled worker is at hand, otherwise (sources run directly) this thread. */
export const openPool = (options: PoolOptions): Pool => {
  if (options.inThread !== null)
    return inThisThread(options, Promise.resolve(scanTools(options.inThread, options.worker.only)))
  const entry = builtFile(import.meta.url, "scanWorker")
  if (entry !== null) return new ThreadPool(options, entry)
  return inThisThread(
    options,
    import("./loadTools.ts").then(({ loadTools }) => loadTools(options.worker))
  )
}

const inThisThread = ({ worker, onOutcome, onStuck }: PoolOptions, loading: Promise<ScanTools>): Pool => {
  const run = async (batch: Batch): Promise<void> => {
    const [tools, { runBatch }] = await Promise.all([loading, import("./runBatch.ts")])
    let at = 0
    try {
      const outcome = await runBatch(tools, batch, worker.salt, (index) => {
        at = index
      })
      onOutcome(outcome, batch)
    } catch {
      onStuck(batch, at, "crashed")
      await run(without(batch, at))
    }
  }
  const done = async () => undefined
  return { submit: run, prepare: () => undefined, drain: done, shrink: done, close: done }
}

interface Member {
  worker: Worker
  readonly position: Int32Array
  readonly batches: Array<Batch>
  lastTick: number
  lastProgress: number
}

/**
 * Processor time of the whole process: the only clock that stands still while other processes have the machine, so that
 * what counts as stuck does not depend on them. A thread's own is not to be had from outside.
 */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Several batches wait behind the one that is running. */
const allowanceOf = ([running]: ReadonlyArray<Batch>): number =>
  running?.type === "finish" ? running.input.files.length * STUCK_AFTER_CPU_MS_PER_FILE : 0

class ThreadPool implements Pool {
  private readonly options: PoolOptions
  private readonly entry: URL
  /** Hired as the work comes: a small repository is done before a second thread is warm. */
  private readonly members: Array<Member> = []
  private readonly waiting: Array<() => void> = []
  private readonly watch: NodeJS.Timeout
  private failure: Error | null = null
  private idleDeaths = 0
  private closed = false

  constructor(options: PoolOptions, entry: URL) {
    this.options = options
    this.entry = entry
    this.watch = setInterval(() => this.lookForStuck(), WATCH_EVERY_MS)
    this.watch.unref()
  }

  async submit(batch: Batch): Promise<void> {
    for (;;) {
      if (this.failure !== null) throw this.failure
      const member = this.available(batch.type === "finish" ? 1 : QUEUED_PER_WORKER)
      if (member !== null) {
        this.give(member, batch)
        return
      }
      await this.change()
    }
  }

  prepare(): void {
    if (this.members.length < this.options.size) startThreadAhead()
  }

  async drain(): Promise<void> {
    while (this.members.some((member) => member.batches.length > 0)) {
      if (this.failure !== null) throw this.failure
      await this.change()
    }
    if (this.failure !== null) throw this.failure
  }

  async shrink(): Promise<void> {
    const ended = this.members.splice(1)
    await Promise.all(
      ended.map(({ worker }) => {
        worker.removeAllListeners("exit")
        return worker.terminate()
      })
    )
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.watch)
    await Promise.all(this.members.map((member) => member.worker.terminate()))
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  private changed(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private available(queued: number): Member | null {
    const least = [...this.members].sort((a, b) => a.batches.length - b.batches.length)[0]
    if (least !== undefined && least.batches.length < queued) return least
    if (this.members.length >= this.options.size) return null
    const member = this.hire()
    this.members.push(member)
    return member
  }

  private give(member: Member, batch: Batch): void {
    if (member.batches.length === 0) member.lastProgress = cpuMs()
    member.batches.push(batch)
    member.worker.postMessage(batch)
  }

  private hire(): Member {
    const { worker, position } = takeThread(this.entry)
    worker.postMessage({ type: "settings", settings: this.options.worker } satisfies WorkerMessage)
    const member: Member = {
      worker,
      position,
      batches: [],
      lastTick: 0,
      lastProgress: cpuMs()
    }
    Atomics.store(member.position, POSITION_BATCH, -1)
    this.listen(member)
    return member
  }

  private listen(member: Member): void {
    const { worker } = member
    let cause: StuckReason = "crashed"
    worker.on("message", (outcome: BatchOutcome) => {
      const at = member.batches.findIndex((batch) => batch.id === outcome.id)
      const [batch] = at < 0 ? [] : member.batches.splice(at, 1)
      member.lastProgress = cpuMs()
      this.idleDeaths = 0
      if (batch !== undefined) this.options.onOutcome(outcome, batch)
      this.changed()
    })
    worker.on("error", (error: Error & { readonly code?: string }) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") cause = "memory_budget"
    })
    worker.on("exit", () => {
      if (!this.closed && member.worker === worker) this.replace(member, cause)
    })
  }

  private lookForStuck(): void {
    const { stuckAfterCpuMs = STUCK_AFTER_CPU_MS } = this.options
    const now = cpuMs()
    // Busy threads and this one share the time that went by.
    const sharers = 1 + this.members.filter(({ batches }) => batches.length > 0).length
    for (const member of this.members) {
      const tick = Atomics.load(member.position, POSITION_TICK)
      if (tick !== member.lastTick || member.batches.length === 0) {
        member.lastTick = tick
        member.lastProgress = now
      } else if (now - member.lastProgress > sharers * (stuckAfterCpuMs + allowanceOf(member.batches))) {
        this.replace(member, "time_budget")
      }
    }
  }

  /** A new worker takes over the batches, less the file the old one was on. */
  private replace(member: Member, reason: StuckReason): void {
    const old = member.worker
    const batchId = Atomics.load(member.position, POSITION_BATCH)
    const index = Atomics.load(member.position, POSITION_FILE)
    const batches = member.batches.splice(0)
    const culprit = batches.find((batch) => batch.id === batchId)
    if (culprit === undefined && ++this.idleDeaths > MAX_IDLE_DEATHS) {
      this.failure = new Error("The scanning threads do not start.")
      this.changed()
      return
    }
    if (culprit !== undefined) this.options.onStuck(culprit, index, reason)
    const successor = this.hire()
    this.members[this.members.indexOf(member)] = successor
    // The old worker's exit is expected from here on.
    member.worker = successor.worker
    void old.terminate()
    for (const batch of batches) this.give(successor, batch.id === batchId ? without(batch, index) : batch)
    this.changed()
  }
}
