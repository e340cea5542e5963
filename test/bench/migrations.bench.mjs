import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Logger, LogLevel, Redacted } from "effect"
import pg from "pg"
import { startEmbeddedPostgres } from "../../dist/layers/EmbeddedPostgres.js"
import { migrate } from "../../dist/layers/Migrations.js"
import { migrations } from "../../dist/layers/migrations/index.js"
import { upToDate } from "../../dist/layers/OnlineIndexes.js"
import { layerFromConnection } from "../../dist/layers/Sql.js"
import { fillWorkspace, withoutIndexes } from "./api/fill.mjs"
import { machineLoad, option } from "./api/servers.mjs"
import { readers } from "./migrations/readers.mjs"

const workspace = "018f2f2c-0000-7000-8000-000000000001"
const idOf = (name) => Number.parseInt(name, 10)

/** The migrations up to a number; by default all but the newest: those of the previous schema. */
const until = (number) => {
  const ids = Object.keys(migrations).map(idOf)
  const last = number ?? ids.sort((a, b) => a - b).at(-2)
  return { last, record: Object.fromEntries(Object.entries(migrations).filter(([name]) => idOf(name) <= last)) }
}

const fill = async (client, observations) => {
  await client.query("SET synchronous_commit = off")
  await client.query("INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'bench', now())", [workspace])
  await withoutIndexes(client, ["observations", "observation_events"], () =>
    fillWorkspace(client, workspace, { repositories: 20, jobs: Math.ceil(observations / 10), observations })
  )
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
}

const ms = (number) => `${number.toFixed(number < 10 ? 1 : 0)} ms`.padStart(9)

/** What readers of each table wait at most while `effect` runs, and for how long it runs. */
const measured = (name, connection, count, effect) =>
  Effect.gen(function* () {
    const reading = yield* Effect.promise(() => readers(connection, { workspace, count }))
    const since = performance.now()
    const result = yield* effect
    const seconds = (performance.now() - since) / 1000
    const tables = yield* Effect.promise(() => reading.stop())
    console.log(`\n${name}: ${seconds.toFixed(1)} s; load ${machineLoad()}`)
    for (const { table, took } of tables) {
      console.log(
        `  ${table.padEnd(20)}${String(took.length).padStart(6)} reads   middle ${ms(took[took.length >> 1])}   ` +
          `99th percentile ${ms(took[Math.floor(took.length * 0.99)])}   longest ${ms(took.at(-1))}`
      )
    }
    return { result, longest: Math.max(...tables.map(({ took }) => took.at(-1))) }
  })

/**
 * Claim: migrations never keep a reader waiting for more than a second at 1,000,000 observations. It fills a database at the
 * previous schema, and brings it up to date, as a start does, while readers go on.
 * `npm run bench -- migrations [--observations=1000000] [--from=50]`; `--from` is the number of the last migration before.
 */
export const run = (args) => {
  const observations = Number(option(args, "observations", "1000000"))
  const from = option(args, "from", undefined)
  const { last, record } = until(from === undefined ? undefined : Number(from))
  const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-migrations-"))
  chmodSync(dataDir, 0o755)
  return Effect.gen(function* () {
    const { connection } = yield* startEmbeddedPostgres({ dataDir })
    const sql = layerFromConnection(connection, { maxConnections: 2 })
    yield* Effect.provide(migrate(record), sql)
    const plain = { ...connection, password: Redacted.value(connection.password) }
    const client = new pg.Client(plain)
    const before = performance.now()
    yield* Effect.promise(async () => {
      await client.connect()
      await fill(client, observations)
      await client.end()
    })
    const minutes = ((performance.now() - before) / 60_000).toFixed(1)
    console.log(`${observations} observations at the schema of migration ${last}, filled in ${minutes} min`)
    yield* measured("without a migration", plain, observations, Effect.sleep("10 seconds"))
    const { result, longest } = yield* measured(
      `migrations ${last + 1} and later, and the indexes`,
      plain,
      observations,
      Effect.provide(upToDate, sql)
    )
    console.log(`\nmigrations run: ${result.map(([id, name]) => `${id} ${name}`).join(", ")}`)
    console.log(`longest wait of a reader: ${ms(longest).trim()} (aim 1000 ms)`)
    if (longest > 1000) process.exitCode = 1
  }).pipe(
    Effect.scoped,
    Logger.withMinimumLogLevel(LogLevel.Warning),
    Effect.ensuring(Effect.sync(() => rmSync(dataDir, { recursive: true, force: true }))),
    Effect.runPromise
  )
}
