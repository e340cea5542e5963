import { assert, describe, it } from "@effect/vitest"
import { addresses, routePaths } from "./support/views.ts"

describe("the views that tests visit", () => {
  it("are those of the router", () => {
    assert.sameMembers(Object.keys(addresses), [...routePaths()])
  })
})
