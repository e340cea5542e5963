import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Array, Effect, FastCheck, Layer, TestClock } from "effect"
import { ObservationId, RepositoryId } from "../../../src/schema/Ids.ts"
import type { DismissalCategory, Domain, Priority } from "../../../src/schema/Observation.ts"
import type { TrendsQuery } from "../../../src/schema/Trends.ts"
import { ObservationStateRepo } from "../../../src/services/observations/ObservationStateRepo.ts"
import { Trends } from "../../../src/services/overview/Trends.ts"
import { TrendsRepo } from "../../../src/services/overview/TrendsRepo.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { as, aTenant, aWorkflow, submitted, type Tenant } from "../../support/jobs.ts"
import { over, running } from "../../support/money.ts"
import { observationsIn, servicesWith } from "../../support/services.ts"

const Services = Trends.Default.pipe(
  Layer.provide(TrendsRepo.Default),
  Layer.provideMerge(servicesWith(aWorkflow("standard_audit")))
)

const hour = 60 * 60 * 1000
const day = 24 * hour
/** The test clock starts at the epoch. */
const today = 60 * day + 7 * hour

type Event = "found" | "resurfaced" | "reopened" | "fixed" | "completed" | "expired" | "acknowledged" | "dismissed"
interface Step {
  readonly at: number
  readonly event: Event
  readonly category: DismissalCategory | null
}
interface Life {
  readonly priority: Priority
  readonly domain: Domain
  readonly rule: string
  readonly repository: "api" | "web" | "deleted"
  readonly steps: ReadonlyArray<Step>
}

const closings = ["fixed", "completed", "expired", "dismissed"] as const
const openings = ["reopened", "resurfaced"] as const

/** Found at some time, then closed, reopened, closed … with an acknowledgement here and there. */
const lives: FastCheck.Arbitrary<ReadonlyArray<Life>> = FastCheck.array(
  FastCheck.record({
    priority: FastCheck.constantFrom("P0" as const, "P1" as const, "P2" as const, "P3" as const),
    domain: FastCheck.constantFrom("security" as const, "testing" as const),
    rule: FastCheck.constantFrom("a.one", "b.two"),
    repository: FastCheck.constantFrom("api" as const, "api" as const, "web" as const, "deleted" as const),
    steps: FastCheck.array(
      FastCheck.record({
        pause: FastCheck.integer({ min: 0, max: 12 * day }),
        closing: FastCheck.constantFrom(...closings),
        opening: FastCheck.constantFrom(...openings),
        category: FastCheck.constantFrom("false_positive" as const, "wont_fix" as const),
        acknowledges: FastCheck.boolean()
      }),
      { minLength: 1, maxLength: 7 }
    )
  }),
  { minLength: 1, maxLength: 12 }
).map((made) =>
  made.map(({ steps, ...life }) => {
    const events: Array<Step> = []
    let at = 0
    let isOpen = false
    for (const { pause, closing, opening, category, acknowledges } of steps) {
      at += pause
      const event = events.length === 0 ? "found" : isOpen ? closing : opening
      events.push({ at, event, category: event === "dismissed" ? category : null })
      isOpen = !isOpen
      if (isOpen && acknowledges) events.push({ at: at + 1, event: "acknowledged", category: null })
    }
    return { ...life, steps: events.filter((step) => step.at < today) }
  })
)

const iso = (millis: number) => new Date(millis).toISOString()
const actor = { kind: "system", label: "audit", api_key_id: null, user_id: null } as const

const aRepository = (tenant: Tenant, name: string, deleted: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(RepositoryId)
    yield* sql`INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode,
        clone_url, created_at, deleted_at)
      VALUES (${id}, ${tenant.caller.workspace_id}, 'acme', ${name}, 'main', 'anonymous', 'https://example.org/',
        ${iso(0)}, ${deleted ? iso(0) : null})`
    return id
  }).pipe(Effect.orDie)

/** Lets an observation live its life, through the statements of the product. */
const lived = (tenant: Tenant, repository_id: string, { priority, domain, rule, steps }: Life) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const states = yield* ObservationStateRepo
    const { workspace_id } = tenant.caller
    const [first, ...later] = steps
    if (first === undefined) return
    const [ref] = yield* observationsIn(tenant, [{ priority, domain, repository_id, updated_at: iso(first.at) }])
    const found = yield* sql<{ readonly id: string }>`
      UPDATE observations SET rule_id = ${rule} WHERE workspace_id = ${workspace_id} AND 'OBS-' || number = ${ref!}
      RETURNING id`
    const id = ObservationId.make(found[0]!.id)
    const cause = (at: number) => ({ at: iso(at), actor, job_id: null })
    const event = { event: "found", from_status: null, to_status: "new", reason: null } as const
    yield* states.addEvents([{ ...event, observation_id: id, ...cause(first.at) }])
    for (const { at, event, category } of later) {
      const change = { workspace_id, id, ...cause(at) }
      if (event === "acknowledged") yield* states.change(change, { kind: "acknowledge" })
      else if (event === "reopened" || event === "resurfaced")
        yield* states.reopen({ ...change, event, reason: "again" })
      else if (event !== "found") {
        const dismissal = category === null ? {} : { dismissal_category: category, dismissal_note: "Looked at." }
        yield* states.close({ ...change, closing: { close_reason: event, ...dismissal } })
      }
    }
  }).pipe(Effect.orDie)

