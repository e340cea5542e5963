import { Effect, type Scope } from "effect"
import type { Chance } from "../support/generate.ts"
import type { ChaosDatabase } from "./ChaosDatabase.ts"
import { killProcess, type Process, startAgain, type World } from "./World.ts"

const poll = "50 millis"
// Longer than any aim: what is not back by then counts as that long.
const patience = 120

interface HeldStage {
  readonly job_id: string
  readonly stage: string
  readonly fence: number
}

/** Stages of running jobs that this process works on. */
export const stagesOf = (database: ChaosDatabase, pid: number) =>
  database.rows<HeldStage>(
    `SELECT s.job_id, s.stage, s.fence FROM job_stages s JOIN jobs j ON j.id = s.job_id
    WHERE j.status = 'running' AND s.finished_at IS NULL AND split_part(s.runner, '/', 2) = $1::text`,
    [String(pid)]
  )

const isBack = (database: ChaosDatabase, { job_id, stage, fence }: HeldStage) =>
  Effect.map(
    database.rows<{ readonly back: boolean }>(
      `SELECT j.status <> 'running' OR s.fence > $3 OR s.finished_at IS NOT NULL AS back
      FROM jobs j JOIN job_stages s ON s.job_id = j.id AND s.stage = $2 WHERE j.id = $1`,
      [job_id, stage, fence]
    ),
    ([row]) => row?.back ?? true
  )

/** Seconds until someone works on the stage again, or it is over. */
const secondsUntilBack = (database: ChaosDatabase, held: HeldStage, since: number): Effect.Effect<number> =>
  Effect.gen(function* () {
    for (;;) {
      const passed = (performance.now() - since) / 1000
      if ((yield* isBack(database, held)) || passed > patience) return passed
      yield* Effect.sleep(poll)
    }
  })

/** Seconds until each of these stages is worked on again. */
export const untilBack = (database: ChaosDatabase, held: ReadonlyArray<HeldStage>, since: number) =>
  Effect.forEach(held, (one) => secondsUntilBack(database, one, since), { concurrency: "unbounded" })

/** Waits, for some seconds at most, until the process works on a stage. */
export const untilBusy = (database: ChaosDatabase, process: Process) =>
  Effect.gen(function* () {
    for (let look = 0; look < 100; look++) {
      if ((yield* stagesOf(database, process.server?.pid ?? 0)).length > 0) return
      yield* Effect.sleep("100 millis")
    }
  })

/** `kill -9` of a process that works on jobs, at a random instant, and a new start; seconds until each job was back. */
export const killWorker = (
  { database }: World,
  process: Process,
  chance: Chance,
  /** Whether the seconds count from when the process is up again rather than from its end. */
  fromStart = false
): Effect.Effect<ReadonlyArray<number>, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* untilBusy(database, process)
    yield* Effect.sleep(chance.next() * 600)
    const pid = yield* killProcess(process)
    const killedAt = performance.now()
    const held = yield* stagesOf(database, pid)
    const starting = startAgain(process)
    if (!fromStart) {
      const [, back] = yield* Effect.all([starting, untilBack(database, held, killedAt)], { concurrency: 2 })
      return back
    }
    yield* starting
    return yield* untilBack(database, held, performance.now())
  })

/** Seconds until the process answers a call that needs the database. */
export const secondsUntilWell = (process: Process, key: string): Effect.Effect<number> =>
  Effect.gen(function* () {
    const since = performance.now()
    for (;;) {
      const { server } = process
      const isWell =
        server !== null &&
        (yield* Effect.promise(() =>
          fetch(`${server.api}/api/jobs?limit=1`, {
            headers: { authorization: `Bearer ${key}` },
            signal: AbortSignal.timeout(10_000)
          }).then(
            async (response) => {
              await response.text()
              return response.ok
            },
            () => false
          )
        ))
      const passed = (performance.now() - since) / 1000
      if (isWell || passed > patience) return passed
      yield* Effect.sleep(poll)
    }
  })
