import { Effect, Schedule } from "effect"
import { Agent } from "undici"
import type { FailureKind } from "../../src/schema/Job.ts"
import { Chance } from "../support/generate.ts"
import type { ChaosDatabase } from "./ChaosDatabase.ts"
import { aRecord, type Client, type Record, working } from "./Client.ts"
import { count, type Figure, none, seconds, spread } from "./figures.ts"
import { keptOf } from "./kept.ts"
import { compared, type KeptJob } from "./ledger.ts"
import { aSubmitter, submitting } from "./Submitter.ts"
import { supervise, type World } from "./World.ts"

export interface LoadOptions {
  readonly seed: number
  /** Mean pause of a client between two calls. */
  readonly pauseMillis: number
  /** Jobs that may wait or run at a time. */
  readonly jobs: number
}

const aClient = (world: World, record: Record, dispatcher: Agent, seed: number, index: number): Client => ({
  world,
  record,
  dispatcher,
  key: world.keys[index] ?? "",
  chance: new Chance(seed * 1000 + index),
  observations: new Map(
    world.observations.filter((_, n) => n % world.keys.length === index).map((ref) => [ref, true] as const)
  ),
  entries: new Map(),
  issues: []
})

/** Lets all clients work while the faults are made; what they have seen. */
export const underLoad = <R>(
  world: World,
  options: LoadOptions,
  faults: Effect.Effect<void, never, R>,
  record: Record = aRecord()
) =>
  Effect.gen(function* () {
    const dispatcher = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 32, keepAliveTimeout: 1000 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const clients = world.keys.map((_, index) => aClient(world, record, dispatcher, options.seed, index))
    const [first] = clients
    const load = Effect.all(
      [
        supervise(world),
        ...clients.map((client) => working(client, options.pauseMillis)),
        ...(first === undefined ? [] : [submitting(aSubmitter(first, options.jobs))])
      ],
      { concurrency: "unbounded", discard: true }
    )
    yield* Effect.raceFirst(faults, load)
    return record
  })

/** How many jobs and missions have not ended. */
export const unfinishedIn = (database: Pick<ChaosDatabase, "rows">) =>
  Effect.map(
    database.rows<{ readonly n: number }>(
      `SELECT (SELECT count(*)::int FROM jobs WHERE status IN ('pending', 'running'))
        + (SELECT count(*)::int FROM missions WHERE status = 'running') AS n`
    ),
    ([row]) => row?.n ?? 0
  )

/** Waits until no job waits or runs, at most so many minutes. */
export const settled = (world: World, minutes: number) =>
  Effect.raceFirst(
    Effect.repeat(unfinishedIn(world.database), { until: (n) => n === 0, schedule: Schedule.spaced("500 millis") }),
    supervise(world)
  ).pipe(Effect.timeout(`${minutes} minutes`), Effect.ignore)

const byWorkflow = (jobs: ReadonlyArray<KeptJob>) => {
  const counts = new Map<string, number>()
  for (const { workflow } of jobs) counts.set(workflow, (counts.get(workflow) ?? 0) + 1)
  return [...counts].map(([name, n]) => `${name} ${n}`).join(", ")
}

export interface LedgerReport {
  readonly figures: ReadonlyArray<Figure>
  readonly details: ReadonlyArray<string>
}

/** Failures that are the fault of the service or of its surroundings, not of the job's subject. */
const ownFailures: ReadonlySet<string> = new Set<FailureKind>([
  "internal",
  "worker_lost",
  "timeout",
  "repo_unavailable",
  "clone_failed"
])

/** What became of everything that the clients asked for. */
export const ledgerReport = (world: World, record: Record, expectedFailures: ReadonlyArray<FailureKind> = []) =>
  Effect.gen(function* () {
    yield* settled(world, 5)
    const kept = yield* keptOf(world.database)
    const { lost, doubled, unexplained } = compared(record.ledger, kept)
    const isOwn = ({ failure_kind }: KeptJob) =>
      ownFailures.has(failure_kind ?? "") && !expectedFailures.some((kind) => kind === failure_kind)
    const sayFailure = ({ id, workflow, failure_kind, error }: KeptJob) =>
      `${workflow} ${id} failed: ${failure_kind}, ${error}`
    const failed = kept.jobs.filter(({ status }) => status === "failed")
    const failures = failed.filter(isOwn).map(sayFailure)
    const { middle, p95, largest } = spread(record.seconds)
    const open = record.ledger.filter(({ outcome }) => outcome === "open").length
    const rejections = [...record.codes].filter(([code]) => code !== "ok").map(([code, n]) => `${code} ${n}`)
    return {
      figures: [
        count("calls", record.seconds.length),
        count("calls, middle and 95th percentile", `${middle.toFixed(3)} s, ${p95.toFixed(3)} s`),
        seconds("longest call", largest, 10),
        count("entries of the ledger (open)", `${record.ledger.length} (${open})`),
        count("jobs", `${kept.jobs.length}: ${byWorkflow(kept.jobs)}`),
        none("acknowledged and lost", lost),
        none("doubled", doubled),
        none("unexplained or unrecorded", unexplained),
        none("jobs failed by a fault", failures),
        none("calls that ended as internal_error", record.faults),
        count(
          "processes that ended by themselves",
          world.processes.reduce((sum, { ownEnds }) => sum + ownEnds, 0)
        ),
        count("responses other than ok", rejections.join(", ") || "none")
      ],
      details: [
        ...lost,
        ...doubled,
        ...unexplained,
        ...failures,
        ...record.faults,
        ...failed.filter((job) => !isOwn(job)).map(sayFailure)
      ]
    } satisfies LedgerReport
  })
