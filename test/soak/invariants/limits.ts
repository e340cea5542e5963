import { Effect } from "effect"
import type { Dispatcher } from "undici"
import { attempted } from "../../chaos/requests.ts"
import { apisOf, type World } from "../../chaos/World.ts"
import type { Limited } from "./history.ts"

const callersAtOnce = 4

/** Calls with one key, more of them than its limit lets through, in turns over all API processes. */
export const underLimit = (
  world: World,
  dispatcher: Dispatcher,
  key: string,
  perMinute: number,
  untilMillis: number
): Effect.Effect<Limited> =>
  Effect.gen(function* () {
    const count = { accepted: 0, rejected: 0, open: 0 }
    const startedAt = performance.now()
    let turn = 0
    const caller = Effect.gen(function* () {
      while (performance.now() < untilMillis) {
        const up = apisOf(world).flatMap(({ server }) => (server === null ? [] : [server]))
        const server = up[turn++ % Math.max(1, up.length)]
        if (server !== undefined) {
          const target = { api: server.api, headers: { authorization: `Bearer ${key}` }, dispatcher }
          const { code, isOpen } = yield* attempted(target, { method: "GET", path: "/api/jobs?limit=1" }, false)
          if (code === "ok") count.accepted++
          else if (isOpen) count.open++
          else count.rejected++
        }
        yield* Effect.sleep("100 millis")
      }
    })
    yield* Effect.all(
      Array.from({ length: callersAtOnce }, () => caller),
      { concurrency: "unbounded", discard: true }
    )
    return { perMinute, seconds: (performance.now() - startedAt) / 1000, ...count }
  })
