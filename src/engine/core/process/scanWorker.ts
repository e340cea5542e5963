import { parentPort, workerData } from "node:worker_threads"
import { loadTools } from "./loadTools.ts"
import { runBatch } from "./runBatch.ts"
import { type Batch, POSITION_BATCH, POSITION_FILE, POSITION_TICK, type WorkerData } from "./scanProtocol.ts"

/** Entry of a worker thread: batches in, outcomes out. */
const { settings, position: shared } = workerData as WorkerData
const position = new Int32Array(shared)

const ready = loadTools(settings)
let queue: Promise<unknown> = ready

parentPort?.on("message", (batch: Batch) => {
  queue = queue.then(async () => {
    const outcome = await runBatch(await ready, batch, settings.salt, (file) => {
      Atomics.store(position, POSITION_BATCH, batch.id)
      Atomics.store(position, POSITION_FILE, file)
      Atomics.add(position, POSITION_TICK, 1)
    })
    Atomics.store(position, POSITION_BATCH, -1)
    parentPort?.postMessage(outcome)
  })
})
