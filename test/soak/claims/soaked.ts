import { Deferred, Effect } from "effect"
import { Agent, type Dispatcher } from "undici"
import { Chance } from "../../support/generate.ts"
import { aClient, type Client, type Send, type Soak, step } from "./Client.ts"
import type { History } from "./history.ts"
import { databaseTime, keptOf } from "./kept.ts"
import { attempted } from "./requests.ts"
import type { Process, World, WorldCaller } from "./World.ts"

export interface Extent {
  /** Calls to make at least. */
  readonly operations: number
  /** Seconds to go on for at least. */
  readonly seconds: number
  /** Minutes to go on for at most, however few calls were made; 0 for no limit. */
  readonly minutes: number
  /** Where the choices of the clients start. */
  readonly seed: number
}

export interface Soaked {
  readonly history: History
  readonly seconds: number
  readonly kills: number
  readonly clockMoves: number
  /** Changes of issues, and records of them in the audit log, as the database counts them. */
  readonly changes: number
  readonly records: number
}

/** Timestamps are kept in whole milliseconds. */
const rounding = 2

/** Each call goes to one of the processes that are up, and now and then to its other interface. */
const sending =
  (world: World, { headers, isPerson }: WorldCaller, dispatcher: Dispatcher): Send =>
  (issue, attempt, chance) => {
    const up = world.processes.flatMap(({ server }) => (server === null ? [] : [server]))
    const { api } = chance.pick(up)
    return attempted({ api, headers, issue, overMcp: !isPerson && chance.oneIn(4), dispatcher }, attempt)
  }

const clientsOf = (world: World, dispatcher: Dispatcher, seed: number): ReadonlyArray<Client> =>
  world.callers.map((caller, i) =>
    aClient({ ...caller, send: sending(world, caller, dispatcher) }, new Chance(seed + i))
  )

const moveClock = (process: Process) =>
  Effect.sync(() => {
    if (process.server === null) return
    globalThis.process.kill(process.server.pid, "SIGUSR2")
    process.offset = -process.offset
  })

/** As when the power goes: connections break in the middle of calls, and other clients go on at the other process. */
const killAndRestart = (world: World, process: Process) =>
  Effect.gen(function* () {
    const { server } = process
    if (server === null) return
    yield* server.kill
    process.server = null
    yield* world.restart(process)
  })

/** Lets all clients work, kills one process in the middle and moves the clocks before, then and after. */
export const soaked = (world: World, { operations, seconds, minutes, seed }: Extent) =>
  Effect.gen(function* () {
    const before = yield* databaseTime(world.database)
    const dispatcher = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 64 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const soak: Soak = {
      issues: world.issues,
      database: world.database,
      calls: [],
      databaseTime: before.time,
      marks: 0
    }
    const started = performance.now()
    /** From 0 to 1. */
    const progress = () => {
      const passed = (performance.now() - started) / 1000
      const [called, waited] = [soak.calls.length / operations, passed / seconds]
      const limit = minutes === 0 ? 0 : passed / 60 / minutes
      return Math.max(limit, Math.min(operations === 0 ? 1 : called, seconds === 0 ? 1 : waited))
    }
    const [quarter, half, threeQuarters] = [
      yield* Deferred.make<void>(),
      yield* Deferred.make<void>(),
      yield* Deferred.make<void>()
    ]
    const working = (client: Client) =>
      Effect.gen(function* () {
        for (;;) {
          const done = progress()
          if (done >= 0.25) yield* Deferred.succeed(quarter, undefined)
          if (done >= 0.5) yield* Deferred.succeed(half, undefined)
          if (done >= 0.75) yield* Deferred.succeed(threeQuarters, undefined)
          if (done >= 1) return
          yield* step(soak, client)
        }
      })
    const [first, second] = world.processes
    const disturbing = Effect.gen(function* () {
      if (first === undefined || second === undefined) return
      yield* Effect.zipRight(Deferred.await(quarter), moveClock(second))
      yield* Effect.zipRight(Deferred.await(half), killAndRestart(world, first))
      yield* Effect.zipRight(Deferred.await(threeQuarters), Effect.zipRight(moveClock(first), moveClock(second)))
    })
    yield* Effect.all(
      [
        disturbing,
        Effect.forEach(clientsOf(world, dispatcher, seed), working, { concurrency: "unbounded", discard: true })
      ],
      { concurrency: 2 }
    )
    const elapsed = (performance.now() - started) / 1000
    const after = yield* databaseTime(world.database)
    const drift = Math.abs(after.time - before.time)
    const kept = yield* keptOf(world.database, soak.databaseTime)
    const history: History = {
      calls: soak.calls,
      ...kept,
      tolerance: rounding + before.error + after.error + drift
    }
    const counts = yield* countsOf(world)
    return { history, seconds: elapsed, kills: 1, clockMoves: 3, ...counts } satisfies Soaked
  })

const countsOf = ({ database }: World) =>
  Effect.promise(async () => {
    const { rows } = await database.query<{ readonly changes: number; readonly records: number }>(
      `SELECT (SELECT count(*)::int FROM issue_events WHERE event <> 'lease_ended') AS changes,
        (SELECT count(*)::int FROM audit_log WHERE object_kind = 'issue') AS records`
    )
    return rows[0] ?? { changes: 0, records: 0 }
  })
