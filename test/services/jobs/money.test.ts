import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, FastCheck as fc } from "effect"
import { type JobId } from "../../../src/schema/Ids.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { Submissions } from "../../../src/services/jobs/Submissions.ts"
import { inForm } from "../../support/forms.ts"
import { as, aTenant, submitted, type Tenant } from "../../support/jobs.ts"
import { creditOf, JobsThatCostADollar, ledgerOf, limit, over, running } from "../../support/money.ts"

const submit = (tenant: Tenant, depth = 1) => submitted(tenant, "standard_audit", { depth })

layer(JobsThatCostADollar)("the middle of the forecast", (it) => {
  it.effect("is reserved at submit, and settled with the actual cost when the job completes", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { credit_usd: 20 })
      const job = yield* submit(tenant)
      assert.strictEqual(job.forecast?.cost_mid, 1)
      assert.deepStrictEqual(yield* ledgerOf(tenant), ["reserve 1"])
      assert.strictEqual(yield* creditOf(tenant), 20)
      yield* running(job.id, 0.25)
      yield* running(job.id, 0.5)
      assert.isTrue(yield* over(job.id, "completed"))
      assert.deepStrictEqual(yield* ledgerOf(tenant), ["reserve 1", "release 1", "settle 0.75"])
      assert.strictEqual(yield* creditOf(tenant), 19.25)
    })
  )

  it.effect("is settled when the job fails, and when its worker is lost", () =>
    Effect.gen(function* () {
      for (const kind of ["timeout", "worker_lost"] as const) {
        const tenant = yield* aTenant()
        yield* limit(tenant, { credit_usd: 20 })
        const job = yield* submit(tenant)
        yield* running(job.id, 3)
        yield* over(job.id, kind)
        assert.deepStrictEqual(yield* ledgerOf(tenant), ["reserve 1", "release 1", "settle 3"])
        assert.strictEqual(yield* creditOf(tenant), 17)
      }
    })
  )

  it.effect("is given back when a pending job is cancelled; what a running one spent is kept", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { credit_usd: 20 })
      const jobs = yield* Jobs
      const [pending, busy] = [yield* submit(tenant, 1), yield* submit(tenant, 2)]
      yield* running(busy.id, 0.4)
      for (const { id } of [pending, busy, pending, busy]) yield* as(tenant)(jobs.cancel(id))
      assert.strictEqual(yield* creditOf(tenant), 19.6)
      assert.sameMembers(
        [...(yield* ledgerOf(tenant))],
        ["reserve 1", "reserve 1", "release 1", "release 1", "settle 0", "settle 0.4"]
      )
    })
  )

  it.effect("is settled for every job of a repository that is deleted", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { credit_usd: 20 })
      const jobs = yield* Jobs
      const [one, two] = [yield* submit(tenant, 1), yield* submit(tenant, 2)]
      yield* running(one.id, 0.5)
      yield* running(two.id, 0.25)
      yield* as(tenant)(jobs.cancelAllOf(tenant.repository_id))
      assert.strictEqual(yield* creditOf(tenant), 19.25)
    })
  )

  it.effect("is reserved for a workspace that is not metered, too, without a balance", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const job = yield* submit(tenant)
      yield* running(job.id, 2)
      yield* over(job.id, "completed")
      assert.deepStrictEqual(yield* ledgerOf(tenant), ["reserve 1", "release 1", "settle 2"])
      assert.strictEqual(yield* creditOf(tenant), null)
    })
  )

  it.effect("stays on the job beside what it did cost", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const jobs = yield* Jobs
      const submissions = yield* Submissions
      const { id, forecast } = yield* submit(tenant)
      yield* running(id, 2)
      yield* over(id, "completed")
      const job = yield* as(tenant)(jobs.get(id))
      assert.deepStrictEqual([job.cost_usd, job.forecast], [2, forecast])
      assert.strictEqual(job.forecast?.source, "default")
      const next = yield* as(tenant)(submissions.submit({ path: tenant.path, workflow: "standard_audit", force: true }))
      assert.deepStrictEqual(
        [next.job.forecast?.source, next.job.forecast?.cost_mid, next.job.forecast?.sample_size],
        ["repo+workflow", 2, 1]
      )
    })
  )
})

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("submit" as const), depth: fc.nat(5) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("run" as const), job: fc.nat(30), nano: fc.nat(4_000_000_000) })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      job: fc.nat(30),
      how: fc.constantFrom("completed" as const, "timeout" as const, "worker_lost" as const)
    })
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "retry" as const), job: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancelAll" as const) }) }
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never
/** Steps of one round are taken at once. */
const schedules = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 12 })

