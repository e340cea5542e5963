import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { FixOutcome, FixPrStatus } from "../../../src/schema/Fix.ts"
import {
  type AttemptStateName,
  attemptStates,
  type FixEvent,
  fixEvents,
  hasOpenPr,
  isOngoing,
  isSpent,
  stateAfter,
  stateOf,
  transitions
} from "../../../src/services/fixes/transitions.ts"

const states = Object.keys(attemptStates) as ReadonlyArray<AttemptStateName>
const events = Object.keys(fixEvents) as ReadonlyArray<FixEvent>

/** From each state, the events that change it. */
const expected: Readonly<Record<AttemptStateName | "none", string>> = {
  none: "started→working",
  working: "opened→in_review failed→failed declined→declined cancelled→cancelled",
  in_review:
    "revision_requested→revising conflicted→conflicted merged→merged closed_unmerged→rejected pr_lost→abandoned withdrawn→withdrawn",
  revising:
    "revised→in_review merged→merged closed_unmerged→rejected pr_lost→abandoned withdrawn→withdrawn failed→needs_attention declined→needs_attention cancelled→in_review",
  needs_attention:
    "revision_requested→revising conflicted→conflicted merged→merged closed_unmerged→rejected pr_lost→abandoned withdrawn→withdrawn",
  conflicted:
    "revision_requested→revising conflict_resolved→in_review merged→merged closed_unmerged→rejected pr_lost→abandoned withdrawn→withdrawn",
  merged: "",
  rejected: "pr_reopened→in_review",
  withdrawn: "",
  abandoned: "",
  failed: "reopened_by_retry→working",
  declined: "reopened_by_retry→working",
  cancelled: "reopened_by_retry→working"
}

describe("the transitions of a fix attempt", () => {
  it("are these for every state and every event, and no others", () => {
    for (const from of [null, ...states]) {
      const changes = events.flatMap((event) => {
        const to = stateAfter(from, event)
        return to === null ? [] : [`${event}→${to}`]
      })
      assert.strictEqual(changes.join(" "), expected[from ?? "none"], `from ${from}`)
    }
  })

  it("name each pair once, and every state and event is reached", () => {
    const pairs = transitions.map(([from, event]) => `${from} ${event}`)
    assert.strictEqual(new Set(pairs).size, pairs.length)
    assert.sameMembers([...new Set(transitions.map(([, , to]) => to))], [...states])
    assert.sameMembers([...new Set(transitions.map(([, event]) => event))], [...events])
  })

  it("give every outcome and every status of the contract", () => {
    const rows = Object.values(attemptStates)
    assert.sameMembers([...new Set(rows.map(({ outcome }) => outcome))], [...FixOutcome.literals])
    assert.sameMembers(
      [...new Set(rows.flatMap(({ pr_status }) => (pr_status === null ? [] : [pr_status])))],
      [...FixPrStatus.literals]
    )
  })

  it("a state is known by its columns", () => {
    for (const name of states) assert.strictEqual(stateOf(attemptStates[name]), name)
    assert.throws(() => stateOf({ outcome: "pr_merged", pr_status: null, conflicted: false }))
  })

  it.prop(
    "no sequence of events leaves the table, opens a pull request twice, or changes what is merged or withdrawn",
    [FastCheck.array(FastCheck.constantFrom(...events), { maxLength: 60 })],
    ([sequence]) => {
      let state: AttemptStateName | null = null
      let opened = 0
      for (const event of sequence) {
        const next: AttemptStateName | null = stateAfter(state, event)
        if (next === null) continue
        assert.isFalse(state === "merged" || state === "withdrawn" || state === "abandoned")
        if (event === "opened") opened++
        // Without a pull request it does not wait for people, and with one it is not run from the start.
        if (hasOpenPr(next)) assert.strictEqual(opened, 1)
        if (next === "working") assert.strictEqual(opened, 0)
        if (isSpent(next)) assert.isFalse(isOngoing(next))
        state = next
      }
    }
  )
})
