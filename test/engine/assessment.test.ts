import { assert, describe, it } from "vitest"
import type { Match, Rule } from "../../src/engine/core/tool/AuditTool.ts"
import { assess } from "../../src/engine/core/tool/assessment.ts"
import { confidenceFrom, confidenceOf, measured, measuredFrom } from "../../src/engine/rules/confidence.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { patternTool } from "../support/audit.ts"

const assessed = (rule: Partial<Rule>, match: Partial<Match> = {}, role: "source" | "test" = "source") => {
  const tool = patternTool(/bad/, { rule })
  return assess(tool, tool.rules.match!, { rule: "match", ...match }, role)
}

describe("the assessment of a match", () => {
  it("lets nothing be P0 or P1 that is right less often than nine times in ten", () => {
    const priorities = [0.95, 0.9, 0.89, 0.7].map((confidence) => assessed({ priority: "P0", confidence })?.priority)
    assert.deepStrictEqual(priorities, ["P0", "P0", "P2", "P2"])
  })

  it("keeps advisories at P2 at most, and leaves a lower priority as it is", () => {
    assert.deepInclude(assessed({ priority: "P1", kind: "advisory", confidence: 0.99 }), {
      kind: "advisory",
      priority: "P2"
    })
    assert.deepInclude(assessed({ priority: "P3", confidence: 0.6 }), { kind: "advisory", priority: "P3" })
  })

  it("trusts a match no more than its rule, its place and its source allow", () => {
    assert.strictEqual(assessed({ confidence: 0.95 }, { confidence: 0.75 })?.confidence, 0.75)
    assert.strictEqual(assessed({ confidence: 0.8 }, { confidence: 0.95 })?.confidence, 0.8)
    assert.strictEqual(assessed({ confidence: 0.95 }, { source: "request" })?.confidence, 0.95)
    assert.deepInclude(assessed({ priority: "P0", confidence: 0.95 }, { source: "arguments" }), {
      kind: "advisory",
      priority: "P2",
      confidence: 0.6
    })
  })

  it("says in words why the priority is what it is", () => {
    const reason = assessed({ priority: "P0", confidence: 0.95 }, { source: "parameter" })?.priority_reason
    assert.strictEqual(
      reason,
      "P0 by its consequence; the value comes from callers of an exported function; P2 because 60 % of such matches are right."
    )
  })

  it("reports nothing of a rule that is wrong more often than right", () => {
    assert.isNull(assessed({ confidence: 0.49 }))
  })
})

describe("the table of measured confidence", () => {
  it("moves a rule from its author's estimate to what was right, the more of it was read", () => {
    const known = Object.entries(measured).filter(([, { right, arguable, wrong }]) => right + arguable + wrong >= 4)
    for (const [id, { right, arguable, wrong }] of known) {
      const share = right / (right + arguable + wrong)
      const [low, high] = [confidenceOf(id, 0.5), confidenceOf(id, 1)]
      assert.isAtLeast(high, low, id)
      if (share === 1) assert.isAbove(low, 0.5, id)
      if (share === 0) assert.isBelow(high, 1, id)
    }
    assert.strictEqual(confidenceOf("no.such_rule", 0.8), 0.8)
  })

  it("keeps injection reported, however few of it were right", () => {
    assert.isAtLeast(confidenceOf("command_injection.built_command", 0.5), 0.5)
  })

  it("keeps what flows from the program's own arguments apart from what comes from strangers", () => {
    const outside = assessed({ confidence: 0.9 }, { source: "request" })
    assert.strictEqual(outside?.confidence, 0.9)
    for (const key of Object.keys(measuredFrom)) {
      const [id = "", source = ""] = key.split(" ")
      assert.notStrictEqual(source, "request", key)
      assert.isFalse(Object.hasOwn(measured, key), id)
    }
    assert.isBelow(
      confidenceFrom("command_injection.untrusted_command", "environment", 0.55),
      confidenceOf("command_injection.untrusted_command", 0.9)
    )
  })

  it("names rules that exist", () => {
    const ids = new Set(tools.flatMap(({ id, rules }) => Object.keys(rules).map((rule) => `${id}.${rule}`)))
    assert.deepStrictEqual(
      [...Object.keys(measured), ...Object.keys(measuredFrom).map((key) => key.split(" ")[0]!)].filter(
        (id) => !ids.has(id)
      ),
      []
    )
  })
})
