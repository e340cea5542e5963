import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, FastCheck, Fiber, TestClock } from "effect"
import type { ApiError } from "../../../src/schema/ApiError.ts"
import type { BulkTriage as Request, TriageResult } from "../../../src/schema/BulkTriage.ts"
import { DismissalCategory, type Observation } from "../../../src/schema/Observation.ts"
import type { Caller } from "../../../src/services/access/Caller.ts"
import { BulkTriage } from "../../../src/services/observations/BulkTriage.ts"
import { ObservationStateRepo } from "../../../src/services/observations/ObservationStateRepo.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { CurrentCall } from "../../../src/services/support/CurrentCall.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { numberOf, observationsIn, servicesWith } from "../../support/services.ts"
import { withStatements } from "../../support/statements.ts"

const dismissal = { dismissal_category: "wont_fix", dismissal_note: "We looked at it together." } as const

const call = { requestId: null, operation: "observations.triage_many", address: null }

const by =
  (tenant: Pick<Tenant, "caller">) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    as(tenant)(Effect.provideService(effect, CurrentCall, call))

const run = (
  tenant: Pick<Tenant, "caller">,
  request: Omit<Request, "refs"> & { readonly refs?: ReadonlyArray<string> }
) =>
  Effect.flatMap(BulkTriage, (bulk) =>
    bulk.run({ ...request, refs: request.refs?.map((ref) => numberOf(ref)) } as Request)
  ).pipe(by(tenant))

/** What an act returns, which is no preview. */
const act = (...args: Parameters<typeof run>) =>
  Effect.map(run(...args), (answer) => ("results" in answer ? answer : assert.fail("a preview")))

const undo = (tenant: Pick<Tenant, "caller">, id: string) =>
  Effect.flatMap(BulkTriage, (bulk) => bulk.undo(id)).pipe(by(tenant))

const codesOf = (results: ReadonlyArray<TriageResult>) => results.map(({ ref, ok, code }) => `${ref} ${code ?? ok}`)

const rejection = <A, R>(effect: Effect.Effect<A, ApiError, R>) =>
  Effect.map(Effect.flip(effect), ({ spec, message, details }) => ({
    status: spec.status,
    code: spec.code,
    message,
    details
  }))

/** Every column of a tenant's observations, by ref, but the time of the last change. */
const columnsOf = (tenant: Tenant) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly ref: string; readonly row: Record<string, unknown> }>`
      SELECT 'OBS-' || number AS ref, to_jsonb(o) - 'updated_at' AS row FROM observations o
      WHERE workspace_id = ${tenant.caller.workspace_id} ORDER BY number`
  ).pipe(Effect.map((rows) => new Map(rows.map(({ ref, row }) => [ref, row]))))

const eventsOf = (tenant: Tenant) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly id: number; readonly event: string }>`
      SELECT e.* FROM observation_events e JOIN observations o ON o.id = e.observation_id
      WHERE o.workspace_id = ${tenant.caller.workspace_id} ORDER BY e.id`
  )

