import { assert, describe, it } from "vitest"
import { languageOf } from "../../src/engine/core/files/Language.ts"
import { ruleLanguageOf } from "../../src/engine/core/tool/AuditTool.ts"
import { fixers, loadFixer } from "../../src/engine/rules/fixers.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { sourceFile } from "../support/audit.ts"
import { type FixCase, fixCases, type Tree } from "../support/fixFixtures.ts"
import { findingsIn, fixedTree } from "../support/fixing.ts"

const cases = fixCases()
const rules = [...new Set(cases.map(({ rule }) => rule))]

const textsOf = (tree: Tree): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).map(([path, bytes]) => [path, bytes.toString("utf8")]))

const hasSyntaxError = async (path: string, bytes: Buffer): Promise<boolean> =>
  (await sourceFile(path, bytes.toString("utf8"))).tree?.hasError === true

/** How often each rule is reported; advisories are not compared. */
const countsIn = async (tree: Tree): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const { rule_id, kind, locations } of await findingsIn(tree)) {
    if (kind === "finding") counts.set(rule_id, (counts.get(rule_id) ?? 0) + locations.length)
  }
  return counts
}

describe("the list of fixers", () => {
  it("is ordered, and names each fixer by its rule", async () => {
    const names = Object.keys(fixers)
    assert.deepStrictEqual(names, [...names].sort())
    for (const name of names) {
      const fixer = await loadFixer(name)
      const rule = tools.find(({ id }) => id === fixer?.tool)?.rules[fixer?.rule ?? ""]
      assert.strictEqual(`${fixer?.tool}.${fixer?.rule}`, name)
      assert.isDefined(rule, `${name} is a rule`)
      const foreign = fixer!.languages.filter((language) => !rule!.languages.includes(language))
      assert.deepStrictEqual(foreign, [], `${name} fixes what the rule finds`)
    }
  })

  it("has a fixture for every fixer in every language it claims", async () => {
    const shown = new Set(
      cases.flatMap(({ rule, before, after }) =>
        Object.entries(after ?? {})
          .filter(([path, bytes]) => before[path]?.equals(bytes) === false)
          .map(([path, bytes]) => `${rule} ${ruleLanguageOf(languageOf(path, bytes.toString("utf8")))}`)
      )
    )
    const claimed: Array<string> = []
    for (const name of Object.keys(fixers)) {
      for (const language of (await loadFixer(name))!.languages) claimed.push(`${name} ${language}`)
    }
    assert.deepStrictEqual(
      claimed.filter((claim) => !shown.has(claim)),
      []
    )
    assert.deepStrictEqual(
      rules.filter((rule) => !Object.hasOwn(fixers, rule)),
      []
    )
  })
})

/** A way to write the same tree differently; null where it cannot be written so. */
type Variant = (text: string, path: string) => string | null

const variants: Readonly<Record<string, Variant>> = {
  "CRLF line ends": (text) => text.replaceAll("\n", "\r\n"),
  "a byte order mark": (text) => `\uFEFF${text}`,
  "blank lines before it": (text, path) =>
    /\.(?:php|json|lock)$|^<\?|^#!/.test(path) || /^(?:<\?|#!)/.test(text) ? null : `\n\n${text}`
}

const written = (tree: Tree, variant: Variant): Tree | null => {
  const out: Record<string, Buffer> = {}
  for (const [path, text] of Object.entries(textsOf(tree))) {
    const changed = variant(text, path)
    if (changed === null) return null
    out[path] = Buffer.from(changed)
  }
  return out
}

describe("a fixed tree", () => {
  const checkFixed = async ({ before, after, rule, name }: FixCase, expected: Tree): Promise<void> => {
    const { tree, fixed, declined } = await fixedTree(before, rule)
    assert.deepStrictEqual(declined, [], "the fixer declines nothing")
    assert.isAbove(fixed.length, 0, `${name} has a finding of the rule`)
    assert.deepStrictEqual(textsOf(tree), textsOf(expected))
    assert.deepStrictEqual(tree, after)

    const again = await fixedTree(tree, rule)
    assert.deepStrictEqual(again.fixed, [], "fixing twice changes nothing")

    const [known, found] = [await countsIn(before), await countsIn(tree)]
    const added = [...found].filter(([id, count]) => count > (known.get(id) ?? 0)).map(([id]) => id)
    assert.deepStrictEqual(added, [], "no rule reports more than before")
    assert.isUndefined(found.get(rule), "the rule matches no longer")

    for (const [path, bytes] of Object.entries(tree)) {
      const broken = (await hasSyntaxError(path, bytes)) && !(await hasSyntaxError(path, before[path] ?? bytes))
      assert.isFalse(broken, `${path} parses`)
    }
  }

  const checkDeclined = async ({ before, rule, declined }: FixCase): Promise<void> => {
    const outcome = await fixedTree(before, rule)
    assert.deepStrictEqual(outcome.declined.join("\n"), declined)
    assert.deepStrictEqual(outcome.tree, before)
  }

  for (const one of cases) {
    const { name, after } = one
    if (after === null) it(`is the same tree where the fixer declines: ${name}`, () => checkDeclined(one), 120_000)
    else it(`is what the fixture shows: ${name}`, () => checkFixed(one, after), 120_000)
  }
})

describe("a fix leaves alone how the file is written:", () => {
  for (const [what, variant] of Object.entries(variants)) {
    for (const { name, rule, before, after } of cases) {
      const [from, to] = [written(before, variant), after === null ? null : written(after, variant)]
      if (from === null || to === null) continue
      it(`${what}, ${name}`, async () => {
        const { tree, fixed } = await fixedTree(from, rule)
        // Some rules read one way of writing only; what they do not report stays as it is.
        assert.deepStrictEqual(textsOf(tree), textsOf(fixed.length === 0 ? from : to))
      }, 120_000)
    }
  }
})
