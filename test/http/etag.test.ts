import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { type Conditions, ifMatch, putCondition } from "../../src/http/etag.ts"

const etag = '"0198c0de-0000-7000-8000-000000000001:3"'

const outcomeOf = (headers: Conditions) =>
  Effect.map(
    Effect.either(putCondition(headers)),
    Either.match({ onLeft: ({ spec }) => spec.code, onRight: (action) => action })
  )

describe("a conditional request", () => {
  it.effect("PUT creates or replaces, as exactly one header says", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcomeOf({ "if-none-match": "*" }), "create")
      assert.strictEqual(yield* outcomeOf({ "if-match": etag }), "replace")
      assert.strictEqual(yield* outcomeOf({}), "precondition_required")
      assert.strictEqual(yield* outcomeOf({ "if-match": etag, "if-none-match": "*" }), "bad_request")
      assert.strictEqual(yield* outcomeOf({ "if-none-match": etag }), "malformed_etag")
    })
  )

  it.effect("names the entry and the version that the client has seen", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ifMatch({ "if-match": etag }), {
        id: "0198c0de-0000-7000-8000-000000000001",
        version: 3
      })
      const absent = yield* Effect.flip(ifMatch({}))
      assert.deepStrictEqual(
        [absent.spec.code, absent.message],
        ["precondition_required", "If-Match with the current ETag is required."]
      )
    })
  )
})