layer(JobsThatCostADollar)("money", (it) => {
  const take = (tenant: Tenant, known: Array<JobId>, one: Step) =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const submissions = yield* Submissions
      const id = "job" in one ? known[one.job % Math.max(1, known.length)] : undefined
      if (one.do === "submit") known.push((yield* submit(tenant, one.depth)).id)
      if (one.do === "cancelAll") yield* as(tenant)(jobs.cancelAllOf(tenant.repository_id))
      if (id === undefined) return
      if (one.do === "run") yield* running(id, one.nano / 1e9)
      if (one.do === "end") yield* over(id, one.how)
      if (one.do === "cancel") yield* as(tenant)(jobs.cancel(id))
      if (one.do === "retry") known.push((yield* as(tenant)(submissions.retry(id))).job.id)
    }).pipe(Effect.either)

  const books = ({ caller }: Tenant) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<Record<string, string>>`
        WITH per_job AS (
          SELECT j.id, j.status, j.finished_at IS NOT NULL AS ended, round(j.cost_usd::numeric, 9) AS cost, j.reserved_usd,
            sum(e.amount_usd) FILTER (WHERE e.kind = 'reserve') AS reserved,
            sum(e.amount_usd) FILTER (WHERE e.kind = 'release') AS released,
            sum(e.amount_usd) FILTER (WHERE e.kind = 'settle') AS settled
          FROM jobs j LEFT JOIN spend_entries e ON e.job_id = j.id
          WHERE j.workspace_id = ${caller.workspace_id} GROUP BY j.id
        )
        SELECT
          (SELECT credit_usd FROM workspaces WHERE id = ${caller.workspace_id}) + coalesce(sum(settled), 0) AS money,
          count(*) FILTER (WHERE reserved IS DISTINCT FROM reserved_usd)::text AS wrongly_reserved,
          count(*) FILTER (WHERE ended AND (released IS DISTINCT FROM reserved OR settled IS DISTINCT FROM cost))::text
            AS wrongly_ended,
          count(*) FILTER (WHERE NOT ended AND (released IS NOT NULL OR settled IS NOT NULL))::text AS wrongly_open,
          count(*) FILTER (WHERE ended)::text AS ended
        FROM per_job`
      return rows[0]!
    }).pipe(Effect.orDie)

  it.effect(
    "is conserved over random schedules of submit, run, cancel, fail, finish and retry",
    () =>
      Effect.gen(function* () {
        const runs = inForm({ short: 16, long: 40 })
        let ended = 0
        for (const schedule of fc.sample(schedules, { numRuns: runs, seed: 20_260_101 })) {
          const tenant = yield* aTenant()
          yield* limit(tenant, { credit_usd: 25 })
          const known: Array<JobId> = []
          for (const round of schedule) {
            yield* Effect.forEach(round, (one) => take(tenant, known, one), { concurrency: "unbounded" })
            const { ended: n, ...found } = yield* books(tenant)
            assert.deepStrictEqual(
              found,
              { money: "25.000000000", wrongly_reserved: "0", wrongly_ended: "0", wrongly_open: "0" },
              JSON.stringify(schedule)
            )
            ended += Number(n)
          }
        }
        assert.isAbove(ended, 2 * runs)
      }),
    600_000
  )

  it.effect("is never promised twice: of many submissions at once as many are admitted as the credit covers", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { credit_usd: 5.5 })
      const answers = yield* Effect.forEach(
        Array.from({ length: 15 }, (_, depth) => depth),
        (depth) => Effect.either(submit(tenant, depth)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(Either.isRight).length, 5)
      for (const answer of answers) if (Either.isLeft(answer)) assert.strictEqual(answer.left._tag, "CreditExhausted")
    })
  )
})
