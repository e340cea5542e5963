import { FastCheck } from "effect"
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
    ["another symbol in another file", {}, { symbol: "Store.sell", path: "b.ts" }],
    ["code that left its function", {}, { symbol: null }],
    ["another file, outside of any symbol", { symbol: null }, { symbol: null, path: "b.ts" }]
  ]
  for (const [name, before, now] of cases) {
    it(name, () => {
      assert.deepStrictEqual(pairs([known("1", before, true)], [occurrence(now)]), [])
      assert.strictEqual(pairs([known("1", before)], [occurrence(now)]).length, 1)
    })
  }
})

describe("a dismissal holds when only the enclosing name changed", () => {
  const renamed = (before: Fields, now: Fields) =>
    assert.deepStrictEqual(pairs([known("1", before, true)], [occurrence(now)]), ["1=0 renamed"])

  it("of a function, a class, an outer function, or all of them", () => {
    renamed({ symbol: "sell" }, { symbol: "trade" })
    renamed({ symbol: "Shop.sell" }, { symbol: "Store.sell" })
    renamed({ symbol: "Shop.sell" }, { symbol: "Shop.trade" })
    renamed({ symbol: "outer.inner.last" }, { symbol: "outer.other.last" })
    renamed({ symbol: "Shop.sell" }, { symbol: "Store.trade" })
  })

  it("also where the code itself holds the name", () =>
    renamed(
      { symbol: "Shop.sell", anchor: "function sell ( a , b )" },
      { symbol: "Shop.trade", anchor: "function trade ( a , b )" }
    ))

  it("not when a secret in the code is another one", () => {
    const secret = (value: string): Occurrence => {
      const anchor = { text: "use ( [redacted] )", hash: digest(value) }
      const fields = { rule_id: "t.r", file_path: "a.ts", symbol: value, ordinal: 0 }
      return { ...fields, anchor: anchor.text, signatures: signaturesOf({ ...fields, anchor }) }
    }
    assert.deepStrictEqual(pairs([{ ...secret("one"), id: "1", dismissed: true }], [secret("two")]), [])
  })

  it("not when its file was renamed with it", () => {
    const renames = new Map([["a.ts", "b.ts"]])
    const now = occurrence({ path: "b.ts", symbol: "Shop.trade" })
    assert.deepStrictEqual(pairs([known("1", {}, true)], [now], renames), [])
  })

  it("not when the old name is still there, or the new one was there before", () => {
    const other = { anchor: "other ( it )" }
    const stays = [occurrence({ symbol: "Shop.trade" }), occurrence(other)]
    assert.deepStrictEqual(pairs([known("1", {}, true), known("2", other)], stays), ["2=1 exact"])
    const there = { ...other, symbol: "Shop.trade" }
    const both = [occurrence({ symbol: "Shop.trade" }), occurrence(there)]
    assert.deepStrictEqual(pairs([known("1", {}, true), known("2", there)], both), ["2=1 exact"])
  })

  it("not of one of two equal pieces of code, where no one can say which", () => {
    const before = [known("1", { symbol: "a" }, true), known("2", { symbol: "b" })]
    assert.deepStrictEqual(pairs(before, [occurrence({ symbol: "c" })]), ["2=0 moved"])
    const two = matchFingerprints(
      [known("1", { symbol: "a" }, true)],
      [{ symbol: "c" }, { symbol: "d" }].map(occurrence)
    )
    assert.deepStrictEqual([two.matches, two.fresh], [[], [0, 1]])
  })

  it("of both of two equal methods, when their class was renamed", () => {
    const before = [known("1", { symbol: "Cart.add" }, true), known("2", { symbol: "Cart.drop" })]
    const now = [occurrence({ symbol: "Basket.drop" }), occurrence({ symbol: "Basket.add" })]
    assert.deepStrictEqual(pairs(before, now), ["2=0 moved", "1=1 renamed"])
  })

  it("although the same code was there under another name and is gone", () => {
    const before = [known("1", { symbol: "a" }, true), { ...known("2", { symbol: "b" }), absent: true }]
    assert.deepStrictEqual(pairs(before, [occurrence({ symbol: "c" })]), ["1=0 renamed"])
  })

  const name = FastCheck.constantFrom("add", "drop", "run", "Cart", "Shop")
  const item = FastCheck.record({
    outer: name,
    inner: name,
    anchor: FastCheck.constantFrom("danger ( item )", "danger ( it )", "function run ( a )"),
    dismissed: FastCheck.boolean()
  })
  const distinct = FastCheck.uniqueArray(item, { maxLength: 8, selector: ({ outer, inner }) => `${outer}.${inner}` })

  it("never of another row than the one whose name changed, whatever else is in the file", () => {
    let held = 0
    FastCheck.assert(
      FastCheck.property(distinct, name, (items, old) => {
        const now = (symbol: string) =>
          symbol
            .split(".")
            .map((each) => (each === old ? "Fresh" : each))
            .join(".")
        const renamedTo = (text: string) => text.split(" ").map(now).join(" ")
        const rows = items.map(({ outer, inner, anchor, dismissed }, i) =>
          known(String(i), { symbol: `${outer}.${inner}`, anchor }, dismissed)
        )
        const found = items.map(({ outer, inner, anchor }) =>
          occurrence({ symbol: now(`${outer}.${inner}`), anchor: renamedTo(anchor) })
        )
        for (const { id, index, by } of matchFingerprints(rows, found).matches) {
          if (!rows[Number(id)]!.dismissed) continue
          assert.strictEqual(index, Number(id))
          if (by === "renamed") held++
        }
      }),
      { numRuns: 2_000, seed: 7 }
    )
    assert.isAbove(held, 500)
  })
})
