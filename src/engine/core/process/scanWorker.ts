import { parentPort, workerData } from "node:worker_threads"
import { loadTools } from "./loadTools.ts"
import { runBatch } from "./runBatch.ts"
import {
  type Batch,
  POSITION_BATCH,
  POSITION_FILE,
  POSITION_TICK,
  type WorkerData,
  type WorkerMessage,
  type WorkerSettings
} from "./scanProtocol.ts"

/** Entry of a worker thread: settings, then batches in, outcomes out. */
const position = new Int32Array((workerData as WorkerData).position)

const worker = (settings: WorkerSettings): ((batch: Batch) => void) => {
  const ready = loadTools(settings)
  let queue: Promise<unknown> = ready
  return (batch) => {
    queue = queue.then(async () => {
      const outcome = await runBatch(await ready, batch, settings.salt, (file) => {
        Atomics.store(position, POSITION_BATCH, batch.id)
        Atomics.store(position, POSITION_FILE, file)
        Atomics.add(position, POSITION_TICK, 1)
      })
      Atomics.store(position, POSITION_BATCH, -1)
      parentPort?.postMessage(outcome)
    })
  }
}

let run: ((batch: Batch) => void) | null = null

parentPort?.on("message", (message: WorkerMessage) => {
  if (message.type === "settings") run = worker(message.settings)
  else run?.(message)
})