layer(servicesWith())("triage of many observations", (it) => {
  it.effect("does to each what the call for one does, rejects by its codes, and counts a repeated ref once", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* aTenant(), yield* aTenant()]
      const observations = yield* Observations
      const [a, b, closed, single] = yield* observationsIn(tenant, [{}, {}, { close_reason: "fixed" }, {}])
      yield* observationsIn(
        stranger,
        Array.from({ length: 9 }, () => ({}))
      )
      const refs = [b!, a!, "OBS-9", closed!, b!, "OBS-9999999999"]
      const expected = (code: string) => [
        `${b} true`,
        `${a} true`,
        "OBS-9 not_found",
        `${closed} ${code}`,
        "OBS-9999999999 not_found"
      ]
      const { results } = yield* act(tenant, { action: "dismiss", refs, ...dismissal })
      assert.deepStrictEqual(codesOf(results), expected("observation_closed"))

      const one = yield* as(tenant)(observations.dismiss(numberOf(single!), dismissal))
      const many = yield* as(tenant)(observations.get(numberOf(a!)))
      const state = ({
        ref: _,
        id: __,
        events: ___,
        steps: ____,
        suggested_diff: _____,
        ...rest
      }: Observation & { events?: unknown; steps?: unknown; suggested_diff?: unknown }) => rest
      assert.deepStrictEqual(state(many), state(one))
      assert.deepStrictEqual(
        many.events.map(({ event, from_status, to_status, reason }) => [event, from_status, to_status, reason]),
        [["dismissed", "new", "closed", dismissal.dismissal_note]]
      )
      const reopened = yield* act(tenant, { action: "reopen", refs: [a!, b!, closed!], reopen_reason: "They matter." })
      assert.deepStrictEqual(codesOf(reopened.results), [`${a} true`, `${b} true`, `${closed} true`])
      const again = yield* act(tenant, { action: "reopen", refs: [a!], reopen_reason: "They matter." })
      assert.deepStrictEqual(codesOf(again.results), [`${a} observation_open`])
      const acknowledged = yield* act(tenant, { action: "acknowledge", refs: [a!, single!] })
      assert.deepStrictEqual(codesOf(acknowledged.results), [`${a} true`, `${single} observation_closed`])
      const before = (yield* eventsOf(tenant)).length
      assert.deepStrictEqual(codesOf((yield* act(tenant, { action: "acknowledge", refs: [a!] })).results), [
        `${a} true`
      ])
      assert.lengthOf(yield* eventsOf(tenant), before)
      const completed = yield* act(tenant, {
        action: "complete",
        refs: [a!],
        note: "Done.",
        url: "https://example.org/1"
      })
      assert.deepStrictEqual(codesOf(completed.results), [`${a} true`])
      const { close_reason, completion_url } = yield* as(tenant)(observations.get(numberOf(a!)))
      assert.deepStrictEqual([close_reason, completion_url], ["completed", "https://example.org/1"])
    })
  )

  it.effect(
    "takes a filter of the list, all of them where it is empty, and shows in a preview what it would be about",
    () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant()
        const refs = yield* observationsIn(tenant, [
          ...Array.from({ length: 11 }, () => ({ priority: "P2" as const })),
          { priority: "P0", kind: "advisory" },
          { close_reason: "expired", priority: "P3" }
        ])
        const preview = yield* run(tenant, { action: "dismiss", filter: { status: "new" }, preview: true })
        if (!("sample" in preview)) return assert.fail("no preview")
        assert.strictEqual(preview.count, 12)
        assert.lengthOf(preview.sample, 10)
        assert.deepStrictEqual(preview.sample[0], {
          ref: refs[11]!,
          kind: "advisory",
          status: "new",
          priority: "P0",
          title: "A key in the source",
          repo_name: "api@main",
          file_path: "src/index.ts"
        })
        assert.deepInclude(yield* run(tenant, { action: "reopen", refs: [refs[0]!, "OBS-999"], preview: true }), {
          count: 1
        })
        assert.deepInclude(yield* run(tenant, { action: "reopen", refs: ["OBS-999"], preview: true }), {
          count: 0,
          sample: []
        })
        assert.isEmpty(yield* eventsOf(tenant))
        const some = yield* act(tenant, {
          action: "dismiss",
          filter: { kind: ["advisory"], priority: ["P0", "P1"] },
          ...dismissal
        })
        assert.deepStrictEqual(codesOf(some.results), [`${refs[11]} true`])
        const all = yield* act(tenant, { action: "dismiss", filter: {}, ...dismissal })
        assert.lengthOf(all.results, 13)
        assert.strictEqual(all.results.filter(({ ok }) => ok).length, 11)
      })
  )

  it.effect(
    "is rejected as a whole beyond 1,000 matches, with their number, and where it says too much or too little",
    () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant()
        const refs = yield* observationsIn(
          tenant,
          Array.from({ length: 1001 }, () => ({}))
        )
        for (const preview of [true, false]) {
          const { status, code, details } = yield* rejection(
            run(tenant, { action: "acknowledge", filter: {}, preview })
          )
          assert.deepStrictEqual([status, code, details], [422, "too_many", { count: 1001, limit: 1000 }])
        }
        assert.isEmpty(yield* eventsOf(tenant))
        const wrong: ReadonlyArray<readonly [Parameters<typeof run>[1], string]> = [
          [{ action: "acknowledge" }, "refs: is required, or filter instead"],
          [{ action: "acknowledge", refs: [refs[0]!], filter: {} }, "filter: must not be sent beside refs"],
          [{ action: "dismiss", filter: {} }, "dismissal_category: is required with the action dismiss"],
          [{ action: "reopen", refs: [refs[0]!] }, "reopen_reason: is required with the action reopen"],
          [{ action: "acknowledge", filter: {}, note: "Done." }, "note: does not belong to the action acknowledge"],
          [
            { action: "complete", filter: {}, ...dismissal, preview: true },
            "dismissal_category: does not belong to the action complete"
          ]
        ]
        for (const [request, message] of wrong) {
          const found = yield* rejection(run(tenant, request))
          assert.deepStrictEqual([found.code, found.message], ["invalid_payload", message])
        }
      })
  )

  it.effect("is a handful of statements in one transaction, however many observations it is about", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const statementsFor = (count: number) =>
        Effect.gen(function* () {
          const refs = yield* observationsIn(
            tenant,
            Array.from({ length: count }, () => ({}))
          )
          const [{ operation_id }, done] = yield* withStatements(act(tenant, { action: "dismiss", refs, ...dismissal }))
          const [, undone] = yield* withStatements(undo(tenant, operation_id))
          return [done, undone]
        })
      const [few, many] = [yield* statementsFor(1), yield* statementsFor(1000)]
      assert.deepStrictEqual(many, few)
      for (const statements of many) assert.isAtMost(statements.filter((name) => name === "sql.execute").length, 6)
    })
  )

  it.effect("leaves one record in the audit log, and none where it changed nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const refs = yield* observationsIn(tenant, [{}, {}, { close_reason: "fixed" }])
      const { operation_id } = yield* act(tenant, { action: "dismiss", refs, ...dismissal })
      yield* act(tenant, { action: "dismiss", refs, ...dismissal })
      yield* run(tenant, { action: "dismiss", refs, preview: true })
      yield* undo(tenant, operation_id)
      const log = yield* sql`SELECT object_kind, object_ref, after FROM audit_log
        WHERE workspace_id = ${tenant.caller.workspace_id} ORDER BY id`
      const object = { object_kind: "bulk_operation", object_ref: operation_id }
      assert.deepStrictEqual(log, [
        { ...object, after: { action: "dismiss", count: 2 } },
        { ...object, after: { undone: true, count: 2 } }
      ])
    })
  )
})

