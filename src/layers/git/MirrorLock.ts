import { randomUUID } from "node:crypto"
import { readFileSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { Clock, Duration, Effect } from "effect"
import type { CodeHostError } from "../../services/ports/CodeHost.ts"
import { codeHostError } from "./failures.ts"

const processToken = randomUUID()
const heartbeat = Duration.seconds(5)
const staleAfterMillis = 30_000

/**
 * Runs an effect while holding a lock file, so that one process at a time changes a mirror. A holder that was killed is
 * noticed: its process is gone, or its heartbeat has stopped (another machine on the same folder).
 */
export const withMirrorLock =
  (file: string, patience: Duration.Duration) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | CodeHostError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const content = JSON.stringify({
          pid: process.pid,
          host: hostname(),
          process: processToken,
          lock: randomUUID()
        })
        const start = yield* Clock.currentTimeMillis
        while (!(yield* Effect.sync(() => take(file, content)))) {
          if ((yield* Clock.currentTimeMillis) - start > Duration.toMillis(patience)) {
            return yield* codeHostError("timeout", "Another fetch of this repository has not ended in time.")
          }
          yield* restore(Effect.sleep("50 millis"))
        }
        const beat = Effect.forever(
          Effect.delay(
            Effect.sync(() => touch(file)),
            heartbeat
          )
        )
        return yield* restore(Effect.raceFirst(self, beat)).pipe(
          Effect.ensuring(Effect.sync(() => release(file, content)))
        )
      })
    )

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined)

const take = (file: string, content: string): boolean => {
  for (let round = 0; round < 2; round++) {
    try {
      writeFileSync(file, content, { flag: "wx" })
      return true
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
    }
    if (!abandoned(file)) return false
    // Renamed away and not unlinked: of two that see the same dead lock, one succeeds. Should both still get in, git's own
    // locks keep the mirror sound and the slower fetch is repeated.
    try {
      renameSync(file, `${file}.abandoned`)
      rmSync(`${file}.abandoned`, { force: true })
    } catch {
      return false
    }
  }
  return false
}

const abandoned = (file: string): boolean => {
  try {
    if (Date.now() - statSync(file).mtimeMs > staleAfterMillis) return true
    const holder: unknown = JSON.parse(readFileSync(file, "utf8"))
    if (typeof holder !== "object" || holder === null || !("pid" in holder) || typeof holder.pid !== "number")
      return false
    if (!("host" in holder) || holder.host !== hostname() || !("process" in holder)) return false
    // In a container a restarted server often gets its old process id again.
    return holder.pid === process.pid ? holder.process !== processToken : !alive(holder.pid)
  } catch {
    // Just released, or not yet written: look again.
    return false
  }
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== "ESRCH"
  }
}

const touch = (file: string): void => {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Taken from us while we stood still; see `take`.
  }
}

const release = (file: string, content: string): void => {
  try {
    if (readFileSync(file, "utf8") === content) unlinkSync(file)
  } catch {
    // Taken from us while we stood still.
  }
}
