import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Ref, Scope, TestClock } from "effect"
import { KeyId, WorkspaceId } from "../../../src/schema/Ids.ts"
import { type Scope as Permission } from "../../../src/schema/Key.ts"
import { Caller } from "../../../src/services/access/Caller.ts"
import { LiveCallersRepo } from "../../../src/services/access/LiveCallersRepo.ts"
import { OpenStreams } from "../../../src/services/access/OpenStreams.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { keyCredential } from "../../support/credential.ts"

const workspace_id = WorkspaceId.make("01a1f7f4-6852-7074-af98-de3842bb87ed")

/** Keys that may call, with their scopes, and how often they were asked for. */
class Keys extends Effect.Service<Keys>()("test/Keys", {
  effect: Effect.all({
    live: Ref.make<ReadonlyMap<string, ReadonlyArray<Permission>>>(new Map()),
    checks: Ref.make(0)
  })
}) {}

const repo = Layer.unwrapEffect(
  Effect.map(Keys, ({ live, checks }) =>
    Layer.mock(LiveCallersRepo, {
      _tag: "LiveCallersRepo",
      among: ({ ids }) =>
        Effect.zipRight(
          Ref.update(checks, (n) => n + 1),
          Effect.map(Ref.get(live), (known) =>
            ids.flatMap((id) => {
              const scopes = known.get(id)
              return scopes === undefined
                ? []
                : [{ id, workspace_id, scopes, role: "member" as const, hidden_repositories: [] }]
            })
          )
        )
    })
  )
)

const service = OpenStreams.Default.pipe(Layer.provide(repo), Layer.provideMerge(Keys.Default))

const aKey = Effect.gen(function* () {
  const { live } = yield* Keys
  const id = yield* newId(KeyId)
  yield* Ref.update(live, (known) => new Map([...known, [id, ["view_jobs"]]]))
  const caller = {
    workspace_id,
    actor: { kind: "api_key" as const, label: "ci", api_key_id: id, user_id: null },
    permissions: new Set<Permission>(["view_jobs"]),
    hidden_repositories: [],
    credential: keyCredential(id)
  }
  const change = (scopes: ReadonlyArray<Permission> | null) =>
    Ref.update(live, (known) => {
      const others = [...known].filter(([other]) => other !== id)
      return new Map(scopes === null ? others : [...others, [id, scopes]])
    })
  return { caller, change }
})

/** An endless stream of the key; `ended` once it is over, `close` as when its client leaves. */
const opened = ({ caller }: { readonly caller: Caller["Type"] }) =>
  Effect.gen(function* () {
    const streams = yield* OpenStreams
    const scope = yield* Scope.make()
    const ended = yield* Deferred.make<void>()
    yield* streams
      .admit(["view_jobs"], () => Deferred.unsafeDone(ended, Effect.void))
      .pipe(Effect.provideService(Caller, caller), Scope.extend(scope))
    const fiber = yield* Effect.fork(Deferred.await(ended))
    return {
      fiber,
      isOpen: Effect.map(Fiber.poll(fiber), (exit) => exit._tag === "None"),
      close: Scope.close(scope, Exit.void)
    }
  })

it.effect("a stream ends within a second of its key being revoked or narrowed, and no other one does", () =>
  Effect.gen(function* () {
    const [revoked, narrowed, other] = [yield* aKey, yield* aKey, yield* aKey]
    const streams = yield* Effect.forEach([revoked, revoked, narrowed, other], opened)
    yield* TestClock.adjust("10 seconds")
    for (const { isOpen } of streams) assert.isTrue(yield* isOpen)
    yield* revoked.change(null)
    yield* narrowed.change(["view_observations"])
    yield* TestClock.adjust("1 second")
    for (const { fiber } of streams.slice(0, 3)) assert.isTrue(Exit.isSuccess(yield* Fiber.await(fiber)))
    assert.isTrue(yield* streams[3]!.isOpen)
  }).pipe(Effect.provide(service))
)

it.effect("two checks a second serve all streams, and none is made while nothing is open", () =>
  Effect.gen(function* () {
    const { checks } = yield* Keys
    const keys = yield* Effect.all([aKey, aKey, aKey])
    const streams = yield* Effect.forEach([...keys, ...keys, ...keys], opened)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* Ref.get(checks), 20)
    yield* Effect.forEach(streams, ({ close }) => close)
    yield* TestClock.adjust("1 second")
    const last = yield* Ref.get(checks)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Ref.get(checks), last)
    const again = yield* opened(keys[0])
    yield* keys[0].change(null)
    yield* TestClock.adjust("1 second")
    assert.isTrue(Exit.isSuccess(yield* Fiber.await(again.fiber)))
  }).pipe(Effect.provide(service))
)

it.effect("a key has at most 20 streams and the process 500; a closed one makes room", () =>
  Effect.gen(function* () {
    const keys = yield* Effect.all(Array.from({ length: 26 }, () => aKey))
    const first = keys[0]!
    const own = yield* Effect.forEach(Array.from({ length: 20 }), () => opened(first))
    const rejected = yield* Effect.flip(opened(first))
    assert.deepStrictEqual(
      [rejected.spec.status, rejected.spec.code, rejected.retryAfterSeconds],
      [429, "rate_limit_qps", 10]
    )
    assert.match(rejected.message, /20 streams/)
    for (const key of keys.slice(1, 25)) yield* Effect.forEach(Array.from({ length: 20 }), () => opened(key))
    assert.match((yield* Effect.flip(opened(keys[25]!))).message, /500 streams/)
    yield* own[0]!.close
    assert.isTrue(yield* (yield* opened(keys[25]!)).isOpen)
    assert.match((yield* Effect.flip(opened(keys[25]!))).message, /500 streams/)
    yield* own[1]!.close
    assert.isTrue(yield* (yield* opened(first)).isOpen)
  }).pipe(Effect.provide(service))
)

it.effect("a check that fails ends nothing, and the next one still does", () =>
  Effect.gen(function* () {
    const isAway = yield* Ref.make(true)
    const checked = yield* Deferred.make<void>()
    const failing = Layer.mock(LiveCallersRepo, {
      _tag: "LiveCallersRepo",
      among: () =>
        Effect.zipRight(
          Deferred.succeed(checked, undefined),
          Effect.flatMap(Ref.get(isAway), (away) => (away ? Effect.die("the database is away") : Effect.succeed([])))
        )
    })
    yield* Effect.gen(function* () {
      const stream = yield* opened(yield* aKey)
      yield* TestClock.adjust("1 second")
      yield* Deferred.await(checked)
      assert.isTrue(yield* stream.isOpen)
      yield* Ref.set(isAway, false)
      yield* TestClock.adjust("1 second")
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(stream.fiber)))
    }).pipe(Effect.provide(OpenStreams.Default.pipe(Layer.provide(failing), Layer.provideMerge(Keys.Default))))
  })
)