const aWorld = (all: ReadonlyArray<Life>) =>
  Effect.gen(function* () {
    const tenant = yield* aTenant()
    const ids = {
      api: tenant.repository_id,
      web: yield* aRepository(tenant, "web", false),
      deleted: yield* aRepository(tenant, "old", true)
    }
    yield* Effect.forEach(all, (life) => lived(tenant, ids[life.repository], life), { discard: true })
    yield* TestClock.setTime(today)
    return tenant
  })

const read = (tenant: Tenant, query: TrendsQuery) => as(tenant)(Effect.flatMap(Trends, (trends) => trends.read(query)))

const changesOf = ({ steps }: Life) => steps.filter(({ event }) => event !== "acknowledged")
const opens = ({ event }: Step) => event === "found" || event === "reopened" || event === "resurfaced"
const hundredths = (value: number) => Math.round(value * 100) / 100

const medianOf = (values: ReadonlyArray<number>) => {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2
}

/** Every bucket counted on its own, by replaying all lives from their beginning. */
const recounted = (all: ReadonlyArray<Life>, starts: ReadonlyArray<number>, size: number) => {
  const within = (start: number) => (step: Step) => step.at >= start && step.at < start + size
  const count = (keep: (step: Step) => boolean) => (start: number) => ({
    at: iso(start),
    value: all.flatMap(changesOf).filter((step) => within(start)(step) && keep(step)).length
  })
  const openAt = (end: number, priority: Priority) =>
    all.filter((life) => {
      const last = changesOf(life).findLast((step) => step.at < end)
      return life.priority === priority && last !== undefined && opens(last)
    }).length
  const daysToClose = (start: number) =>
    all.flatMap((life) =>
      changesOf(life).flatMap((step, index, steps) =>
        within(start)(step) && !opens(step) ? [(step.at - steps[index - 1]!.at) / day] : []
      )
    )
  const [from, to] = [starts[0]!, starts.at(-1)! + size]
  const decided = all.flatMap((life) => {
    const last = changesOf(life).findLast((step) => step.at >= from && step.at < to)
    return last !== undefined && !opens(last) && last.event !== "expired" ? [{ rule: life.rule, ...last }] : []
  })
  return {
    opened: starts.map(count(opens)),
    closed: starts.map(count((step) => !opens(step))),
    open_by_priority: starts.map((start) => {
      const end = start + size
      return {
        at: iso(start),
        P0: openAt(end, "P0"),
        P1: openAt(end, "P1"),
        P2: openAt(end, "P2"),
        P3: openAt(end, "P3")
      }
    }),
    median_days_to_close: starts.map((start) => {
      const median = medianOf(daysToClose(start))
      return { at: iso(start), value: median === null ? null : hundredths(median) }
    }),
    decisions: Object.entries(Array.groupBy(decided, ({ rule }) => rule))
      .map(([rule, of]) => [rule, of.length, of.filter(({ category }) => category === "false_positive").length])
      .sort()
  }
}

const shape = ({ series, false_positive_share_by_rule }: Effect.Effect.Success<ReturnType<typeof read>>) => {
  const { spend: _, forecast_coverage: __, ...history } = series
  const decisions = false_positive_share_by_rule.map((row) => [row.rule, row.decided, row.false_positive]).sort()
  return { ...history, decisions }
}

