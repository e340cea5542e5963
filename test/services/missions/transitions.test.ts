import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import {
  type MissionStatus,
  type MissionStepStatus,
  missionStatuses,
  missionStepStatuses
} from "../../../src/schema/Mission.ts"
import {
  afterFailure,
  isFinal,
  type MissionChange,
  missionAfter,
  missionTransitions,
  nextOf,
  reachableFrom,
  type StepChange,
  stepAfter,
  stepTransitions,
  triesPerStep
} from "../../../src/services/missions/transitions.ts"

const changes: ReadonlyArray<MissionChange> = [
  "submitted",
  "planned",
  "approved",
  "sent_back",
  "resubmitted",
  "paused",
  "over_budget",
  "asked",
  "resumed",
  "decided",
  "completed",
  "failed",
  "cancelled"
]
const stepChanges: ReadonlyArray<StepChange> = [
  "planned",
  "started",
  "completed",
  "released",
  "failed",
  "retried",
  "skipped"
]

/** From each status, the changes that there are. */
const expected: Readonly<Record<MissionStatus | "none", string>> = {
  none: "submitted→planning",
  planning: "planned→awaiting_approval resubmitted→planning failed→failed cancelled→cancelled",
  awaiting_approval: "approved→running sent_back→planning cancelled→cancelled",
  running:
    "paused→paused over_budget→paused asked→waiting_on_person completed→completed failed→failed cancelled→cancelled",
  paused: "resumed→running failed→failed cancelled→cancelled",
  waiting_on_person: "decided→running cancelled→cancelled",
  completed: "",
  failed: "resubmitted→planning",
  cancelled: "resubmitted→planning"
}

const listed = <Status extends string, Change extends string>(
  from: Status | null,
  all: ReadonlyArray<Change>,
  after: (from: Status | null, change: Change) => Status | null
) =>
  all
    .flatMap((change) => {
      const to = after(from, change)
      return to === null ? [] : [`${change}→${to}`]
    })
    .join(" ")

describe("the transitions of a mission", () => {
  it("are these for every status and every change, and no others", () => {
    for (const from of [null, ...missionStatuses]) {
      assert.strictEqual(listed(from, changes, missionAfter), expected[from ?? "none"], `from ${from}`)
    }
  })

  it("name each pair once, and every status and change is reached", () => {
    const pairs = missionTransitions.map(([from, change]) => `${from} ${change}`)
    assert.strictEqual(new Set(pairs).size, pairs.length)
    assert.sameMembers([...new Set(missionTransitions.map(([, , to]) => to))], [...missionStatuses])
    assert.sameMembers([...new Set(missionTransitions.map(([, change]) => change))], [...changes])
  })

  it.prop(
    "never run a mission whose newest plan no person has approved",
    [FastCheck.array(FastCheck.constantFrom(...changes), { maxLength: 60 })],
    ([sequence]) => {
      let status: MissionStatus | null = null
      let approved = false
      for (const change of sequence) {
        const next: MissionStatus | null = missionAfter(status, change)
        if (next === null) continue
        status = next
        if (change === "approved") approved = true
        if (change === "sent_back" || change === "resubmitted") approved = false
        if (status === "running" || status === "paused" || status === "waiting_on_person") assert.isTrue(approved)
      }
    }
  )

  it("leave a way on, or a way to cancel, from every status that is not final", () => {
    for (const status of missionStatuses) {
      if (isFinal(status)) continue
      assert.isNotEmpty(reachableFrom(status))
      assert.strictEqual(missionAfter(status, "cancelled"), "cancelled")
    }
    assert.deepStrictEqual(reachableFrom("completed"), [])
  })
})

describe("the transitions of a step", () => {
  it("are these for every status and every change, and no others", () => {
    const lines = [null, ...missionStepStatuses].map((from) => `${from}: ${listed(from, stepChanges, stepAfter)}`)
    assert.deepStrictEqual(lines, [
      "null: planned→pending",
      "pending: started→running skipped→skipped",
      "running: completed→completed released→pending failed→failed",
      "completed: ",
      "failed: retried→pending skipped→skipped",
      "skipped: "
    ])
    assert.strictEqual(stepTransitions.length, 8)
  })

  it("give a step that fails another try by itself once, and again only where a person asks", () => {
    assert.strictEqual(triesPerStep, 2)
    assert.deepStrictEqual([1, 2, 3, 4].map(afterFailure), ["released", "failed", "failed", "failed"])
  })
})

describe("what a running mission does next", () => {
  const steps = (...statuses: ReadonlyArray<MissionStepStatus>) =>
    statuses.map((status, index) => ({ status, position: index + 1 }))
  const nextAfter = (...statuses: ReadonlyArray<MissionStepStatus>) => {
    const next = nextOf(steps(...statuses))
    return next.kind === "finish" ? "finish" : `${next.kind} ${next.step.position}`
  }

  it("is the first step in order that is neither done nor skipped", () => {
    assert.strictEqual(nextAfter("pending", "pending"), "start 1")
    assert.strictEqual(nextAfter("completed", "skipped", "pending", "pending"), "start 3")
    assert.strictEqual(nextAfter("completed", "running", "pending"), "await 2")
    assert.strictEqual(nextAfter("completed", "failed", "pending"), "ask 2")
    assert.strictEqual(nextAfter("completed", "skipped"), "finish")
  })

  it.prop(
    "is one step at a time, and never one after a step that failed",
    [FastCheck.array(FastCheck.constantFrom(...missionStepStatuses), { maxLength: 12 })],
    ([statuses]) => {
      const all = steps(...statuses)
      const next = nextOf(all)
      if (next.kind !== "start") return
      assert.isFalse(statuses.includes("running"))
      assert.isFalse(all.some(({ status, position }) => status === "failed" && position < next.step.position))
    }
  )
})
