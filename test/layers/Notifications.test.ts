import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Queue, Stream } from "effect"
import * as Live from "../../src/layers/Notifications.ts"
import { Notifications } from "../../src/services/ports/Notifications.ts"
import { transactional } from "../../src/services/support/transactional.ts"
import { asOwner, Database } from "../support/Database.ts"

const some = Option.some<string>
const none = Option.none<string>()

/** What a subscriber has seen, one by one. */
const subscribe = (channel: string, payload?: string) =>
  Effect.gen(function* () {
    const { watch } = yield* Notifications
    const seen = yield* Queue.unbounded<Option.Option<string>>()
    const fiber = yield* Effect.forkScoped(
      Stream.runForEach(watch(channel, payload), (message) => Queue.offer(seen, message))
    )
    return { fiber, next: Queue.take(seen), size: Queue.size(seen) }
  })

const terminateListener = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'assay notifications'`
  return rows.length
})

// The back-off sleeps: these need real time.
layer(Layer.provideMerge(Live.layer, Database), { excludeTestServices: true })("notifications", (it) => {
  it.scoped("reach every subscriber of their channel and no other, after the word that listening is in force", () =>
    Effect.gen(function* () {
      const { notify } = yield* Notifications
      const [a, b, other] = [yield* subscribe("jobs"), yield* subscribe("jobs"), yield* subscribe('Other "channel"')]
      for (const one of [a, b, other]) assert.deepStrictEqual(yield* one.next, none)
      yield* notify("jobs", "1")
      yield* notify('Other "channel"')
      assert.deepStrictEqual([yield* a.next, yield* b.next, yield* other.next], [some("1"), some("1"), some("")])
      assert.deepStrictEqual([yield* a.size, yield* b.size, yield* other.size], [0, 0, 0])
    })
  )

  it.scoped("of one payload reach who watches that payload only, and each word that some may be missing", () =>
    Effect.gen(function* () {
      const { notify } = yield* Notifications
      const [all, a, b] = [yield* subscribe("keyed"), yield* subscribe("keyed", "a"), yield* subscribe("keyed", "b")]
      for (const one of [all, a, b]) assert.deepStrictEqual(yield* one.next, none)
      yield* notify("keyed", "b")
      yield* notify("keyed", "a")
      assert.deepStrictEqual([yield* all.next, yield* all.next], [some("b"), some("a")])
      assert.deepStrictEqual([yield* a.next, yield* b.next], [some("a"), some("b")])
      yield* asOwner(terminateListener)
      assert.deepStrictEqual([yield* a.next, yield* b.next], [none, none])
      assert.deepStrictEqual([yield* a.size, yield* b.size], [0, 0])
    })
  )

  it.scoped("all go over one connection, which survives its termination and says that some may be missing", () =>
    Effect.gen(function* () {
      const { notify } = yield* Notifications
      const [a, b] = [yield* subscribe("one"), yield* subscribe("two")]
      assert.deepStrictEqual([yield* a.next, yield* b.next], [none, none])
      for (const payload of ["first", "second"]) {
        assert.strictEqual(yield* asOwner(terminateListener), 1)
        assert.deepStrictEqual([yield* a.next, yield* b.next], [none, none])
        yield* notify("one", payload)
        yield* notify("two", payload)
        assert.deepStrictEqual([yield* a.next, yield* b.next], [some(payload), some(payload)])
      }
    })
  )

  it.scoped("are sent at COMMIT, or not at all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { notify } = yield* Notifications
      const inbox = yield* subscribe("transactions")
      yield* inbox.next
      yield* notify("transactions", "lost").pipe(Effect.zipRight(Effect.fail("no")), transactional(sql), Effect.ignore)
      yield* notify("transactions", "kept").pipe(transactional(sql))
      assert.deepStrictEqual(yield* inbox.next, some("kept"))
    })
  )

  it.scoped("a subscriber that falls behind is notified to read the state instead of filling the memory", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { notify, watch } = yield* Notifications
      const pull = yield* Stream.toPull(Stream.rechunk(watch("flood"), 1))
      const step = Effect.map(pull, (chunk) => [...chunk][0]!)
      assert.deepStrictEqual(yield* step, none)
      const beside = yield* subscribe("flood end")
      yield* beside.next
      yield* sql`SELECT pg_notify('flood', n::text) FROM generate_series(1, 3000) AS n`
      yield* notify("flood end")
      yield* beside.next
      const seen: Array<Option.Option<string>> = []
      yield* step.pipe(
        Effect.tap((message) => seen.push(message)),
        Effect.repeat({ until: Option.contains("3000") })
      )
      assert.isBelow(seen.length, 3000)
      assert.isTrue(seen.some(Option.isNone))
    })
  )

  it.scoped("a channel that was left and joined again is heard", () =>
    Effect.gen(function* () {
      const { notify } = yield* Notifications
      for (const payload of ["1", "2"]) {
        const inbox = yield* subscribe("again")
        assert.deepStrictEqual(yield* inbox.next, none)
        yield* notify("again", payload)
        assert.deepStrictEqual(yield* inbox.next, some(payload))
        yield* Fiber.interrupt(inbox.fiber)
      }
    })
  )

  it.scoped("a payload or channel that PostgreSQL rejects is a defect with its name", () =>
    Effect.gen(function* () {
      const { notify } = yield* Notifications
      assert.strictEqual((yield* Effect.exit(notify("big", "x".repeat(8000))))._tag, "Failure")
      assert.strictEqual((yield* Effect.exit(notify("c".repeat(64))))._tag, "Failure")
    })
  )
})
