import { Clock, Effect, Layer } from "effect"
import { Gauge, type Registry } from "prom-client"
import { Advisories } from "../../engine/index.ts"
import type { AppConfig } from "../Config.ts"
import { OutboundHttp } from "../OutboundHttp.ts"
import { type Updated, updateAdvisories } from "./AdvisoryUpdate.ts"
import type { FolderTaken } from "./FolderLock.ts"
import { readUpdateRecord } from "./UpdateRecord.ts"

const HOUR_MS = 3_600_000
/** What failed is tried again sooner. */
const RETRY_MS = HOUR_MS
/** How soon it is looked again whether another process on this folder has ended its update. */
const TAKEN_MS = HOUR_MS / 6

export interface TimerOptions {
  readonly folder: string
  readonly everyHours: number
  readonly update: Effect.Effect<ReadonlyArray<Updated>, FolderTaken>
}

/** When the next update is due, by what any process on this folder did last. */
const dueAt = (folder: string, everyHours: number): number => {
  const { ended_at, failures } = readUpdateRecord(folder)
  const ended = ended_at === null ? Number.NaN : Date.parse(ended_at)
  if (Number.isNaN(ended)) return 0
  const pause = everyHours * HOUR_MS
  return ended + (Object.keys(failures).length === 0 ? pause : Math.min(pause, RETRY_MS))
}

const report = (outcomes: ReadonlyArray<Updated>) =>
  Effect.forEach(
    outcomes,
    (one) =>
      one.status === "failed"
        ? Effect.logWarning(`The advisories for ${one.ecosystem} could not be updated: ${one.message}`)
        : Effect.logInfo(`Advisories for ${one.ecosystem}: ${one.status}.`),
    { discard: true }
  )

/** Updates when it is due, for ever. Of several processes on one folder, one does it. */
export const updatingLoop = ({ folder, everyHours, update }: TimerOptions): Effect.Effect<never> => {
  const turn = Effect.gen(function* () {
    const wait = dueAt(folder, everyHours) - (yield* Clock.currentTimeMillis)
    if (wait > 0) return yield* Effect.sleep(Math.min(wait, everyHours * HOUR_MS))
    const before = dueAt(folder, everyHours)
    yield* update.pipe(
      Effect.flatMap(report),
      Effect.catchTag("FolderTaken", () => Effect.sleep(TAKEN_MS))
    )
    // Whatever came of it: an update that leaves no record must not be repeated at once.
    if (dueAt(folder, everyHours) === before) yield* Effect.sleep(RETRY_MS)
  })
  return Effect.forever(
    Effect.catchAllCause(turn, (cause) =>
      Effect.zipRight(Effect.logWarning("The advisories could not be updated.", cause), Effect.sleep(RETRY_MS))
    )
  )
}

/** The timer of a service whose operator asks for it. */
export const layer = ({ advisoriesUrl, advisoriesEveryHours, dataDir }: AppConfig) =>
  advisoriesUrl === null || advisoriesEveryHours === null
    ? Layer.empty
    : Layer.scopedDiscard(
        Effect.gen(function* () {
          const { openConfigured } = yield* OutboundHttp
          const folder = Advisories.advisoriesFolder(dataDir)
          const options = { base: advisoriesUrl, ecosystems: Advisories.ecosystems, folder, open: openConfigured }
          yield* Effect.forkScoped(
            updatingLoop({ folder, everyHours: advisoriesEveryHours, update: updateAdvisories(options) })
          )
        })
      )

/** When each ecosystem was last compared with the mirror, and what the last update could not bring up to date. */
export const advisoryMetrics = (registry: Registry, dataDir: string): void => {
  const folder = Advisories.advisoriesFolder(dataDir)
  new Gauge({
    name: "assay_advisories_checked_timestamp_seconds",
    help: "When the advisories of an ecosystem were last compared with the mirror.",
    labelNames: ["ecosystem"],
    registers: [registry],
    collect() {
      this.reset()
      for (const [ecosystem, { checked_at }] of Object.entries(readUpdateRecord(folder).dumps)) {
        this.set({ ecosystem }, Date.parse(checked_at) / 1000)
      }
    }
  })
  new Gauge({
    name: "assay_advisories_update_failures",
    help: "Ecosystems that the last update of the advisories could not bring up to date.",
    registers: [registry],
    collect() {
      this.set(Object.keys(readUpdateRecord(folder).failures).length)
    }
  })
}
