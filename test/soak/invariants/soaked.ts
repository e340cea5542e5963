import { Effect, type Scope } from "effect"
import { Agent } from "undici"
import { terminateBackends } from "../../chaos/ChaosDatabase.ts"
import { aRecord } from "../../chaos/Client.ts"
import { settled } from "../../chaos/load.ts"
import { aSubmitter, submitting } from "../../chaos/Submitter.ts"
import { apisOf, killProcess, project, startAgain, supervise, type World, workersOf } from "../../chaos/World.ts"
import { Chance } from "../../support/generate.ts"
import { withoutRateLimits } from "../../support/rateLimits.ts"
import { call, keysOf } from "../../support/server.ts"
import { type Client, type Shared, sharedStep } from "./Client.ts"
import type { Limited } from "./history.ts"
import { keptState, moneyOf } from "./kept.ts"
import { underLimit } from "./limits.ts"

export interface Extent {
  readonly clients: number
  readonly operations: number
  readonly seconds: number
  readonly minutes: number
  readonly seed: number
}

const perMinute = 60

/** A key with a limit of its own, which the trigger that lifts all others leaves alone. */
const aLimitedKey = (world: World) =>
  Effect.gen(function* () {
    const server = apisOf(world)[0]?.server
    if (server === undefined || server === null) return yield* Effect.dieMessage("No process is up.")
    const limits = { requests_per_minute: perMinute }
    const [key = ""] = yield* keysOf(server, world.owner, { scopes: ["view_jobs"], count: 1, limits, name: "limited" })
    const [row] = yield* world.database.rows<{ readonly id: string }>(
      "SELECT id FROM api_keys WHERE requests_per_minute IS NOT NULL"
    )
    yield* withoutRateLimits(world.database.url, [row?.id ?? ""])
    return key
  })

const sharedIssues = (world: World) =>
  Effect.gen(function* () {
    const server = apisOf(world)[0]?.server
    const refs: Array<string> = []
    for (let n = 0; server !== undefined && server !== null && n < 12; n++) {
      const title = `Shared ${n}`
      const made = yield* call<{ readonly ref: string }>(server, world.keys[0] ?? "", "POST", "/api/issues", {
        project,
        title
      })
      refs.push(made.body.ref)
    }
    return refs
  })

/** Kills, terminated backends and, in the last third, a crash of PostgreSQL, which also empties the counters of limits. */
const disturbing = (world: World, chance: Chance, progress: () => number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const until = (share: number): Effect.Effect<void> =>
      Effect.suspend(() => (progress() >= share ? Effect.void : Effect.delay(until(share), "100 millis")))
    for (const [index, share] of [0.15, 0.3, 0.45].entries()) {
      yield* until(share)
      yield* terminateBackends(world.database, 5)
      const process = index === 1 ? workersOf(world)[0] : apisOf(world)[index % 2]
      if (process === undefined) continue
      yield* Effect.sleep(chance.next() * 1000)
      yield* killProcess(process)
      yield* startAgain(process)
    }
    yield* until(0.75)
    yield* world.database.stopImmediately
  })

/** Lets all clients work on what they share, through faults, until there were enough calls and seconds. */
export const soaked = (world: World, { clients: callers, operations, seconds, minutes, seed }: Extent) =>
  Effect.gen(function* () {
    const dispatcher = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 48, keepAliveTimeout: 1000 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const limitedKey = yield* aLimitedKey(world)
    const issues = yield* sharedIssues(world)
    yield* world.database.rows("UPDATE workspaces SET credit_usd = 1000")
    const before = yield* moneyOf(world.database)
    const entryKeys = Array.from({ length: 8 }, (_, n) => `shared-${n}`)
    const shared: Shared = {
      ...{ world, dispatcher, issues, entryKeys },
      ...{ calls: [], codes: new Map(), longest: 0, answered: 0, marks: 0 }
    }
    const startedAt = performance.now()
    const progress = () => {
      const passed = (performance.now() - startedAt) / 1000
      const limit = minutes === 0 ? 0 : passed / 60 / minutes
      const called = operations === 0 ? 1 : shared.answered / operations
      return Math.max(limit, Math.min(called, seconds === 0 ? 1 : passed / seconds))
    }
    const working = (client: Client) =>
      Effect.gen(function* () {
        while (progress() < 1) yield* sharedStep(shared, client)
      })
    const clients = Array.from({ length: callers }, (_, n): Client => {
      const index = n % world.keys.length
      return { index, chance: new Chance(seed * 100 + n), fences: new Map(), etags: new Map() }
    })
    const first = { ...{ world, record: aRecord(), dispatcher, key: world.keys[0] ?? "", chance: new Chance(seed) } }
    const submitter = aSubmitter({ ...first, observations: new Map(), entries: new Map(), issues: [] }, 2)
    const limitSeconds = Math.max(10, Math.min(seconds === 0 ? 60 : seconds, 60) * 0.6)
    const [limited] = yield* Effect.raceFirst(
      Effect.all(
        [
          underLimit(world, dispatcher, limitedKey, perMinute, startedAt + limitSeconds * 1000),
          disturbing(world, new Chance(seed + 7), progress),
          Effect.forEach(clients, working, { concurrency: "unbounded", discard: true })
        ],
        { concurrency: "unbounded" }
      ),
      Effect.zipRight(Effect.all([supervise(world), submitting(submitter)], { concurrency: 2 }), Effect.never)
    )
    const elapsed = (performance.now() - startedAt) / 1000
    yield* settled(world, 3)
    const kept = yield* keptState(world.database, before)
    return { shared, kept, limited: [limited] as ReadonlyArray<Limited>, seconds: elapsed }
  })
