import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref } from "effect"
import * as SharedReads from "../../../src/services/jobs/SharedReads.ts"

const counted = Effect.gen(function* () {
  const reads = yield* SharedReads.make<number>()
  const made = yield* Ref.make(0)
  return { reads, made, read: Ref.updateAndGet(made, (n) => n + 1) }
})

it.scoped("those who ask for the same at the same moment share one read, by key", () =>
  Effect.gen(function* () {
    const { reads, made, read } = yield* counted
    const asked = Array.from({ length: 20 }, (_, n) => reads.once(n % 2 === 0 ? "even" : "odd", read))
    assert.deepStrictEqual(new Set(yield* Effect.all(asked, { concurrency: "unbounded" })), new Set([1, 2]))
    assert.strictEqual(yield* Ref.get(made), 2)
  })
)

it.scoped("who asks once a read has started gets a later one: it may be of what was written meanwhile", () =>
  Effect.gen(function* () {
    const { reads, read } = yield* counted
    const [hasStarted, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const slow = Effect.zipLeft(read, Effect.zipRight(Deferred.succeed(hasStarted, undefined), Deferred.await(mayEnd)))
    const first = yield* Effect.fork(reads.once("one", slow))
    yield* Deferred.await(hasStarted)
    assert.strictEqual(yield* reads.once("one", read), 2)
    yield* Deferred.succeed(mayEnd, undefined)
    assert.strictEqual(yield* Fiber.join(first), 1)
  })
)

it.scoped("a read goes on for the others when the one who started it is gone", () =>
  Effect.gen(function* () {
    const { reads, read } = yield* counted
    const [hasStarted, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const slow = Deferred.succeed(hasStarted, undefined).pipe(
      Effect.zipRight(Deferred.await(mayEnd)),
      Effect.zipRight(read)
    )
    const both = [yield* Effect.fork(reads.once("one", slow)), yield* Effect.fork(reads.once("one", slow))] as const
    yield* Deferred.await(hasStarted)
    yield* Fiber.interrupt(both[0])
    yield* Deferred.succeed(mayEnd, undefined)
    assert.strictEqual(yield* Fiber.join(both[1]), 1)
  })
)
