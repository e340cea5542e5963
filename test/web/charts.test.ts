import { assert, describe, it } from "vitest"
import { spreadLabels } from "../../web/src/parts/charts/chart.ts"

describe("labels at the end of a chart", () => {
  it("stand in the order of the layers where layers end at the same height", () => {
    const [base = 0, middle = 0, top = 0] = spreadLabels([100, 50, 50])
    assert.isBelow(top, middle)
    assert.isBelow(middle, base)
  })

  it("stand apart from each other, and inside of the chart", () => {
    const sorted = [...spreadLabels([176, 176, 176, 170])].sort((a, b) => a - b)
    for (const [n, position] of sorted.slice(1).entries()) assert.isAtLeast(position - (sorted[n] ?? 0), 16)
    assert.isAtMost(sorted.at(-1) ?? 0, 176)
  })
})
