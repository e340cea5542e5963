import { assert, describe, it } from "vitest"
import { exactDiff } from "../../src/engine/core/fix/redactedDiff.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { treeOf } from "../support/audit.ts"
import { fixCases, type Tree } from "../support/fixFixtures.ts"
import { findingsIn, proposalFor } from "../support/fixing.ts"
import { madeUp } from "../support/madeUp.ts"

const rule = "frontend_quality.opener_exposed"

const treeWith = (html: string): Tree => ({ "index.html": Buffer.from(html) })

const diffsIn = async (tree: Tree) =>
  (await findingsIn(tree)).filter(({ rule_id }) => rule_id === rule).map(({ suggested_diff }) => suggested_diff)

const link = '<a href="https://example.org" target="_blank">a</a>\n'

describe("the diff that an audit suggests", () => {
  it("is what the fixer proposes for the finding, all of its sites", async () => {
    const tree = treeWith(`<!doctype html>\n${link}<p>between</p>\n${link}`)
    const [finding] = (await findingsIn(tree)).filter(({ rule_id }) => rule_id === rule)
    const outcome = await proposalFor(tree, finding!)
    assert.strictEqual(outcome.status, "proposed")
    const [file] = outcome.status === "proposed" ? outcome.files : []
    assert.strictEqual(finding!.locations.length, 2)
    assert.strictEqual(finding!.suggested_diff, exactDiff(file!))
    assert.strictEqual(finding!.suggested_diff!.match(/^\+ *<a .*rel="noopener"/gm)?.length, 2)
  })

  it("is absent where the rule has no fixer or the fixer declines", async () => {
    const declined = fixCases().filter(({ after }) => after === null)
    for (const { before, rule } of declined) {
      const found = (await findingsIn(before, { rulesOn: [rule] })).filter(({ rule_id }) => rule_id === rule)
      assert.deepStrictEqual([...new Set(found.map(({ suggested_diff }) => suggested_diff))], [null])
    }
    const todo = await scan(treeOf({ "a.ts": `export const f = (a: number) => ${"a ? 1 : ".repeat(12)}2\n` }), {
      suite: "full",
      tools
    })
    assert.deepStrictEqual(
      [...new Set(todo.findings.map(({ suggested_diff }) => suggested_diff))].filter((diff) => diff !== null),
      []
    )
  })

  it("holds no secret of the lines around it", async () => {
    const secret = `ghp_${madeUp("alnum", 36)}`
    const [diff] = await diffsIn(treeWith(`<!doctype html>\n<meta content="${secret}">\n${link}`))
    assert.include(diff, 'rel="noopener"')
    assert.notInclude(diff, secret)
  })

  it("is left out when it is longer than 16 kB", async () => {
    const long = link.replace("<a ", `<a title="${"x y ".repeat(5_000)}" `)
    assert.deepStrictEqual(await diffsIn(treeWith(`<!doctype html>\n${long}`)), [null])
  })
})
