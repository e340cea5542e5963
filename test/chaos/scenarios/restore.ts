import { join } from "node:path"
import { Effect, Schedule } from "effect"
import pg from "pg"
import { assay } from "../../support/assayCommand.ts"
import { Chance } from "../../support/generate.ts"
import { aTemporaryFolder } from "../../support/server.ts"
import { aChaosDatabase, type ChaosDatabase } from "../ChaosDatabase.ts"
import { aRecord } from "../Client.ts"
import { count, none, reached, spread } from "../figures.ts"
import { keptOf } from "../kept.ts"
import { compared, type Entry, type Kept } from "../ledger.ts"
import { ledgerReport, underLoad, unfinishedIn } from "../load.ts"
import { endOf, faultsInTurn, planned } from "../pace.ts"
import type { Scenario } from "../Scenario.ts"
import { aProcess, aWorld, type World } from "../World.ts"

/** A backup that was made while clients wrote. */
interface Backup {
  readonly file: string
  readonly seconds: number
  /** What had been acknowledged before it began. */
  readonly before: ReadonlySet<Entry>
  /** The first mark that was sent after its end. */
  readonly firstAfter: number
}

const succeeded = (args: ReadonlyArray<string>, url: string) =>
  Effect.gen(function* () {
    const since = performance.now()
    const { status, stderr } = yield* assay(args, { env: { DATABASE_URL: url } })
    if (status !== 0) return yield* Effect.dieMessage(`assay ${args[0]} ended with ${status}: ${stderr}`)
    return (performance.now() - since) / 1000
  })

/** A new, empty database on the same server. */
const anEmptyDatabase = (database: ChaosDatabase, name: string) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => database.pool.query(`CREATE DATABASE ${name}`))
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new pg.Pool({ connectionString: url.href, max: 2 })),
      (made) => Effect.promise(() => made.end())
    )
    const rows: ChaosDatabase["rows"] = (text, values = []) =>
      Effect.promise(() => pool.query(text, [...values]).then((result) => result.rows))
    return { url: url.href, rows }
  })

const numberOf = (mark: string) => Number(/^mark-(\d+)-/.exec(mark)?.[1] ?? 0)

/** What a client sent before the end of the backup may be in it; it must be when it was acknowledged before its start. */
const expectedOf = (ledger: ReadonlyArray<Entry>, before: ReadonlySet<Entry>): ReadonlyArray<Entry> =>
  ledger.map((entry) =>
    entry.outcome === "acknowledged" && !before.has(entry) ? { ...entry, outcome: "open" as const } : entry
  )

const fromAfter = ({ marks }: Kept, { firstAfter }: Backup) =>
  marks.filter(({ mark }) => numberOf(mark) >= firstAfter).map(({ kind, mark }) => `${kind} ${mark} was sent later.`)

/** The backup in a database of its own, once a process that runs on it has brought all jobs to their end. */
const restored = (world: World, folder: string, ledger: ReadonlyArray<Entry>, backup: Backup, index: number) =>
  Effect.gen(function* () {
    const database = yield* anEmptyDatabase(world.database, `restored_${index}`)
    const took = yield* succeeded(["restore", backup.file], database.url)
    const process = yield* aProcess({ database, folder }, world.repository, "all", 100 + index)
    yield* Effect.repeat(unfinishedIn(database), {
      until: (n) => n === 0,
      schedule: Schedule.spaced("500 millis")
    }).pipe(Effect.timeout("5 minutes"), Effect.ignore)
    const kept = yield* keptOf(database)
    if (process.server !== null) yield* process.server.stop
    return {
      took,
      marks: kept.marks.length,
      later: fromAfter(kept, backup),
      ...compared(expectedOf(ledger, backup.before), kept)
    }
  }).pipe(Effect.scoped)

export const restore: Scenario = {
  name: "restore",
  summary: "backups while clients write and jobs run, each restored into an empty database (5)",
  run: (options) =>
    Effect.gen(function* () {
      const database = yield* aChaosDatabase()
      const folder = yield* aTemporaryFolder
      const world = yield* aWorld({ database, folder, roles: ["api", "api", "worker"], clients: 6 })
      const record = aRecord()
      const chance = new Chance(options.seed)
      const most = planned(5, options)
      let backups: ReadonlyArray<Backup> = []
      const faults = faultsInTurn(most, endOf(options), (index) =>
        Effect.gen(function* () {
          yield* Effect.sleep(8000 + chance.next() * 8000)
          const file = join(folder, `${index}.assay`)
          const before = new Set(record.ledger.filter(({ outcome }) => outcome === "acknowledged"))
          const took = yield* succeeded(["backup", file], database.url)
          return { file, seconds: took, before, firstAfter: record.marks }
        })
      ).pipe(
        Effect.zipLeft(Effect.sleep("5 seconds")),
        Effect.map((made) => {
          backups = made
        })
      )
      yield* underLoad(world, { seed: options.seed, pauseMillis: 250, jobs: 6 }, faults, record)
      const ledger = yield* ledgerReport(world, record)
      const all = yield* Effect.forEach(backups, (backup, index) =>
        restored(world, folder, record.ledger, backup, index)
      )
      const [lost, doubled, unexplained, later] = [
        all.flatMap((one) => one.lost),
        all.flatMap((one) => one.doubled),
        all.flatMap((one) => one.unexplained),
        all.flatMap((one) => one.later)
      ]
      return {
        figures: [
          reached("backups under load, each restored", all.length, most),
          count("changes in them", all.map(({ marks }) => marks).join(", ")),
          count("backup, longest", `${spread(backups.map((backup) => backup.seconds)).largest.toFixed(1)} s`),
          count("restore, longest", `${spread(all.map(({ took }) => took)).largest.toFixed(1)} s`),
          none("acknowledged before a backup, and not in it", lost),
          none("doubled in a restored database", doubled),
          none("unexplained or unrecorded in a restored database", unexplained),
          none("sent after the end of a backup, and in it", later),
          ...ledger.figures
        ],
        details: [...lost, ...doubled, ...unexplained, ...later, ...ledger.details]
      }
    })
}
