import { type ClientRequest, request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Queue, TestClock } from "effect"
import { aJob, aKey, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { type Call, errorOf, outcome, send } from "../support/wire.ts"

const credentials = (as: Call["as"]): Record<string, string> =>
  typeof as === "object" ? { cookie: `assay_session=${as.cookie}` } : { authorization: `Bearer ${as}` }

/** A client that reads a job's events live. */
const reader = (id: string, as: Call["as"]) =>
  Effect.gen(function* () {
    const { url } = yield* App
    const ended = yield* Deferred.make<"ended">()
    const heard = yield* Queue.unbounded<string>()
    const { outgoing, status } = yield* Effect.async<{ outgoing: ClientRequest; status: number }>((resume) => {
      const made = request(new URL(`/api/jobs/${id}/events`, url), {
        agent: false,
        headers: { accept: "text/event-stream", "x-forwarded-for": "203.0.113.7", ...credentials(as) }
      })
      made.on("error", () => {})
      made.on("response", (incoming) => {
        incoming.on("error", () => {})
        incoming.on("end", () => Effect.runFork(Deferred.succeed(ended, "ended")))
        // With the first event there, the stream runs.
        incoming.setEncoding("utf8").on("data", (text: string) => {
          heard.unsafeOffer(text)
          resume(Effect.succeed({ outgoing: made, status: incoming.statusCode ?? 0 }))
        })
      })
      made.end()
    })
    return { status, heard, ended: Deferred.await(ended), leave: Effect.sync(() => outgoing.destroy()) }
  })

const aPendingJob = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const { api_key, key } = yield* aKey(owner)
  const { id } = yield* aJob(owner, yield* aRegisteredRepository(owner))
  return { owner, api_key, key, id }
})

layer(TestApp)("a live stream of events", (it) => {
  it.effect("ends soon after its key is revoked, its session ended or its workspace suspended", () =>
    Effect.gen(function* () {
      const { owner, api_key, key, id } = yield* aPendingJob
      const revoked = yield* reader(id, api_key)
      const signedOut = yield* reader(id, owner.session)
      yield* send({ path: `/api/keys/${key.id}`, method: "DELETE", as: owner.session })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* revoked.ended, "ended")
      yield* send({ path: "/api/session", method: "DELETE", as: owner.session })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* signedOut.ended, "ended")
      assert.strictEqual(yield* outcome({ path: `/api/jobs/${id}/events`, as: api_key }), "401 revoked_api_key")
    })
  )

  it.effect("says every 15 seconds without an event that it still goes on", () =>
    Effect.gen(function* () {
      const { api_key, id } = yield* aPendingJob
      const { heard, leave } = yield* reader(id, api_key)
      assert.match(yield* Queue.take(heard), /^id: 1\nevent: status_changed\ndata: \{.*\}\n\n$/)
      for (let n = 0; n < 3; n++) {
        yield* TestClock.adjust("15 seconds")
        assert.strictEqual(yield* Queue.take(heard), ": still here\n\n")
      }
      yield* leave
    })
  )

  it.effect("is one of twenty of its key; one more is 429 with Retry-After until a client leaves", () =>
    Effect.gen(function* () {
      const { owner, api_key, id } = yield* aPendingJob
      const readers = yield* Effect.all(
        Array.from({ length: 20 }, () => reader(id, api_key)),
        { concurrency: 5 }
      )
      const call = { path: `/api/jobs/${id}/events`, as: api_key, headers: { accept: "text/event-stream" } }
      const rejected = yield* send(call)
      assert.deepStrictEqual([rejected.status, errorOf(rejected).code], [429, "rate_limit_qps"])
      assert.strictEqual(rejected.headers["retry-after"], "10")
      // Pages, and another key, are not concerned.
      assert.strictEqual(yield* outcome({ ...call, headers: {} }), "200")
      const other = yield* reader(id, (yield* aKey(owner)).api_key)
      yield* other.leave
      yield* readers[0]!.leave
      // The server notices in its own time that a client has left.
      const entered = yield* Effect.repeat(reader(id, api_key), { until: ({ status }) => status === 200 })
      yield* entered.leave
      yield* Effect.forEach(readers, ({ leave }) => leave)
    })
  )
})
