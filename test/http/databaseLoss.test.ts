import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { withRequestReach } from "../../src/services/access/Reach.ts"
import { isDatabaseLoss } from "../../src/services/support/databaseLoss.ts"
import { transactional } from "../../src/services/support/transactional.ts"
import { aKey, aWorkspace } from "../support/builders.ts"
import { TestDatabase } from "../support/Database.ts"
import { DatabaseOverLine, Line } from "../support/databaseProxy.ts"
import { post, rpc, textOf } from "../support/mcp.ts"
import { testApp } from "../support/TestApp.ts"
import { errorOf, outcome, outcomeOf, send } from "../support/wire.ts"

const impatientPool = Layer.unwrapEffect(
  Effect.map(TestDatabase, ({ url }) => layerFromUrl(url, { requestTimeout: "400 millis" }))
)

layer(testApp().pipe(Layer.provideMerge(DatabaseOverLine)))("without its database", (it) => {
  it.effect("the service returns 503 with Retry-After, and works again afterwards", () =>
    Effect.gen(function* () {
      const { cut, restore } = yield* Line
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const read = { path: "/api/jobs", as: api_key }
      assert.strictEqual(yield* outcome(read), "200")
      yield* cut
      for (const call of [
        read,
        { path: "/api/session", as: owner.session },
        { path: "/api/keys", as: owner.session }
      ]) {
        const response = yield* send(call)
        assert.deepStrictEqual(
          [outcomeOf(response), response.headers["retry-after"], errorOf(response).type],
          ["503 database_unavailable", "5", "server_error"]
        )
        assert.notMatch(response.text, /ECONN|postgres|127\.0\.0\.1/)
      }
      const json = { email: owner.email, password: "correct horse battery" }
      assert.strictEqual(yield* outcome({ path: "/api/session", json }), "503 database_unavailable")
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
      const response = yield* post(api_key, list)
      assert.strictEqual(outcomeOf(response), "503 database_unavailable")
      assert.strictEqual(yield* outcome({ path: "/api/jobs" }), "401 missing_api_key")
      assert.strictEqual(yield* outcome({ path: "/api/nothing" }), "404 not_found")
      yield* restore
      assert.strictEqual(yield* outcome(read), "200")
      const { result } = yield* rpc(api_key, "tools/call", { name: "list_jobs" })
      assert.include(textOf(result!), '"data":[]')
    })
  )

  it.effect("calls in flight when it is lost get a response, too", () =>
    Effect.gen(function* () {
      const { cut, restore } = yield* Line
      const { api_key } = yield* aKey(yield* aWorkspace())
      const calls = Array.from({ length: 20 }, () => outcome({ path: "/api/observations", as: api_key }))
      const [outcomes] = yield* Effect.all([Effect.all(calls, { concurrency: "unbounded" }), cut], { concurrency: 2 })
      for (const found of outcomes) assert.include(["200", "503 database_unavailable"], found)
      yield* restore
      assert.strictEqual(yield* outcome({ path: "/api/observations", as: api_key }), "200")
    })
  )

  it.effect("a call is 503 when the database falls silent, and no connection stays stuck", () =>
    Effect.gen(function* () {
      const { silenced } = yield* Line
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const calls = [
        ...Array.from({ length: 8 }, () => outcome({ path: "/api/jobs", as: api_key })),
        outcome({ path: "/api/keys", json: { name: "ci", scopes: ["view_jobs"] }, as: owner.session }),
        Effect.map(post(api_key, { jsonrpc: "2.0", id: 1, method: "tools/list" }), outcomeOf)
      ]
      for (const found of yield* silenced(Effect.all(calls, { concurrency: "unbounded" }))) {
        assert.strictEqual(found, "503 database_unavailable")
      }
      const after = Array.from({ length: 8 }, () => outcome({ path: "/api/jobs", as: api_key }))
      for (const found of yield* Effect.all(after, { concurrency: "unbounded" })) assert.strictEqual(found, "200")
    })
  )

  it.effect("a statement of a job takes its time, one that a caller waits for does not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const long = sql`SELECT pg_sleep(0.8)`
      yield* long
      assert.strictEqual((yield* Effect.flip(withRequestReach(long)))._tag, "SqlError")
      yield* withRequestReach(sql`SELECT 1`)
      const inTransaction = transactional(sql)
      yield* inTransaction(long)
      const exit = yield* Effect.exit(withRequestReach(inTransaction(long)))
      assert.isTrue(Exit.isFailure(exit) && isDatabaseLoss(exit.cause))
    }).pipe(Effect.provide(impatientPool))
  )
})
