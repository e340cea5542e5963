import { assert, it } from "vitest"
import { partSlices } from "../../../src/engine/discovery/partSlices.ts"

const objects: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {},
  { text: "" },
  { text: 'a "quoted", [bracketed] {braced} \\ and \\" end\\' },
  { names: "one two", isEntryPoint: 12, style: null, generates: -1.5e-7, flag: true },
  {
    definitions: [
      { name: "}", bases: ["]", '"'], doc: "ends with \\" },
      { name: "é 𝄞 \u2028", bases: [] }
    ],
    calls: []
  },
  { typed: { typed: [[], {}, [{}]] }, empty: {}, "": "no name" }
]

it("the parts of an object are the texts that its values have, whatever they hold", () => {
  for (const object of objects) {
    const json = Buffer.from(JSON.stringify(object))
    const parts = partSlices(json).map(([name, start, end]) => [name, json.toString("utf8", start, end)])
    assert.deepStrictEqual(
      parts,
      Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)])
    )
  }
})
