import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, TestClock } from "effect"
import type { WorkspaceLimits } from "../../src/schema/Limits.ts"
import { aKey, aMember, aRegisteredRepository, aWorkspace, signedIn } from "../support/builders.ts"
import { aDollarAJob, limit } from "../support/money.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { type Call, jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/workspace/limits"

const limitsOf = (as: Call["as"]) =>
  Effect.map(send({ path, as }), (answer) => jsonOf(answer) as unknown as WorkspaceLimits)

layer(TestApp.pipe(Layer.provide(aDollarAJob)))("what a workspace may use", (it) => {
  it.effect("names its features, and who switches each", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* limit(owner, { features: ["missions"] })
      const { plan, features } = yield* limitsOf(owner.session)
      assert.strictEqual(plan, "paid")
      assert.deepStrictEqual(features, [
        { name: "missions", on: true, in_plan: true, switched_by: "operator" },
        { name: "change_reviews", on: false, in_plan: true, switched_by: "operator" },
        { name: "webhooks", on: false, in_plan: true, switched_by: "operator" },
        { name: "audit_suggestions", on: false, in_plan: true, switched_by: "workspace" }
      ])
      const free = yield* limitsOf((yield* aWorkspace({ plan: "free" })).session)
      assert.deepStrictEqual(
        free.features.map(({ on, in_plan }) => on || in_plan),
        [false, false, false, false]
      )
    })
  )

  it.effect("has its ceilings, what counts towards the hour, and what ended jobs have cost this month", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aRegisteredRepository(owner)
      yield* limit(owner, { spend_per_hour_usd: 5, job_cap_usd: 2, credit_usd: 7, max_queued: 3 })
      const call = { path: "/api/repos/acme/api/main/jobs", as: owner.session, json: { workflow: "standard_audit" } }
      const { id } = jsonOf(yield* send(call))
      const during = yield* limitsOf(owner.session)
      assert.deepStrictEqual(during.spend, {
        last_hour_usd: 1,
        this_month_usd: 0,
        per_hour_usd: 5,
        job_cap_usd: 2,
        credit_usd: 7,
        held_usd: 1,
        paused: false
      })
      assert.deepStrictEqual([during.max_queued, during.max_running, during.workflows], [3, 4, null])

      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO spend_entries (workspace_id, job_id, kind, amount_usd, at)
        VALUES (${owner.workspace_id}, ${String(id)}, 'settle', 0.25, ${DateTime.formatIso(yield* DateTime.now)})`
      assert.strictEqual((yield* limitsOf(owner.session)).spend.this_month_usd, 0.25)
      yield* TestClock.adjust("31 days")
      const { session } = yield* signedIn(owner)
      const later = yield* limitsOf(session)
      assert.deepStrictEqual([later.spend.last_hour_usd, later.spend.this_month_usd], [0, 0])
    })
  )
})

layer(TestApp)("what only owners and admins see of an installation", (it) => {
  for (const read of [path, "/api/workspace/doctor", "/api/repos/local"]) {
    it.effect(`${read} is read by owners and admins, signed in; by no one else and with no key`, () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const [admin, member] = yield* Effect.all([
          aMember(owner.workspace_id, "admin"),
          aMember(owner.workspace_id, "member")
        ])
        const { api_key } = yield* aKey(owner)
        const outcomes = yield* Effect.forEach([owner.session, admin.session, member.session, api_key], (as) =>
          outcome({ path: read, as })
        )
        assert.deepStrictEqual(outcomes, ["200", "200", "403 insufficient_scope", "403 session_required"])
      })
    )
  }

  it.effect("the folders that can be registered are git folders below the allowed roots", () =>
    Effect.gen(function* () {
      const { cloneUrl } = yield* App
      const owner = yield* aWorkspace()
      const found = jsonOf(yield* send({ path: "/api/repos/local", as: owner.session }))
      assert.deepStrictEqual(found, { data: [{ path: cloneUrl }], truncated: false })
    })
  )
})
