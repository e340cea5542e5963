import { Worker } from "node:worker_threads"
import { builtFile } from "./builtFile.ts"
import { POSITION_SLOTS, type WorkerData } from "./scanProtocol.ts"

const WORKER_HEAP_MB = 320

export interface Thread {
  readonly worker: Worker
  readonly position: Int32Array
}

const startThread = (entry: URL): Thread => {
  const position = new SharedArrayBuffer(POSITION_SLOTS * 4)
  const worker = new Worker(entry, {
    workerData: { position } satisfies WorkerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB }
  })
  return { worker, position: new Int32Array(position) }
}

const ahead: Array<Thread> = []

/** Starts a thread that loads its code while there is nothing to do for it yet: pools take it before they start others. */
export const startThreadAhead = (): void => {
  const entry = builtFile(import.meta.url, "scanWorker")
  if (entry === null) return
  const thread = startThread(entry)
  ahead.push(thread)
  thread.worker.unref()
  // Who takes it over hears of its end; until then there is no one to report to.
  thread.worker.on("error", () => undefined)
  thread.worker.once("exit", () => {
    ahead.splice(ahead.indexOf(thread), 1)
  })
}

/** One that was started ahead, or a new one. */
export const takeThread = (entry: URL): Thread => {
  const thread = ahead.shift()
  if (thread === undefined) return startThread(entry)
  for (const event of ["error", "exit"]) thread.worker.removeAllListeners(event)
  thread.worker.ref()
  return thread
}
