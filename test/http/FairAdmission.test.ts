import { assert, describe, it } from "@effect/vitest"
import { type AdmissionLimits, FairAdmission, type Verdicts } from "../../src/http/FairAdmission.ts"

interface Request {
  readonly name: string
  readonly isStream: boolean
}

const limits: AdmissionLimits = {
  slots: 2,
  slotMillis: 100,
  started: 4,
  waiting: 4,
  burstMillis: 1000,
  waitMillis: 50
}

const newRequest = (name: string, isStream = false): Request => ({ name, isStream })

const names = ({ started, rejected }: Verdicts<Request>) => ({
  started: started.map(({ name }) => name),
  rejected: rejected.map(({ name }) => name)
})

/** Requests by their names; the first letter is the flow. */
const admission = (changes: Partial<AdmissionLimits> = {}) => {
  const fair = new FairAdmission<Request>({ ...limits, ...changes })
  const known = new Map<string, Request>()
  return {
    fair,
    arrive: (name: string, now = 0, isStream = false) => {
      const request = newRequest(name, isStream)
      known.set(name, request)
      return names(fair.arrive(request, name[0]!, now))
    },
    end: (name: string, now = 0) => names(fair.end(known.get(name)!, name[0]!, now)),
    advance: (now: number) => names(fair.advance(now))
  }
}

const nothing = { started: [], rejected: [] }

describe("the admission of requests", () => {
  it("starts requests while there are slots, and the first that waits when one is free", () => {
    const { arrive, end, fair } = admission()
    assert.deepStrictEqual(arrive("a1"), { started: ["a1"], rejected: [] })
    assert.deepStrictEqual(arrive("a2"), { started: ["a2"], rejected: [] })
    assert.isFalse(fair.isWaiting)
    assert.deepStrictEqual(arrive("a3"), nothing)
    assert.deepStrictEqual(arrive("a4"), nothing)
    assert.isTrue(fair.isWaiting)
    assert.deepStrictEqual(end("a2"), { started: ["a3"], rejected: [] })
    assert.deepStrictEqual(end("a1"), { started: ["a4"], rejected: [] })
    assert.isFalse(fair.isWaiting)
  })

  it("gives a free slot to the flow that has the fewest, and among equals to the one that had the last start longest ago", () => {
    const { arrive, end } = admission()
    for (const name of ["a1", "a2", "a3", "a4", "b1", "c1"]) arrive(name)
    assert.deepStrictEqual(end("a1").started, ["b1"])
    assert.deepStrictEqual(end("a2").started, ["c1"])
    assert.deepStrictEqual(arrive("b2").started, [])
    assert.deepStrictEqual(end("c1").started, ["a3"])
    assert.deepStrictEqual(end("b1").started, ["b2"])
    assert.deepStrictEqual(end("a3").started, ["a4"])
  })

  it("rejects the newest request of the flow of which most wait when too many do", () => {
    const { arrive } = admission()
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) arrive(name)
    assert.deepStrictEqual(arrive("b1"), nothing)
    assert.deepStrictEqual(arrive("b2"), { started: [], rejected: ["a5"] })
    assert.deepStrictEqual(arrive("a6"), { started: [], rejected: ["a6"] })
  })

  it("lets a burst wait, and rejects what waited for too long once requests have been waiting without a pause", () => {
    const { arrive, advance, end } = admission({ slotMillis: 10_000 })
    for (const name of ["a1", "a2", "a3", "b1"]) arrive(name)
    assert.deepStrictEqual(advance(999), nothing)
    arrive("b2", 990)
    assert.deepStrictEqual(advance(1000), { started: [], rejected: ["a3", "b1"] })
    assert.deepStrictEqual(end("a1", 1039).started, ["b2"])
    // Nothing waited for a moment.
    arrive("b3", 1040)
    assert.deepStrictEqual(advance(2039), nothing)
  })

  it("takes the slot of a request back that takes long, up to a number of those that have started", () => {
    const { arrive, advance, end } = admission()
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) arrive(name)
    assert.deepStrictEqual(advance(99), nothing)
    assert.deepStrictEqual(advance(100).started, ["a3", "a4"])
    assert.deepStrictEqual(advance(200), nothing)
    assert.deepStrictEqual(end("a1", 201).started, ["a5"])
  })

  it("counts no streams among those that have started", () => {
    const { arrive, advance } = admission()
    for (const name of ["a1", "a2"]) arrive(name, 0, true)
    for (const name of ["a3", "a4", "a5"]) arrive(name)
    assert.deepStrictEqual(advance(100).started, ["a3", "a4"])
    assert.deepStrictEqual(advance(200).started, ["a5"])
  })

  it("forgets a waiting request whose client is gone", () => {
    const { arrive, end, fair } = admission()
    for (const name of ["a1", "a2", "a3"]) arrive(name)
    assert.deepStrictEqual(end("a3"), nothing)
    assert.isFalse(fair.isWaiting)
    assert.deepStrictEqual(end("a1"), nothing)
    assert.deepStrictEqual(arrive("a4").started, ["a4"])
  })
})
