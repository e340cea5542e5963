import { assert, describe, it } from "vitest"
import { sourceKindOf } from "../../../src/engine/dataflow/languages/languages.ts"

describe("the kind of a source", () => {
  it("is that of the whole for an element and a field of it", () => {
    const whole = "optparse.OptionParser().parse_args()"
    assert.deepStrictEqual(
      [whole, `${whole}.1`, `${whole}.0.host`].map((path) => sourceKindOf("python", path)),
      ["arguments", "arguments", "arguments"]
    )
  })

  it("is unknown for what no model names", () => {
    assert.isNull(sourceKindOf("python", "stock.Shelf().take().1"))
  })
})
