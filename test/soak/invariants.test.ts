import { assert, describe, it } from "@effect/vitest"
import { violationsOf } from "./invariants/checker.ts"
import type { KeptState, Limited, SharedCall } from "./invariants/history.ts"

const call = (of: Partial<SharedCall>): SharedCall => ({
  client: 0,
  action: "claim",
  subject: "ISS-1",
  outcome: "ok",
  invokedAt: 0,
  answeredAt: 1,
  fence: null,
  entry: null,
  mark: null,
  ...of
})

const kept = (of: Partial<KeptState> = {}): KeptState => ({
  entryEvents: [
    { entry_id: "a", key: "k", version: 1, event: "created" },
    { entry_id: "a", key: "k", version: 2, event: "updated" }
  ],
  entries: [{ id: "a", key: "k", version: 2, enabled: true }],
  issueMoves: [
    { subject: "ISS-1", event: "status_changed", from: "open", to: "in_progress" },
    { subject: "ISS-1", event: "closed", from: "in_progress", to: "done" },
    { subject: "ISS-1", event: "reopened", from: "done", to: "open" }
  ],
  observationMoves: [{ subject: "OBS-1", event: "dismissed", from: "new", to: "closed" }],
  issues: [{ ref: "ISS-1", title: "m" }],
  money: { before: 100, after: 98.5, settled: 1.5 },
  recorded: [{ kind: "notes", changes: 2, records: 2 }],
  ...of
})

const limit: Limited = { perMinute: 60, seconds: 60, accepted: 120, rejected: 400, open: 0 }

const calls = [
  call({ fence: 1, invokedAt: 0, answeredAt: 1 }),
  call({ action: "release", invokedAt: 5, answeredAt: 6 }),
  call({ client: 1, fence: 2, invokedAt: 5, answeredAt: 7 }),
  call({ action: "patch", subject: "k", entry: { id: "a", version: 2 } }),
  call({ action: "file", subject: "ISS-1", mark: "m" })
]

const found = (state: KeptState, history = calls, limited = limit) =>
  Object.entries(violationsOf(history, [limited], state)).flatMap(([name, cases]) => (cases.length > 0 ? [name] : []))

describe("The invariants' checker finds", () => {
  it("nothing in a history in which all is well", () => {
    assert.deepStrictEqual(found(kept()), [])
  })

  it("a version that is missing, and one that two writes were given", () => {
    const [first] = kept().entryEvents
    assert.deepStrictEqual(found(kept({ entryEvents: [first!] })), ["versions with a gap"])
    const write = call({ client: 1, action: "put", subject: "k", entry: { id: "a", version: 2 } })
    assert.deepStrictEqual(found(kept(), [...calls, write]), ["versions with a gap"])
  })

  it("a key with two enabled entries", () => {
    const entryEvents = [...kept().entryEvents, { entry_id: "b", key: "k", version: 1, event: "created" }]
    const entries = [...kept().entries, { id: "b", key: "k", version: 1, enabled: true }]
    assert.deepStrictEqual(found(kept({ entryEvents, entries })), ["two enabled entries of a key"])
  })

  it("an issue that two clients hold", () => {
    const early = call({ client: 1, fence: 2, invokedAt: 2, answeredAt: 3 })
    const history = calls.map((one) => (one.fence === 2 ? early : one))
    assert.deepStrictEqual(found(kept(), history), ["two valid claims of an issue"])
    const same = calls.map((one) => (one.fence === 2 ? { ...one, fence: 1 } : one))
    assert.deepStrictEqual(found(kept(), same), ["two valid claims of an issue"])
  })

  it("no second claim where clients of one key claim and give up at once, and the answer to the claim comes last", () => {
    const history = [
      ...calls.filter(({ fence }) => fence === null),
      call({ fence: 1, invokedAt: 4, answeredAt: 20 }),
      call({ client: 1, fence: 2, invokedAt: 7, answeredAt: 30 })
    ]
    assert.deepStrictEqual(found(kept(), history), [])
  })

  it("a transition that is not allowed, and one that does not follow the one before", () => {
    const closed = { subject: "ISS-2", event: "status_changed", from: "done", to: "open" }
    assert.deepStrictEqual(found(kept({ issueMoves: [closed] })), ["illegal transitions"])
    const [move] = kept().issueMoves
    assert.deepStrictEqual(found(kept({ issueMoves: [move!, move!] })), ["illegal transitions"])
    const again = [...kept().observationMoves, ...kept().observationMoves]
    assert.deepStrictEqual(found(kept({ observationMoves: again })), ["illegal transitions"])
  })

  it("a cent that is gone", () => {
    assert.deepStrictEqual(found(kept({ money: { before: 100, after: 98.49, settled: 1.5 } })), ["money lost or made"])
  })

  it("a limit that lets too many or too few pass", () => {
    for (const accepted of [116, 124]) {
      assert.deepStrictEqual(found(kept(), calls, { ...limit, accepted }), ["limits off by more than 2 %"])
    }
    assert.deepStrictEqual(found(kept(), calls, { ...limit, accepted: 116, open: 3 }), [])
  })

  it("a number that was given twice, or that names something else", () => {
    const again = call({ client: 1, action: "file", subject: "ISS-1", mark: "m" })
    assert.deepStrictEqual(found(kept(), [...calls, again]), ["numbers used again"])
    assert.deepStrictEqual(found(kept({ issues: [{ ref: "ISS-1", title: "n" }] })), ["numbers used again"])
  })

  it("a change without its record in the audit log", () => {
    const recorded = [{ kind: "notes", changes: 2, records: 3 }]
    assert.deepStrictEqual(found(kept({ recorded })), ["changes without one record in the audit log"])
  })
})
