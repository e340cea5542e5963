import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { maxWebhooks } from "../../src/schema/Webhook.ts"
import { aKey, aKeyWithout, aMember, aRegisteredRepository, aWebhook, aWorkspace } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/webhooks"
const url = "https://127.0.0.1:9/hook?key=of-the-receiver"

/** An owner whose workspace has the feature. */
const anOwner = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE workspaces SET features = '{webhooks}' WHERE id = ${owner.workspace_id}`
  return owner
})

layer(TestApp)("the webhook endpoints of a workspace", (it) => {
  it.effect("show their secret when they are made and when it is rotated, and never again", () =>
    Effect.gen(function* () {
      const owner = yield* anOwner
      const sql = yield* SqlClient.SqlClient
      const made = yield* send({ path, as: owner.session, json: { url, events: ["job.failed", "job.failed"] } })
      assert.strictEqual(made.status, 201, made.text)
      const { id, secret, events } = jsonOf(made)
      assert.deepStrictEqual(events, ["job.failed"])
      assert.match(String(secret), /^whsec_/)
      const rotated = yield* send({ method: "POST", path: `${path}/${id}/secret`, as: owner.session })
      assert.strictEqual(jsonOf(rotated).previous_secret_expires_at, "1970-01-02T00:00:00.000Z")
      const seen = [
        (yield* send({ path, as: owner.session })).text,
        (yield* send({ path: `${path}/${id}`, as: owner.session })).text,
        (yield* send({ path: `${path}/${id}/deliveries`, as: owner.session })).text,
        JSON.stringify(yield* sql`SELECT * FROM webhooks`),
        JSON.stringify(yield* sql`SELECT * FROM audit_log`)
      ].join()
      for (const one of [secret, jsonOf(rotated).secret]) assert.notInclude(seen, String(one))
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM audit_log`), "of-the-receiver")
      yield* TestClock.adjust("24 hours")
      const later = yield* send({ path: `${path}/${id}`, as: owner.session })
      assert.isNull(jsonOf(later).previous_secret_expires_at)
    })
  )

  it.effect("are for admins and their keys with the scope, and reject the scope before the feature", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const member = yield* aMember(owner.workspace_id, "member")
      const { api_key } = yield* aKey(owner)
      const weak = yield* aKeyWithout(owner, ["manage_tenant_settings"])
      assert.strictEqual(yield* outcome({ path, as: weak }), "403 insufficient_scope")
      assert.strictEqual(yield* outcome({ path, as: api_key }), "403 feature_not_enabled")
      yield* aWebhook(owner)
      assert.strictEqual(yield* outcome({ path, as: api_key }), "200")
      assert.strictEqual(yield* outcome({ path, as: member.session }), "403 insufficient_scope")
      const free = yield* aWorkspace({ plan: "free" })
      const rejected = yield* send({ path, as: free.session })
      assert.strictEqual(`${rejected.status} ${errorOf(rejected).code}`, "402 plan_restricted")
    })
  )

  it.effect("reject addresses that may not be called, and what is no address of an endpoint", () =>
    Effect.gen(function* () {
      const owner = yield* anOwner
      const { id } = yield* aWebhook(owner)
      for (const [address, code] of [
        ["https://169.254.169.254/latest", "422 address_refused"],
        ["http://hooks.example.org/", "422 address_refused"],
        ["ftp://hooks.example.org/", "422 invalid_payload"],
        ["https://u:p@hooks.example.org/", "422 invalid_payload"],
        ["https://hooks.example.org/#part", "422 invalid_payload"],
        ["hooks.example.org", "422 invalid_payload"]
      ] as const) {
        const create = { path, as: owner.session, json: { url: address, events: ["*"] } }
        assert.strictEqual(yield* outcome(create), code, address)
        const update = { method: "PATCH", path: `${path}/${id}`, as: owner.session, json: { url: address } }
        assert.strictEqual(yield* outcome(update), code, address)
      }
      const unknown = { path, as: owner.session, json: { url, events: ["job.exploded"] } }
      assert.strictEqual(yield* outcome(unknown), "422 invalid_payload")
      const absent = { path, as: owner.session, json: { url, events: ["*"], repos: ["absent@main"] } }
      assert.strictEqual(yield* outcome(absent), "404 not_found")
    })
  )

  it.effect("are changed part by part, and filters go with null", () =>
    Effect.gen(function* () {
      const owner = yield* anOwner
      yield* aRegisteredRepository(owner)
      const { id } = yield* aWebhook(owner, { repos: ["api@main"], min_priority: "P1", description: "Pager" })
      const patch = (json: object) =>
        Effect.map(send({ method: "PATCH", path: `${path}/${id}`, as: owner.session, json }), jsonOf)
      assert.deepInclude(yield* patch({ active: false }), {
        repos: ["acme/api@main"],
        min_priority: "P1",
        description: "Pager",
        active: false
      })
      for (const call of ["test", "deliveries/01a1f84d-c1ea-70a9-a51e-fdfa95578d73/resend"]) {
        const request = { method: "POST", path: `${path}/${id}/${call}`, as: owner.session }
        assert.strictEqual(yield* outcome(request), "409 webhook_inactive")
      }
      assert.deepInclude(yield* patch({ repos: null, min_priority: null, description: null, active: true }), {
        repos: null,
        min_priority: null,
        description: null,
        active: true
      })
    })
  )

  it.effect("belong to one workspace, which has at most fifty", () =>
    Effect.gen(function* () {
      const [owner, other] = [yield* anOwner, yield* anOwner]
      const { id } = yield* aWebhook(owner)
      for (const [method, suffix] of [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/secret"],
        ["POST", "/test"],
        ["GET", "/deliveries"]
      ] as const) {
        const call = { method, path: `${path}/${id}${suffix}`, as: other.session }
        assert.strictEqual(yield* outcome(call), "404 not_found", suffix)
      }
      const create = outcome({ path, as: owner.session, json: { url, events: ["*"] } })
      const made = yield* Effect.all(
        Array.from({ length: maxWebhooks + 2 }, () => create),
        { concurrency: 8 }
      )
      assert.lengthOf(
        made.filter((one) => one === "201"),
        maxWebhooks - 1
      )
      assert.include(made, "409 webhook_limit_reached")
    })
  )

  it.effect("list their deliveries page by page, newest first", () =>
    Effect.gen(function* () {
      const owner = yield* anOwner
      const { id } = yield* aWebhook(owner)
      const sent: Array<unknown> = []
      for (let n = 0; n < 3; n++) {
        const test = yield* send({ method: "POST", path: `${path}/${id}/test`, as: owner.session })
        assert.strictEqual(test.status, 202)
        assert.deepInclude(jsonOf(test), { type: "webhook.test", status: "pending", attempt: 0 })
        sent.unshift(jsonOf(test).id)
      }
      const first = jsonOf(yield* send({ path: `${path}/${id}/deliveries?limit=2`, as: owner.session }))
      const next = `${path}/${id}/deliveries?limit=2&cursor=${encodeURIComponent(String(first.next_cursor))}`
      const second = jsonOf(yield* send({ path: next, as: owner.session }))
      const ids = [first, second].flatMap(({ data }) =>
        (data as ReadonlyArray<{ readonly id: string }>).map((one) => one.id)
      )
      assert.deepStrictEqual(ids, sent)
      assert.isFalse(second.has_more)
    })
  )
})
