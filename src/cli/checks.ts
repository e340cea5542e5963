import { mkdir, statfs } from "node:fs/promises"
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Layer } from "effect"
import type { AppConfig } from "../layers/Config.ts"
import { joined, SqlLive } from "../layers/Database.ts"
import { usableGit } from "../layers/git/program.ts"
import { pendingMigrations } from "../layers/Migrations.ts"
import { explain } from "./failures.ts"

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

const check = <E>(name: string, effect: Effect.Effect<string, E>): Effect.Effect<CheckResult> =>
  effect.pipe(
    Effect.timeout("60 seconds"),
    Effect.sandbox,
    Effect.match({
      onSuccess: (detail) => ({ name, ok: true, detail }),
      onFailure: (cause) => ({ name, ok: false, detail: explain(cause.pipe(squash)) })
    })
  )

const squash = (cause: { readonly _tag: string }): unknown =>
  "error" in cause ? cause.error : "defect" in cause ? cause.defect : cause

const minFreeBytes = 1024 ** 3
const maxSkewMillis = 30_000

const disk = (dataDir: string) =>
  Effect.tryPromise(async () => {
    await mkdir(dataDir, { recursive: true })
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free at ${dataDir}`
    if (free < minFreeBytes) throw new Error(`only ${detail}`)
    return detail
  })

const database = (config: AppConfig) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly version: string; readonly millis: number }>`
      SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp())::float8 * 1000 AS millis`
    const { version, millis } = rows[0]!
    const pending = yield* pendingMigrations()
    const skew = Math.abs((yield* Clock.currentTimeMillis) - millis)
    if (skew > maxSkewMillis)
      return yield* Effect.fail(new Error(`its clock and ours differ by ${Math.round(skew)} ms`))
    const state = pending.length === 0 ? "up to date" : `${pending.length} migrations to apply (assay migrate)`
    return `PostgreSQL ${version}, ${state}, clocks agree within ${Math.round(skew)} ms`
  }).pipe(
    Effect.provide(SqlLive.pipe(Layer.provide(joined({ dataDir: config.dataDir, databaseUrl: config.databaseUrl }))))
  )

const proxies = (config: AppConfig) =>
  Effect.succeed(
    config.trustedProxies.length === 0
      ? "none trusted: clients are who connects"
      : `X-Forwarded-For is believed from ${config.trustedProxies.join(", ")}`
  )

/** What `assay doctor` reports. */
export const runChecks = (config: AppConfig): Effect.Effect<ReadonlyArray<CheckResult>> =>
  Effect.all(
    [
      check("git", usableGit),
      check("disk", disk(config.dataDir)),
      check("database", database(config)),
      check("proxies", proxies(config))
    ],
    { concurrency: 1 }
  )