layer(Services, { timeout: "10 minutes" })("trends of spending", (it) => {
  it.effect("have what jobs cost, beside their forecasts, when they ended, and which forecasts held", () =>
    Effect.gen(function* () {
      const tenant = yield* aWorld([])
      const first = yield* submitted(tenant)
      const { cost_mid, cost_high } = first.forecast!
      yield* running(first.id, cost_high * 2)
      yield* over(first.id, "completed")
      yield* TestClock.adjust("1 day")
      const second = yield* submitted(tenant, "standard_audit", { depth: 2 })
      const asForecast = second.forecast!.cost_mid
      yield* running(second.id, asForecast)
      yield* over(second.id, "completed")
      const failed = yield* submitted(tenant, "standard_audit", { depth: 3 })
      yield* running(failed.id, 0.5)
      yield* over(failed.id, "timeout")
      const { series } = yield* read(tenant, { repo: "api@main" })
      const [before, after] = series.spend.slice(-2)
      assert.closeTo(before!.spent_usd, cost_high * 2, 1e-8)
      assert.closeTo(before!.forecast_usd, cost_mid, 1e-8)
      assert.closeTo(after!.spent_usd, asForecast + 0.5, 1e-8)
      assert.closeTo(after!.forecast_usd, asForecast + failed.forecast!.cost_mid, 1e-8)
      assert.deepStrictEqual(
        series.forecast_coverage.slice(-3).map(({ value }) => value),
        [null, 0, 1]
      )
      const elsewhere = (yield* read(tenant, { repo: "web@main" })).series
      assert.deepStrictEqual([...new Set(elsewhere.spend.map(({ spent_usd }) => spent_usd))], [0])
      assert.deepStrictEqual([...new Set(elsewhere.forecast_coverage.map(({ value }) => value))], [null])
    })
  )

  it.effect("are left out, and said to be, for a caller who may not read jobs", () =>
    Effect.gen(function* () {
      const { series, not_shown } = yield* read(yield* aTenant(["view_observations"]), {})
      assert.deepStrictEqual([series.spend, series.forecast_coverage, not_shown], [[], [], ["view_jobs"]])
      assert.strictEqual(series.opened.length, 30)
    })
  )
})

layer(Services, { timeout: "10 minutes" })("trends of observations", (it) => {
  it.effect.prop(
    "are what a replay of every observation's history counts, for any period, bucket and filter",
    {
      all: lives,
      from: FastCheck.integer({ min: 0, max: 59 }),
      length: FastCheck.integer({ min: 1, max: 60 }),
      bucket: FastCheck.constantFrom("day" as const, "week" as const),
      filter: FastCheck.constantFrom<TrendsQuery>({}, { repo: "api@main" }, { domain: "testing" }, { rule: "b.two" })
    },
    ({ all, from, length, bucket, filter }) =>
      Effect.gen(function* () {
        const tenant = yield* aWorld(all)
        const to = iso((from + length) * day)
        const found = yield* read(tenant, { from: iso(from * day), to, bucket, ...filter })
        const meant = all.filter(
          ({ repository, domain, rule }) =>
            repository !== "deleted" &&
            (filter.repo === undefined || repository === "api") &&
            (filter.domain === undefined || domain === filter.domain) &&
            (filter.rule === undefined || rule === filter.rule)
        )
        const starts = found.series.opened.map(({ at }) => Date.parse(at))
        assert.strictEqual(Date.parse(found.from), starts[0])
        assert.deepStrictEqual(shape(found), recounted(meant, starts, (bucket === "week" ? 7 : 1) * day))
      }),
    { timeout: 600_000, fastCheck: { numRuns: 30 } }
  )

  it.effect("have buckets without any change, and reject periods of too many or none", () =>
    Effect.gen(function* () {
      const tenant = yield* aWorld([])
      const { series, not_shown } = yield* read(tenant, {})
      assert.deepStrictEqual(not_shown, [])
      for (const entries of Object.values(series)) assert.strictEqual(entries.length, 30)
      assert.deepStrictEqual(series.open_by_priority[0], { at: iso(31 * day), P0: 0, P1: 0, P2: 0, P3: 0 })
      assert.isNull(series.median_days_to_close[0]?.value)
      assert.isNull(series.forecast_coverage[0]?.value)
      const long = yield* Effect.flip(read(tenant, { from: "1969-01-01T00:00:00.000Z" }))
      assert.deepInclude(long, { _tag: "InvalidPayload", param: "from" })
      assert.include(long.message, "426 buckets")
      const none = yield* Effect.flip(read(tenant, { from: iso(9 * day), to: iso(9 * day) }))
      assert.deepInclude(none, { _tag: "InvalidPayload", param: "from" })
      const unknown = yield* Effect.flip(read(tenant, { repo: "nothing@main" }))
      assert.strictEqual(unknown._tag, "RepositoryNotFound")
    })
  )

  it.effect("count nothing of another workspace", () =>
    Effect.gen(function* () {
      const life = { priority: "P0", domain: "testing", rule: "a.one", repository: "api" } as const
      yield* aWorld([{ ...life, steps: [{ at: today - day, event: "found", category: null }] }])
      const other = yield* aWorld([])
      const { series } = yield* read(other, {})
      assert.deepStrictEqual([...new Set(series.opened.map(({ value }) => value))], [0])
      assert.strictEqual(series.open_by_priority.at(-1)?.P0, 0)
    })
  )
})
