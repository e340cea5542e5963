import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TriageOutcome, TriagePreview, TriageUndo } from "../../src/schema/BulkTriage.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { rpc, structureOf } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/observations/bulk"
const exact = { onExcessProperty: "error" } as const
const dismissal = { dismissal_category: "wont_fix", dismissal_note: "We looked at it together." }

const start = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const { api_key: as } = yield* aKey(owner)
  const repository = yield* aRegisteredRepository(owner)
  const refs = yield* Effect.forEach([1, 2, 3], () => anObservation(owner, repository))
  return { owner, as, repository, refs }
})

const refsThatExistNowhere = (count: number) => Array.from({ length: count }, (_, n) => `OBS-${n + 100}`)

layer(TestApp)((it) => {
  describe("triage of many observations over REST", () => {
    it.effect(
      "answers with a preview, an outcome and an undo as their schemas define, by refs and by the list's filters",
      () =>
        Effect.gen(function* () {
          const { as, refs } = yield* start
          const bulk = (json: unknown) => Effect.map(send({ as, path, json }), jsonOf)
          const filter = {
            status: "new",
            kind: "finding,advisory",
            repo: "api@main",
            has_fix_pr: false,
            easy_wins: true
          }
          const preview = yield* Schema.decodeUnknown(
            TriagePreview,
            exact
          )(yield* bulk({ action: "dismiss", filter, preview: true }))
          assert.deepStrictEqual([preview.count, preview.sample.map(({ ref }) => ref)], [3, refs.toReversed()])
          const done = yield* Schema.decodeUnknown(
            TriageOutcome,
            exact
          )(yield* bulk({ action: "dismiss", refs: [refs[0], "OBS-77", refs[0]], ...dismissal }))
          assert.deepStrictEqual(done.results, [
            { ref: refs[0]!, ok: true },
            { ref: "OBS-77", ok: false, code: "not_found" }
          ])
          const undoing = { as, method: "POST", path: `${path}/${done.operation_id}/undo` }
          const undone = yield* Schema.decodeUnknown(TriageUndo, exact)(jsonOf(yield* send(undoing)))
          assert.deepStrictEqual(undone, { operation_id: done.operation_id, results: [{ ref: refs[0]!, ok: true }] })
          assert.strictEqual(yield* outcome(undoing), "409 already_undone")
          const { events } = jsonOf(yield* send({ as, path: `/api/observations/${refs[0]}` })) as {
            readonly events: ReadonlyArray<Record<string, unknown>>
          }
          assert.deepStrictEqual(
            events.map(({ event, from_status, to_status, reason }) => [event, from_status, to_status, reason]),
            [
              ["dismissed", "new", "closed", dismissal.dismissal_note],
              ["undone", "closed", "new", `Undo of ${done.operation_id}`]
            ]
          )
        })
    )

    it.effect("takes 1,000 refs and no more, and rejects a body that is not one", () =>
      Effect.gen(function* () {
        const { as, refs } = yield* start
        const many = jsonOf(
          yield* send({ as, path, json: { action: "acknowledge", refs: refsThatExistNowhere(1000) } })
        )
        assert.lengthOf(many.results as ReadonlyArray<unknown>, 1000)
        const rejected: ReadonlyArray<readonly [unknown, string]> = [
          [{ action: "acknowledge", refs: refsThatExistNowhere(1001) }, "refs"],
          [{ action: "acknowledge", refs: [] }, "refs"],
          [{ action: "acknowledge" }, "refs"],
          [{ action: "acknowledge", refs, filter: {} }, "filter"],
          [{ action: "acknowledge", filter: { kind: "bug" } }, "filter.kind"],
          [{ action: "acknowledge", filter: { tool: "no_such_tool" } }, "tool"],
          [{ action: "acknowledge", filter: { has_fix_pr: "true" } }, "filter.has_fix_pr"],
          [{ action: "acknowledge", filter: { order: "recency" } }, "filter.order"],
          [{ action: "delete", refs }, "action"],
          [{ refs }, "action"],
          [{ action: "dismiss", refs }, "dismissal_category"],
          [{ action: "dismiss", refs, ...dismissal, dismissal_note: "short" }, "dismissal_note"],
          [{ action: "reopen", refs, ...dismissal, reopen_reason: "Why not." }, "dismissal_category"],
          [{ action: "acknowledge", refs: ["OBS-0"] }, "refs.0"]
        ]
        for (const [json, param] of rejected) {
          const response = yield* send({ as, path, json })
          const error = errorOf(response)
          assert.deepStrictEqual(
            [response.status, error.code, error.param],
            [422, "invalid_payload", param],
            JSON.stringify(json)
          )
        }
        assert.strictEqual(
          yield* outcome({ as, path, json: { action: "acknowledge", filter: { repo: "none@main" } } }),
          "404 not_found"
        )
        assert.strictEqual(yield* outcome({ as, method: "POST", path: `${path}/1/undo` }), "422 invalid_payload")
      })
    )

    it.effect("knows no observation of another workspace, and undoes nothing for it", () =>
      Effect.gen(function* () {
        const { as, refs } = yield* start
        const other = yield* start
        const mixed = { action: "dismiss", refs: [...refs, "OBS-4"], ...dismissal }
        yield* anObservation(other.owner, other.repository)
        const done = jsonOf(yield* send({ as, path, json: mixed }))
        assert.deepStrictEqual(
          (done.results as ReadonlyArray<{ readonly ok: boolean }>).map(({ ok }) => ok),
          [true, true, true, false]
        )
        const undo = `${path}/${done.operation_id}/undo`
        assert.strictEqual(yield* outcome({ as: other.as, method: "POST", path: undo }), "404 not_found")
        const list = jsonOf(yield* send({ as: other.as, path: "/api/observations?status=new" }))
        assert.lengthOf(list.data as ReadonlyArray<unknown>, 4)
        const reader = yield* aKey(other.owner, { scopes: ["view_observations"] })
        assert.strictEqual(yield* outcome({ as: reader.api_key, path, json: mixed }), "403 insufficient_scope")
      })
    )

    it.effect("is one call of a key's budget, however many it changes", () =>
      Effect.gen(function* () {
        const { as } = yield* start
        const remaining = ({ headers }: { readonly headers: Record<string, unknown> }) =>
          Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])
        const before = yield* send({ as, path: "/api/observations" })
        const after = yield* send({ as, path, json: { action: "acknowledge", refs: refsThatExistNowhere(1000) } })
        assert.strictEqual(remaining(before) - remaining(after), 1)
      })
    )
  })

  describe("the tool triage_observations", () => {
    it.effect("counts what it did and names what was rejected", () =>
      Effect.gen(function* () {
        const { as, refs } = yield* start
        const call = (args: object) =>
          Effect.map(rpc(as, "tools/call", { name: "triage_observations", arguments: args }), ({ result }) =>
            structureOf<Record<string, unknown>>(result)
          )
        const preview = yield* call({ action: "complete", filter: { status: "new" }, preview: true })
        assert.strictEqual(preview.count, 3)
        const done = yield* call({ action: "complete", refs: [...refs, "OBS-99"], note: "Done by hand." })
        const { ok_count, failed_count, failed } = done
        assert.deepStrictEqual(
          { ok_count, failed_count, failed },
          {
            ok_count: 3,
            failed_count: 1,
            failed: [{ ref: "OBS-99", ok: false, code: "not_found" }]
          }
        )
        const sql = yield* SqlClient.SqlClient
        assert.lengthOf(yield* sql`SELECT id FROM bulk_operations WHERE id = ${String(done.operation_id)}`, 1)
      })
    )
  })
})
