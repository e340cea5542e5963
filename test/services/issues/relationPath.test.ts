import { assert, describe, it } from "@effect/vitest"
import { IssueId } from "../../../src/schema/Ids.ts"
import { pathBetween } from "../../../src/services/issues/relationPath.ts"

const id = (n: number) => IssueId.make(`01a1f7f8-71f3-70ed-8830-${String(n).padStart(12, "0")}`)
const edges = (...pairs: ReadonlyArray<readonly [number, number]>) =>
  pairs.map(([from, to]) => ({ from_id: id(from), to_id: id(to) }))

describe("the path of a cycle", () => {
  it("is a shortest way along the relations, both ends included", () => {
    const ways = edges([1, 2], [2, 3], [3, 9], [1, 4], [4, 9], [9, 1])
    assert.deepStrictEqual(pathBetween(ways, id(1), id(9)), [id(1), id(4), id(9)])
    assert.deepStrictEqual(pathBetween(ways, id(1), id(1)), [id(1)])
  })

  it("follows the direction of relations", () => {
    assert.isNull(pathBetween(edges([1, 2], [2, 3]), id(3), id(1)))
  })

  it("is found in time that grows with the number of relations, not with that of the ways", () => {
    // Each step has two relations to each of the next two issues: 2^500 ways.
    const ladder = Array.from({ length: 500 }, (_, step) => {
      const [a, b, c, d] = [2 * step, 2 * step + 1, 2 * step + 2, 2 * step + 3]
      return edges([a, c], [a, d], [b, c], [b, d])
    }).flat()
    assert.lengthOf(pathBetween(ladder, id(0), id(1000)) ?? [], 501)
  })
})