const rows = FastCheck.array(
  FastCheck.record({
    close_reason: FastCheck.constantFrom(
      null,
      null,
      "fixed" as const,
      "dismissed" as const,
      "completed" as const,
      "expired" as const
    ),
    acknowledged: FastCheck.boolean(),
    note: FastCheck.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  }),
  { minLength: 1, maxLength: 12 }
)
const requests = FastCheck.oneof(
  FastCheck.record({
    action: FastCheck.constant("dismiss" as const),
    dismissal_category: FastCheck.constantFrom(...DismissalCategory.literals),
    dismissal_note: FastCheck.constant("A note for all of them.")
  }),
  FastCheck.record({ action: FastCheck.constant("acknowledge" as const) }),
  FastCheck.record({
    action: FastCheck.constant("complete" as const),
    note: FastCheck.constantFrom("Done.", null),
    url: FastCheck.constantFrom("https://example.org/1", null)
  }),
  FastCheck.record({ action: FastCheck.constant("reopen" as const), reopen_reason: FastCheck.constant("They matter.") })
)

/** Observations in every state that there is. */
const inSomeStates = (
  tenant: Tenant,
  states: ReadonlyArray<{
    readonly close_reason: Observation["close_reason"]
    readonly acknowledged: boolean
    readonly note: string
  }>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const refs = yield* observationsIn(
      tenant,
      states.map(({ close_reason }) => ({ close_reason }))
    )
    for (const [index, { acknowledged, note, close_reason }] of states.entries()) {
      yield* sql`UPDATE observations SET acknowledged_at = ${acknowledged ? "2026-01-02T03:04:05.678Z" : null},
          dismissal_note = ${close_reason === "dismissed" ? note : null},
          completion_note = ${close_reason === "completed" ? note : null},
          closed_by = CASE WHEN status = 'closed' THEN jsonb_build_object('kind', 'user', 'label', ${note}::text,
            'api_key_id', null, 'user_id', null) END
        WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${numberOf(refs[index]!)}`
    }
    return refs
  })

