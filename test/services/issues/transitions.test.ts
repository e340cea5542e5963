import { assert, describe, it } from "@effect/vitest"
import { type IssueStatus, issueStatuses } from "../../../src/schema/Issue.ts"
import { closedAs, isClosed, mayMove, nextStatuses } from "../../../src/services/issues/transitions.ts"

const allowed: Record<IssueStatus, string> = {
  open: "in_progress in_review blocked done cancelled",
  in_progress: "open in_review blocked done cancelled",
  in_review: "open in_progress done cancelled",
  blocked: "open in_progress cancelled",
  done: "",
  cancelled: ""
}

describe("transitions of issues", () => {
  it("every move is as the contract says, and what is closed moves nowhere", () => {
    const found = Object.fromEntries(
      issueStatuses.map((from) => [from, issueStatuses.filter((to) => mayMove(from, to)).join(" ")])
    )
    assert.deepStrictEqual(found, allowed)
  })

  it("a closed issue can only be reopened, and every reason closes", () => {
    for (const status of issueStatuses.filter(isClosed)) assert.deepStrictEqual(nextStatuses(status), ["open"])
    assert.sameMembers([...nextStatuses("blocked")], ["open", "in_progress", "cancelled"])
    assert.isTrue(Object.values(closedAs).every(isClosed))
  })
})
