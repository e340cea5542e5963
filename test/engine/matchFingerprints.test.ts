import { assert, describe, it } from "vitest"
import { digest, signaturesOf } from "../../src/engine/core/identity/Fingerprint.ts"
import {
  type KnownOccurrence,
  matchFingerprints,
  type Occurrence
} from "../../src/engine/core/identity/matchFingerprints.ts"

interface Fields {
  readonly path?: string
  readonly symbol?: string | null
  readonly anchor?: string
  readonly ordinal?: number
  readonly rule?: string
  readonly sites?: ReadonlyArray<string>
}

const occurrence = ({
  path = "a.ts",
  symbol = "Shop.sell",
  anchor = "danger ( item )",
  ordinal = 0,
  rule = "t.r",
  sites = []
}: Fields = {}): Occurrence => {
  const signatures = signaturesOf({ rule_id: rule, file_path: path, symbol, anchor: { hash: digest(anchor) }, ordinal })
  return { rule_id: rule, file_path: path, symbol, anchor, signatures: { ...signatures, sites } }
}

const known = (id: string, fields: Fields = {}, dismissed = false): KnownOccurrence => ({
  ...occurrence(fields),
  id,
  dismissed
})

const long = 'query ( " SELECT a , b , c FROM orders WHERE id = " + id )'
const edited = 'query ( " SELECT a , b , c FROM orders WHERE id = " + orderId )'

const pairs = (
  previous: ReadonlyArray<KnownOccurrence>,
  current: ReadonlyArray<Occurrence>,
  renames?: Map<string, string>
) => matchFingerprints(previous, current, renames).matches.map(({ id, index, by }) => `${id}=${index} ${by}`)

describe("known observations are found again", () => {
  it("exactly, in any order, dismissed or not", () => {
    const previous = [known("1"), known("2", { ordinal: 1 }, true), known("3", { path: "b.ts" })]
    const current = [occurrence({ path: "b.ts" }), occurrence({ ordinal: 1 }), occurrence()]
    assert.deepStrictEqual(pairs(previous, current), ["3=0 exact", "2=1 exact", "1=2 exact"])
    assert.deepStrictEqual(pairs([...previous].reverse(), current), ["3=0 exact", "2=1 exact", "1=2 exact"])
  })

  it("when the first of several places was fixed", () => {
    const second = occurrence({ ordinal: 1, anchor: "danger ( other )" })
    const previous = [known("1", { sites: [second.signatures.located] })]
    assert.deepStrictEqual(pairs(previous, [second]), ["1=0 exact"])
  })

  it("in a renamed file, reported by git or by there being one on each side", () => {
    assert.deepStrictEqual(pairs([known("1")], [occurrence({ path: "b.ts" })], new Map([["a.ts", "b.ts"]])), [
      "1=0 renamed"
    ])
    assert.deepStrictEqual(pairs([known("1", {}, true)], [occurrence({ path: "b.ts" })]), ["1=0 renamed"])
  })

  it("not among several copies, where no one can say which is which", () => {
    const { matches, fresh, unseen } = matchFingerprints(
      [known("1", { path: "a.ts" }), known("2", { path: "b.ts" })],
      [occurrence({ path: "c.ts" }), occurrence({ path: "d.ts" })]
    )
    assert.deepStrictEqual([matches.length, fresh, unseen], [0, [0, 1], ["1", "2"]])
  })

  it("with edited code in the same symbol, the most similar first", () => {
    const current = [occurrence({ anchor: edited }), occurrence({ anchor: "fetch ( url )" })]
    assert.deepStrictEqual(pairs([known("1", { anchor: long })], current), ["1=0 similar"])
    const renames = new Map([["a.ts", "z.ts"]])
    assert.deepStrictEqual(
      pairs([known("1", { anchor: long })], [occurrence({ path: "z.ts", anchor: edited })], renames),
      ["1=0 similar"]
    )
    assert.deepStrictEqual(pairs([known("1", { anchor: long })], [occurrence({ anchor: edited, rule: "t.other" })]), [])
  })

  it("moved to another symbol, when there is one on each side", () => {
    assert.deepStrictEqual(pairs([known("1")], [occurrence({ symbol: "Store.sell" })]), ["1=0 moved"])
    assert.deepStrictEqual(pairs([known("1")], [occurrence({ symbol: "X.a" }), occurrence({ symbol: "X.b" })]), [])
  })

  it("in a renamed function, although the same code is in other places", () => {
    const elsewhere = known("2", { path: "b.ts", symbol: "Other.buy" })
    const now = [
      occurrence({ symbol: "Shop.sellAll" }),
      occurrence({ symbol: "Till.count" }),
      occurrence({ path: "b.ts", symbol: "Other.buyAll" })
    ]
    assert.deepStrictEqual(pairs([known("1"), elsewhere], now), ["1=0 moved", "2=2 moved"])
  })

  it("when nothing but names changed in the only such code there", () => {
    const before = known("1", { anchor: "out . state == 5" })
    assert.deepStrictEqual(pairs([before], [occurrence({ anchor: "row . status == 5" })]), ["1=0 similar"])
    assert.deepStrictEqual(pairs([before], [occurrence({ anchor: "fetch ( url , { signal } )" })]), [])
  })
})

describe("what was not seen", () => {
  it("is not said to be gone while a new one of its rule and file, or of its code, may be it", () => {
    const previous = [
      known("1"),
      known("2", { path: "b.ts", symbol: "B.b", anchor: "run ( it )" }),
      known("3", { path: "c.ts", symbol: "C.c", anchor: "stop ( it )" })
    ]
    const current = [
      occurrence({ anchor: "entirely ( different , code ) + 1", symbol: "Shop.buy" }),
      occurrence({ path: "x/d.ts", symbol: "D.d", anchor: "run ( it )" }),
      occurrence({ path: "x/e.ts", symbol: "E.e", anchor: "run ( it )" })
    ]
    const { unseen, ambiguous, matches } = matchFingerprints(previous, current)
    assert.deepStrictEqual(matches, [])
    assert.deepStrictEqual(
      [unseen, [...ambiguous]],
      [
        ["1", "2", "3"],
        ["1", "2"]
      ]
    )
  })
})

describe("a weak match never meets a dismissed row", () => {
  const cases: ReadonlyArray<readonly [name: string, before: Fields, now: Fields]> = [
    ["edited code", { anchor: long }, { anchor: edited }],
    ["another symbol", {}, { symbol: "Store.sell" }],
    ["another file, outside of any symbol", { symbol: null }, { symbol: null, path: "b.ts" }]
  ]
  for (const [name, before, now] of cases) {
    it(name, () => {
      assert.deepStrictEqual(pairs([known("1", before, true)], [occurrence(now)]), [])
      assert.strictEqual(pairs([known("1", before)], [occurrence(now)]).length, 1)
    })
  }
})