layer(servicesWith())("the undo of a change of many observations", (it) => {
  it.effect("puts back every column of every observation, and keeps the history of both", () =>
    Effect.gen(function* () {
      let changes = 0
      const cases = FastCheck.sample(FastCheck.tuple(rows, requests), { numRuns: 40, seed: 5 })
      for (const [states, request] of cases) {
        const tenant = yield* aTenant()
        const refs = yield* inSomeStates(tenant, states)
        const before = yield* columnsOf(tenant)
        const { operation_id, results } = yield* act(tenant, { ...request, refs } as Parameters<typeof run>[1])
        const middle = yield* columnsOf(tenant)
        const events = yield* eventsOf(tenant)
        const changed = refs.filter((ref) => JSON.stringify(before.get(ref)) !== JSON.stringify(middle.get(ref)))
        assert.includeMembers(
          results.filter(({ ok }) => ok).map(({ ref }) => ref),
          changed
        )
        yield* TestClock.adjust("9 minutes")
        const undone = yield* undo(tenant, operation_id)
        assert.deepStrictEqual(
          codesOf(undone.results),
          changed.toReversed().map((ref) => `${ref} true`)
        )
        assert.deepStrictEqual(yield* columnsOf(tenant), before)
        const history = yield* eventsOf(tenant)
        assert.deepStrictEqual(history.slice(0, events.length), events)
        assert.deepStrictEqual(
          history.slice(events.length).map(({ event }) => event),
          changed.map(() => "undone")
        )
        changes += changed.length
      }
      assert.isAbove(changes, 60)
    })
  )

  it.effect("is a change that readers of changes see, by its time", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const refs = yield* observationsIn(tenant, [{}])
      const observations = yield* Observations
      const { operation_id } = yield* act(tenant, { action: "acknowledge", refs })
      const { updated_at: since } = yield* as(tenant)(observations.get(numberOf(refs[0]!)))
      yield* TestClock.adjust("1 minute")
      yield* undo(tenant, operation_id)
      const { data } = yield* as(tenant)(observations.list({ since }))
      assert.deepStrictEqual(
        data.map(({ ref }) => ref),
        refs
      )
    })
  )

  it.effect("leaves what was changed since as it is and says so, also where it looks as if nothing had happened", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const [observations, states] = [yield* Observations, yield* ObservationStateRepo]
      const refs = yield* observationsIn(tenant, [
        ...Array.from({ length: 6 }, () => ({ close_reason: "completed" as const })),
        { close_reason: "completed", kind: "suggestion" }
      ])
      const [untouched, closed, again, acknowledged, resurfaced, seen, removed] = refs as [
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
      const { operation_id } = yield* act(tenant, { action: "reopen", refs, reopen_reason: "They matter." })
      const change = <A, E>(effect: Effect.Effect<A, E, Caller>) => as(tenant)(effect)
      yield* change(observations.complete(numberOf(closed), {}))
      yield* change(observations.dismiss(numberOf(again), dismissal))
      yield* change(observations.reopen(numberOf(again), { reopen_reason: "They matter." }))
      yield* change(observations.acknowledge(numberOf(acknowledged)))
      const { id } = yield* change(observations.get(numberOf(resurfaced)))
      const cause = {
        workspace_id: tenant.caller.workspace_id,
        id,
        at: "2026-02-01T00:00:00.000Z",
        actor: tenant.caller.actor,
        job_id: null
      }
      yield* states.close({ ...cause, closing: { close_reason: "expired" } })
      yield* states.reopen({ ...cause, event: "resurfaced", reason: "found again" })
      const { id: seenId } = yield* change(observations.get(numberOf(seen)))
      yield* states.addEvents([
        { ...cause, observation_id: seenId, event: "seen_again", from_status: "new", to_status: "new", reason: null }
      ])
      yield* sql`UPDATE observations SET times_seen = 7 WHERE id = ${seenId}`
      yield* sql`DELETE FROM observations WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${numberOf(removed)}`
      const before = yield* columnsOf(tenant)
      const { results } = yield* undo(tenant, operation_id)
      assert.deepStrictEqual(codesOf(results), [
        `${removed} not_found`,
        `${seen} true`,
        `${resurfaced} changed_since`,
        `${acknowledged} changed_since`,
        `${again} changed_since`,
        `${closed} changed_since`,
        `${untouched} true`
      ])
      const after = yield* columnsOf(tenant)
      for (const ref of [resurfaced, acknowledged, again, closed])
        assert.deepStrictEqual(after.get(ref), before.get(ref))
      for (const ref of [seen, untouched]) assert.strictEqual(after.get(ref)?.close_reason, "completed")
      assert.strictEqual(after.get(seen)?.times_seen, 7)
    })
  )

  it.effect(
    "has one winner among those who ask at the same time, and loses against no one who changes a row meanwhile",
    () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant()
        const observations = yield* Observations
        for (const round of [1, 2, 3, 4, 5]) {
          const refs = yield* observationsIn(
            tenant,
            Array.from({ length: 20 }, () => ({}))
          )
          const { operation_id } = yield* act(tenant, { action: "acknowledge", refs })
          const asked = yield* Effect.forEach([1, 2, 3, 4, 5], () =>
            Effect.fork(Effect.either(undo(tenant, operation_id)))
          )
          const dismissed = yield* Effect.forEach(
            refs.slice(0, 10),
            (ref) => as(tenant)(observations.dismiss(numberOf(ref), dismissal)),
            { concurrency: 4 }
          )
          assert.lengthOf(dismissed, 10)
          const outcomes = yield* Effect.forEach(asked, Fiber.join)
          assert.deepStrictEqual(
            outcomes.map((outcome) => (Either.isLeft(outcome) ? outcome.left.spec.code : "undone")).sort(),
            ["already_undone", "already_undone", "already_undone", "already_undone", "undone"]
          )
          const columns = yield* columnsOf(tenant)
          // Either came first: the dismissal stays, and its acknowledgement with it where the undo found it dismissed.
          for (const ref of refs.slice(0, 10)) assert.strictEqual(columns.get(ref)?.status, "closed", `${ref} ${round}`)
          for (const ref of refs.slice(10)) assert.isNull(columns.get(ref)?.acknowledged_at, `${ref} ${round}`)
        }
      })
  )

  it.effect("is possible for 10 minutes and once, and for those only who see what it was about", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* aTenant(), yield* aTenant()]
      const refs = yield* observationsIn(tenant, [{}, {}])
      const first = yield* act(tenant, { action: "acknowledge", refs: [refs[0]!] })
      const second = yield* act(tenant, { action: "acknowledge", refs: [refs[1]!] })
      const outcome = (who: Pick<Tenant, "caller">, id: string) =>
        Effect.map(rejection(undo(who, id)), ({ status, code }) => `${status} ${code}`)
      assert.strictEqual(yield* outcome(stranger, first.operation_id), "404 not_found")
      assert.strictEqual(yield* outcome(tenant, "01a1f7f8-633b-765c-ab36-2777cf1f608a"), "404 not_found")
      yield* TestClock.adjust("10 minutes")
      // Another key of the workspace.
      const colleague = { caller: { ...tenant.caller, actor: { ...tenant.caller.actor, label: "other" } } }
      assert.deepStrictEqual(codesOf((yield* undo(colleague, first.operation_id)).results), [`${refs[0]} true`])
      assert.strictEqual(yield* outcome(tenant, first.operation_id), "409 already_undone")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* outcome(tenant, second.operation_id), "409 undo_expired")
      assert.strictEqual(yield* outcome(tenant, first.operation_id), "409 already_undone")
      // The next act forgets what can no longer be put back.
      yield* act(tenant, { action: "acknowledge", refs })
      assert.strictEqual(yield* outcome(tenant, second.operation_id), "409 undo_expired")
      const sql = yield* SqlClient.SqlClient
      const kept =
        yield* sql`SELECT id FROM bulk_operations WHERE workspace_id = ${tenant.caller.workspace_id} AND changed IS NOT NULL`
      assert.lengthOf(kept, 1)
    })
  )
})

layer(servicesWith())("changes of many observations at the same time", (it) => {
  it.effect("wait for each other and for audits, and each row has one history", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const refs = yield* observationsIn(
        tenant,
        Array.from({ length: 200 }, () => ({}))
      )
      const audit = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM repositories WHERE id = ${tenant.repository_id} FOR NO KEY UPDATE`
          for (const ref of refs.toReversed().slice(0, 60)) {
            yield* sql`UPDATE observations SET times_seen = times_seen + 1
              WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${numberOf(ref)}`
          }
        })
      )
      const outcomes = yield* Effect.all(
        [
          act(tenant, { action: "dismiss", refs, ...dismissal }),
          Effect.zipRight(audit, Effect.succeed(null)),
          act(tenant, { action: "complete", refs: refs.toReversed() }),
          Effect.zipRight(audit, Effect.succeed(null)),
          act(tenant, { action: "complete", refs: refs.slice(50) })
        ],
        { concurrency: "unbounded" }
      )
      const accepted = outcomes.flatMap(
        (outcome) => outcome?.results.filter(({ ok }) => ok).map(({ ref }) => ref) ?? []
      )
      assert.sameMembers(accepted, [...refs])
      assert.lengthOf(yield* eventsOf(tenant), 200)
    })
  )
})
