import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { ok, warn } from "./Found.ts"

interface Relation {
  readonly name: string
  readonly bytes: number
}

interface Growth {
  readonly bytes: number
  readonly largest: ReadonlyArray<Relation>
  /** The newest size that is a week old, or the oldest there is. */
  readonly earlier: { readonly bytes: number; readonly days: number } | null
}

interface Run {
  readonly kind: string
  readonly ended_ms: number
  readonly deleted: number
  readonly error: string | null
}

const size = (bytes: number): string => {
  const mib = bytes / 1024 ** 2
  return mib >= 1024 ? `${(mib / 1024).toFixed(1)} GiB` : `${mib.toFixed(mib < 10 ? 1 : 0)} MiB`
}

/** Tables of this migration are not there yet in a database of an older version. */
const isMigrated = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly there: boolean }>`SELECT to_regclass('retention_runs') IS NOT NULL AS there`,
    ([row]) => row?.there === true
  )

const notYet = ok("shown once the migrations are applied")

const growthOf = (sql: SqlClient.SqlClient) =>
  sql<Growth>`
    SELECT pg_database_size(current_database())::float8 AS bytes,
      (SELECT jsonb_agg(jsonb_build_object('name', name, 'bytes', bytes)) FROM (
        SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND n.nspname IN (current_schema(), 'engine')
        ORDER BY bytes DESC LIMIT 3) t) AS largest,
      (SELECT jsonb_build_object('bytes', bytes, 'days', current_date - day) FROM storage_samples
        WHERE day < current_date ORDER BY day > current_date - 7, abs(day - (current_date - 7)) LIMIT 1) AS earlier`

/** How large the database is, what it has grown by, and what takes most of it. */
const growth = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* isMigrated(sql))) return notYet
  const [found] = yield* growthOf(sql)
  const { bytes, largest, earlier } = found!
  const tables = largest.map((table) => `${table.name} ${size(table.bytes)}`).join(", ")
  if (earlier === null) return ok(`${size(bytes)}, most of it in ${tables}; its growth shows from tomorrow on`)
  const change = bytes - earlier.bytes
  const since = `${size(Math.abs(change))} ${change < 0 ? "less" : "more"} than ${earlier.days} ${earlier.days === 1 ? "day" : "days"} ago`
  return ok(`${size(bytes)}, ${since}, most of it in ${tables}`)
})

/** Runs are an hour apart. */
const latestRun = 24 * 3_600_000

/** What retention last did. */
const retention = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* isMigrated(sql))) return notYet
  const runs = yield* sql<Run>`
    SELECT kind, extract(epoch FROM ended_at)::float8 * 1000 AS ended_ms, deleted::int AS deleted, error FROM retention_runs
    ORDER BY kind`
  if (runs.length === 0) return ok("has not run yet; it runs every hour where jobs run")
  const failed = runs.filter(({ error }) => error !== null).map(({ kind }) => kind)
  const ended = Math.max(...runs.map(({ ended_ms }) => ended_ms))
  const deleted = runs.filter((run) => run.deleted > 0).map((run) => `${run.deleted} ${run.kind.replaceAll("_", " ")}`)
  const at = new Date(ended).toISOString().slice(0, 16).replace("T", " ")
  const detail = `last run ended ${at} UTC and deleted ${deleted.length === 0 ? "nothing" : deleted.join(", ")}`
  if (failed.length > 0) return warn(`${detail}; it failed for ${failed.join(", ")}, as the log says`)
  return (yield* Clock.currentTimeMillis) - ended > latestRun
    ? warn(`${detail}; it should run every hour, where jobs run`)
    : ok(detail)
})

/** The checks of what the database holds. */
export const storageChecks = { growth, retention }
