import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { type JobId, KeyId, UserId } from "../../src/schema/Ids.ts"
import { CpuRate } from "../../src/services/forecasts/Forecasts.ts"
import { climb } from "../../src/services/forecasts/ladder.ts"
import { JobsRepo } from "../../src/services/jobs/JobsRepo.ts"
import { newId } from "../../src/services/support/ids.ts"
import { keyCredential } from "./credential.ts"
import { JobsOverDatabase, type Tenant } from "./jobs.ts"

const cpuSeconds = climb(
  { workflow: "standard_audit", agent_runner: null, stages: null, lines: null, cpuSecondUsd: 1 },
  []
).cost_mid

/** A CPU second's price at which a first `standard_audit` is forecast to cost one dollar. */
export const aDollarAJob = Layer.succeed(CpuRate, 1 / cpuSeconds)

export const JobsThatCostADollar = JobsOverDatabase.pipe(Layer.provide(aDollarAJob))

export interface Limits {
  readonly credit_usd: number | null
  readonly spend_paused: boolean
  readonly spend_per_hour_usd: number | null
  readonly job_cap_usd: number | null
  readonly max_queued: number | null
  readonly max_running: number | null
  readonly entitled_workflows: ReadonlyArray<string> | null
  readonly features: ReadonlyArray<string>
}

export const limit = ({ caller }: Pick<Tenant, "caller">, limits: Partial<Limits>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(sql`UPDATE workspaces SET ${sql.update(limits)} WHERE id = ${caller.workspace_id}`)
  )

export const creditOf = ({ caller }: Pick<Tenant, "caller">) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly credit: number | null }>`
      SELECT credit_usd::float8 AS credit FROM workspaces WHERE id = ${caller.workspace_id}`
    return rows[0]?.credit ?? null
  }).pipe(Effect.orDie)

/** The ledger as `kind amount`, in order. */
export const ledgerOf = ({ caller }: Pick<Tenant, "caller">) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly kind: string; readonly amount: number }>`
      SELECT kind, amount_usd::float8 AS amount FROM spend_entries
      WHERE workspace_id = ${caller.workspace_id} ORDER BY at, array_position(ARRAY['reserve', 'release', 'settle'], kind)`
    return rows.map(({ kind, amount }) => `${kind} ${amount}`)
  }).pipe(Effect.orDie)

/** As if a worker ran the job and it had cost that much so far; not when it ended meanwhile. */
export const running = (id: string, cost: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.formatIso(yield* DateTime.now)
    yield* sql`
      UPDATE jobs SET status = 'running', started_at = coalesce(started_at, ${at}), cost_usd = cost_usd + ${cost}
      WHERE id = ${id} AND status IN ('pending', 'running')`
  }).pipe(Effect.orDie)

export const over = (id: JobId, end: "completed" | "timeout" | "worker_lost") =>
  Effect.gen(function* () {
    const repo = yield* JobsRepo
    const at = DateTime.formatIso(yield* DateTime.now)
    return yield* end === "completed"
      ? repo.complete({ id, run: 1, last_stage: null, at })
      : repo.fail({ id, run: 1, failure_kind: end, error: "It did not work.", at })
  })

/** The tenant as a key of its own that may spend so much an hour. */
export const limitKey = (tenant: Tenant, usd: number): Effect.Effect<Tenant, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [id, user] = [yield* newId(KeyId), yield* newId(UserId)]
    const at = "2026-01-01T00:00:00Z"
    yield* sql`INSERT INTO users (id, email, created_at) VALUES (${user}, ${`${user}@example.org`}, ${at})`
    yield* sql`
      INSERT INTO api_keys (id, workspace_id, hash, name, prefix, scopes, dollars_per_hour, created_by, created_at)
      VALUES (${id}, ${tenant.caller.workspace_id}, ${Buffer.from(id)}, 'limited', 'asy_limited1', '{}', ${usd}, ${user},
        ${at})`
    return {
      ...tenant,
      caller: {
        ...tenant.caller,
        actor: { ...tenant.caller.actor, api_key_id: id },
        credential: keyCredential(id, user)
      }
    }
  }).pipe(Effect.orDie)
