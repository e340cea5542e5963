import { parentPort, workerData } from "node:worker_threads"
import type { AuditTool } from "./AuditTool.ts"
import {
  type Batch,
  POSITION_BATCH,
  POSITION_FILE,
  POSITION_TICK,
  runBatch,
  type WorkerSettings
} from "./scanProtocol.ts"
import { withoutSuggestions } from "./suggestions.ts"
import { tools as catalogue } from "./tools/index.ts"

/** Entry of a worker thread: batches in, outcomes out. */
const settings = workerData as WorkerSettings
const position = new Int32Array(settings.position)

const load = async (): Promise<ReadonlyArray<AuditTool>> => {
  const all: ReadonlyArray<AuditTool> =
    settings.toolsModule === null ? catalogue : (await import(settings.toolsModule)).tools
  const chosen = all.filter((tool) => settings.toolIds.includes(tool.id))
  return settings.suggestions ? chosen : withoutSuggestions(chosen)
}

const ready = load()
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
