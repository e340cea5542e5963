import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Observation } from "../../../src/schema/Observation.ts"
import type { Caller } from "../../../src/services/access/Caller.ts"
import { ObservationStateRepo } from "../../../src/services/observations/ObservationStateRepo.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { as, aTenant } from "../../support/jobs.ts"
import { anOpenFinding, numberOf, servicesWith } from "../../support/services.ts"
import { withStatements } from "../../support/statements.ts"

const dismissal = { dismissal_category: "wont_fix", dismissal_note: "We looked at it together." } as const

const start = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const ref = yield* anOpenFinding(tenant)
  return { tenant, ref, number: numberOf(ref), observations: yield* Observations }
})

layer(servicesWith())("a change of an observation's state", (it) => {
  it.effect("is one transaction of the change with its event and of the record in the audit log", () =>
    Effect.gen(function* () {
      const { tenant, number, observations } = yield* start
      const changes: ReadonlyArray<readonly [Effect.Effect<Observation, unknown, Caller>, string, string]> = [
        [observations.acknowledge(number), "new", "acknowledged"],
        [observations.dismiss(number, dismissal), "closed", "dismissed"],
        [observations.reopen(number, { reopen_reason: "It is used after all." }), "new", "reopened"],
        [observations.complete(number, { note: "Done by hand." }), "closed", "completed"]
      ]
      for (const [change, status, event] of changes) {
        const [changed, statements] = yield* withStatements(as(tenant)(change))
        assert.deepStrictEqual(statements, ["sql.transaction", "sql.execute", "sql.execute"], event)
        assert.strictEqual(changed.status, status)
        const { events, steps: _, suggested_diff: __, ...stored } = yield* as(tenant)(observations.get(number))
        assert.deepStrictEqual(changed, stored)
        assert.deepStrictEqual([events.at(-1)?.event, events.at(-1)?.to_status], [event, status])
      }
    })
  )

  it.effect("that starts from another state is rejected and writes no event", () =>
    Effect.gen(function* () {
      const { tenant, ref, number, observations } = yield* start
      const open = yield* Effect.flip(as(tenant)(observations.reopen(number, { reopen_reason: "It is open." })))
      assert.strictEqual(open._tag, "ObservationOpen")
      yield* as(tenant)(observations.dismiss(number, dismissal))
      for (const change of [
        observations.dismiss(number, dismissal),
        observations.complete(number, {}),
        observations.acknowledge(number)
      ]) {
        const closed = yield* Effect.flip(as(tenant)(change))
        assert.deepStrictEqual([closed._tag, closed.message], ["ObservationClosed", `${ref} is closed (dismissed).`])
      }
      const { events } = yield* as(tenant)(observations.get(number))
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        ["dismissed"]
      )
    })
  )

  it.effect("of an audit that comes after a person's keeps the person's", () =>
    Effect.gen(function* () {
      const { tenant, number, observations } = yield* start
      const states = yield* ObservationStateRepo
      const { id } = yield* as(tenant)(observations.dismiss(number, dismissal))
      const { workspace_id, actor } = tenant.caller
      const change = { workspace_id, id, at: "2026-02-01T00:00:00.000Z", actor, job_id: null }
      assert.isTrue(
        Option.isNone(
          yield* states.close({ ...change, closing: { close_reason: "expired" }, reason: "no longer there" })
        )
      )
      const { events, close_reason } = yield* as(tenant)(observations.get(number))
      assert.deepStrictEqual([close_reason, events.length], ["dismissed", 1])
    })
  )

  it.effect("reaches neither other workspaces nor, by number, deleted repositories", () =>
    Effect.gen(function* () {
      const { tenant, number, observations } = yield* start
      const stranger = yield* aTenant()
      const states = yield* ObservationStateRepo
      const { id } = yield* as(tenant)(observations.get(number))
      const { workspace_id, actor } = stranger.caller
      const change = { workspace_id, id, at: "2026-02-01T00:00:00.000Z", actor, job_id: null }
      assert.isTrue(Option.isNone(yield* states.close({ ...change, closing: { close_reason: "expired" } })))
      const absent = yield* Effect.flip(as(stranger)(observations.dismiss(numberOf("OBS-999999"), dismissal)))
      for (const ref of ["OBS-2147483648", "OBS-9999999999"]) {
        const beyond = yield* Effect.flip(as(stranger)(observations.dismiss(numberOf(ref), dismissal)))
        assert.strictEqual(beyond._tag, "ObservationNotFound")
      }
      assert.strictEqual(absent._tag, "ObservationNotFound")
      assert.strictEqual((yield* as(tenant)(observations.get(number))).status, "new")
    })
  )
})
