import { SingleBar } from "cli-progress"
import { Effect } from "effect"
import type { ScanEvent } from "../engine/index.ts"

const doing = { inventory: "Reading   ", scan: "Inspecting", verify: "Verifying " }

/** A line on standard error where that is a terminal; nothing otherwise, so that logs stay readable. */
const line = Effect.acquireRelease(
  Effect.sync(() => {
    if (process.stderr.isTTY !== true) return null
    const bar = new SingleBar({
      format: " {doing} {bar} {percentage}%  {value}/{total} files",
      barCompleteChar: "\u2588",
      barIncompleteChar: "\u2591",
      barsize: 30,
      fps: 10,
      emptyOnZero: true,
      clearOnComplete: true,
      hideCursor: true,
      stream: process.stderr
    })
    return bar
  }),
  (bar) => Effect.sync(() => bar?.stop())
)

/** Shows how far a scan is until the scope closes; then the line is gone and the cursor back. */
export const progressBar = Effect.map(line, (bar) => {
  let started = false
  return (event: ScanEvent) =>
    Effect.sync(() => {
      if (bar === null || event.type !== "progress" || event.total === 0) return
      const payload = { doing: doing[event.stage] }
      if (!started) bar.start(event.total, event.done, payload)
      else {
        bar.setTotal(event.total)
        bar.update(event.done, payload)
      }
      started = true
    })
})

/** Says what takes a while before anything can be counted; the line is gone when it is done. */
export const busy = <A, E, R>(text: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  process.stderr.isTTY !== true
    ? effect
    : Effect.acquireUseRelease(
        Effect.sync(() => process.stderr.write(` ${text}`)),
        () => effect,
        () => Effect.sync(() => process.stderr.write("\r\u001b[K"))
      )
