import { assert, describe, it } from "@effect/vitest"
import { violationsOf } from "./claims/checker.ts"
import type { Call, FinalClaim, History, StoredEvent } from "./claims/history.ts"

const hour = 3_600_000

const call = (client: string, action: Call["action"], at: number, more: Partial<Call> = {}): Call => ({
  client,
  issue: "ISS-1",
  action,
  fence: null,
  invokedAt: at,
  answeredAt: at + 5,
  outcome: "ok",
  granted: null,
  mark: null,
  ...more
})

const claim = (client: string, fence: number, at: number, ends = at + hour) =>
  call(client, "claim", at, { granted: { fence, ends } })

const claimed = (client: string, fence: number, at: number): StoredEvent => ({
  client,
  issue: "ISS-1",
  action: "claim",
  fence,
  ends: at + hour,
  mark: null
})

const written = (of: Call): StoredEvent => ({ ...of, ends: of.granted?.ends ?? null, action: of.action as "note" })

const check = (calls: ReadonlyArray<Call>, events: ReadonlyArray<StoredEvent>, claims: ReadonlyArray<FinalClaim>) => {
  const history: History = { calls, events, claims, tolerance: 1 }
  return violationsOf(history)
}

const held = (fence: number, holder: string | null): ReadonlyArray<FinalClaim> => [{ issue: "ISS-1", fence, holder }]

const a = claim("ada", 1, 0)
const b = claim("bob", 2, 100)
const both = [claimed("ada", 1, 0), claimed("bob", 2, 100)]
const note = call("ada", "note", 20, { fence: 1, mark: "a note" })
const end = call("test", "expire", 50, { fence: 1, granted: { fence: 1, ends: 49 } })

describe("the checker of histories", () => {
  it("finds nothing in a course of claims as it has to be", () => {
    const late = call("ada", "note", 200, { fence: 1, outcome: "claim_lost", mark: "too late" })
    const release = call("bob", "release", 300, { fence: 2 })
    const again = claim("ada", 3, 400)
    assert.deepStrictEqual(
      check(
        [a, note, end, b, late, release, again],
        [claimed("ada", 1, 0), written(note), claimed("bob", 2, 100), written(release), claimed("ada", 3, 400)],
        held(3, "ada")
      ),
      []
    )
  })

  it("finds a second lease while the first is valid", () => {
    const found = check([a, b], both, held(2, "bob"))
    assert.include(found, "ISS-1: bob held fence 2 while ada held fence 1.")
    assert.include(found, "ISS-1: the claim of fence 2 was written while ada held 1.")
  })

  it("takes a lease that ended by the database's clock for ended", () => {
    assert.deepStrictEqual(
      check(
        [claim("ada", 1, 0, 60), b],
        [{ ...claimed("ada", 1, 0), ends: 60 }, claimed("bob", 2, 100)],
        held(2, "bob")
      ),
      []
    )
  })

  it("takes a lease for ended that ended before its holder knew of it", () => {
    const slow = { ...a, answeredAt: 150 }
    assert.deepStrictEqual(check([slow, end, b], both, held(2, "bob")), [])
  })

  it("finds a fence that falls, and one that is granted twice", () => {
    const falling = check([claim("ada", 2, 0), end, claim("bob", 1, 100)], [], held(2, null))
    assert.include(falling, "ISS-1: bob was granted fence 1 after fence 2 had been granted.")
    const twice = check([a, end, claim("bob", 1, 100)], [claimed("ada", 1, 0), claimed("bob", 1, 100)], held(1, "bob"))
    assert.include(twice, "ISS-1: fence 1 was granted to ada and bob.")
    assert.include(twice, "ISS-1: fence 1 was written after fence 1.")
  })

  it("finds a write that was accepted under an old fence, or under a lease that had ended", () => {
    const late = call("ada", "note", 200, { fence: 1, mark: "late" })
    const problem = "ISS-1: the note of ada was accepted under the old fence 1."
    const found = check([a, end, b, late], [...both, written(late)], held(2, "bob"))
    assert.include(found, problem)
    assert.include(found, "ISS-1: the note of ada under fence 1 was written; bob held 2.")
    assert.include(check([a, end, late], [claimed("ada", 1, 0), written(late)], held(1, "ada")), problem)
    const short = claim("ada", 1, 0, 60)
    const found2 = check([short, late], [{ ...claimed("ada", 1, 0), ends: 60 }, written(late)], held(1, "ada"))
    assert.include(found2, "ISS-1: the note of ada under fence 1 was written; ada held 1.")
  })

  it("finds a renewal after the end, and accepts one shortly before it", () => {
    const shortened = { ...end, granted: { fence: 1, ends: 150 } }
    const renewal = (at: number) => call("ada", "renew", at, { fence: 1, granted: { fence: 1, ends: at + hour } })
    const course = (at: number) =>
      check([a, shortened, renewal(at)], [claimed("ada", 1, 0), written(renewal(at))], held(1, "ada"))
    assert.deepStrictEqual(course(100), [])
    assert.deepStrictEqual(course(200), ["ISS-1: the renew of ada was accepted under the old fence 1."])
  })

  it("finds an acknowledged change without an event, and an event without its change", () => {
    assert.deepStrictEqual(check([a, note], [claimed("ada", 1, 0)], held(1, "ada")), [
      "ISS-1: an acknowledged note of ada (a note) has no event."
    ])
    assert.deepStrictEqual(check([a], [claimed("ada", 1, 0), written(note)], held(1, "ada")), [
      "ISS-1: an event of a note of ada (a note) belongs to no call."
    ])
  })

  it("accepts that a call without a response took effect or did not", () => {
    const unanswered = { ...note, outcome: "unanswered", answeredAt: Number.POSITIVE_INFINITY }
    const lostClaim = { ...b, granted: null, outcome: "unanswered", answeredAt: Number.POSITIVE_INFINITY }
    const first = claimed("ada", 1, 0)
    assert.deepStrictEqual(check([a, unanswered], [first], held(1, "ada")), [])
    assert.deepStrictEqual(check([a, unanswered], [first, written(unanswered)], held(1, "ada")), [])
    assert.deepStrictEqual(check([a, end, lostClaim], [first], held(1, null)), [])
    assert.deepStrictEqual(check([a, end, lostClaim], both, held(2, "bob")), [])
  })

  it("finds a holder that was rejected, and a free issue that was not granted", () => {
    const rejected = { ...note, outcome: "claim_lost" }
    assert.deepStrictEqual(check([a, rejected], [claimed("ada", 1, 0)], held(1, "ada")), [
      "ISS-1: the note of ada was rejected while it held fence 1."
    ])
    const rejection = call("bob", "claim", 100, { outcome: "already_claimed" })
    assert.deepStrictEqual(check([a, end, rejection], [claimed("ada", 1, 0)], held(1, "ada")), [
      "ISS-1: bob was rejected although the issue was free."
    ])
  })

  it("finds events in another order than their calls", () => {
    const second = call("ada", "note", 40, { fence: 1, mark: "second" })
    assert.deepStrictEqual(
      check([a, note, second], [claimed("ada", 1, 0), written(second), written(note)], held(1, "ada")),
      ["ISS-1: the note of ada (a note) is written after the note of ada (second), which began later."]
    )
  })

  it("finds a last state that the events do not lead to", () => {
    assert.deepStrictEqual(check([a], [claimed("ada", 1, 0)], held(2, "bob")), [
      "ISS-1: the issue holds fence 2 of bob, its events end with 1."
    ])
    assert.deepStrictEqual(check([a], [claimed("ada", 1, 0)], []), ["ISS-1: the issue is not in the database."])
  })
})
