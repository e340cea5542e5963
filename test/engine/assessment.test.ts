import { assert, describe, it } from "vitest"
import type { Match, Rule } from "../../src/engine/core/tool/AuditTool.ts"
import { assess, confidenceAt, inUncertainFile } from "../../src/engine/core/tool/assessment.ts"
import { chosen } from "../../src/engine/rules/chosenReadings.ts"
import {
  confidenceFrom,
  confidenceOf,
  isRarelyWrong,
  isShown,
  isShownDirect,
  measuredOf,
  mistakesLike
} from "../../src/engine/rules/confidence.ts"
import correctness_bugs from "../../src/engine/rules/correctness_bugs/tool.ts"
import { fixers } from "../../src/engine/rules/fixers.ts"
import { measuredDirect, measuredFrom } from "../../src/engine/rules/flowReadings.ts"
import { tools } from "../../src/engine/rules/index.ts"
import insecure_deserialization from "../../src/engine/rules/insecure_deserialization/tool.ts"
import { probabilityBelow } from "../../src/engine/rules/posterior.ts"
import { measured } from "../../src/engine/rules/readings.ts"
import { readingsByTool } from "../../src/engine/rules/readingsByTool.ts"
import { inspectText, patternTool } from "../support/audit.ts"

const assessed = (rule: Partial<Rule>, match: Partial<Match> = {}, role: "source" | "test" = "source") => {
  const tool = patternTool(/bad/, { rule })
  return assess(tool, tool.rules.match!, { rule: "match", ...match }, role)
}

describe("the assessment of a match", () => {
  /** A rule of which thirteen or more were read, and all were right, as one with P0 by its consequence. */
  const proven = (confidence: number, ofPlace = 1) => {
    const often = ([, { right, arguable, wrong }]: (typeof readings)[number]) => right >= 13 && arguable + wrong === 0
    const readings = Object.entries(measured)
    const [id = "", match = ""] = readings.find(often)![0].split(".")
    const tool = patternTool(/bad/, { rule: { priority: "P0", confidence } })
    return assess({ ...tool, id }, tool.rules.match!, { rule: match, confidence: ofPlace }, "source")?.priority
  }

  it("lets nothing be P0 or P1 that is right less often than nine times in ten", () => {
    assert.deepStrictEqual([proven(0.95), proven(0.5), proven(0.95, 0.9), proven(0.95, 0.89)], ["P0", "P2", "P0", "P2"])
  })

  it("lets nothing be P0 or P1 of which nothing was read, whatever its author expects", () => {
    const unread = (toolId: string) => {
      const tool = patternTool(/bad/, { rule: { priority: "P0", confidence: 0.99 } })
      return assess({ ...tool, id: toolId }, tool.rules.match!, { rule: "match" }, "source")
    }
    const inGoodTool = unread("ci_workflow_security")
    assert.deepInclude(inGoodTool, { kind: "finding", priority: "P2", confidence: 0.99 })
    assert.include(inGoodTool?.priority_reason, "too few such matches were read")
    const inUnreadTool = unread("no_such_tool")
    assert.deepInclude(inUnreadTool, { kind: "advisory", priority: "P2", confidence: 0.99 })
    assert.include(inUnreadTool?.priority_reason, "does not show that they are rarely wrong")
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

  it("counts readings of direct flows where a request reaches the sink in the same file, in few steps", () => {
    const step = { start: 0, end: 1, note: "" }
    const [id, found] = Object.entries(measuredDirect).find(([, { right }]) => right >= 20)!
    const [tool = "", match = ""] = id.split(".")
    const rule = patternTool(/bad/, { rule: { confidence: 0.5 } }).rules.match!
    const given = (steps: Match["steps"], source: Match["source"] = "request") =>
      confidenceAt(`${tool}.${match}`, rule, { source: source!, steps: steps! })
    const share = found.right / (found.right + found.arguable + found.wrong)
    assert.approximately(given([step, step, step]), share, 0.1)
    const others = [
      given([step, step, step, step, step]),
      given([step, { ...step, path: "b.php" }]),
      given([step, { ...step, isElsewhere: true }]),
      given([])
    ]
    assert.deepStrictEqual(
      others,
      others.map(() => confidenceOf(id, 0.5))
    )
    assert.isBelow(given([step, step], "database"), share - 0.1)
  })

  it("is an advisory where nothing in the file shows that a name of an exception is one", async () => {
    const confidenceOfFirst = async (text: string, path = "src/a.py") =>
      (await inspectText(correctness_bugs, path, text)).find(({ rule }) => rule === "exception_not_thrown")?.confidence
    const call = 'def go():\n    ShelfError("empty")\n'
    assert.strictEqual(await confidenceOfFirst(`from shelf import ShelfError\n\n\n${call}`), 0.6)
    assert.isUndefined(await confidenceOfFirst(`class ShelfError(Exception):\n    pass\n\n\n${call}`))
    assert.isUndefined(await confidenceOfFirst(`${call}    raise ShelfError("full")\n`))
    assert.isUndefined(await confidenceOfFirst('def go():\n    ValueError("empty")\n'))
    const inJava = (body: string) => confidenceOfFirst(`class A {\n  void go() {\n    ${body}\n  }\n}\n`, "src/A.java")
    assert.strictEqual(await inJava("new ShelfError(this);"), 0.6)
    assert.isUndefined(await inJava("new ShelfError(this); throw new ShelfError(null);"))
    assert.isUndefined(await inJava('new AssertionError("empty");'))
    assert.isUndefined(await inJava('new ShelfException("empty");'))
  })

  it("is an advisory where a program loads YAML unsafely from a file that it opens by itself", async () => {
    const confidenceOfFirst = async (lines: ReadonlyArray<string>) =>
      (await inspectText(insecure_deserialization, "src/a.py", ["import yaml", ...lines, ""].join("\n"))).find(
        ({ rule }) => rule === "unsafe_yaml_load"
      )?.confidence
    const load = (text: string) => `    return yaml.load(${text}, Loader=yaml.Loader)`
    assert.strictEqual(await confidenceOfFirst(["def go(path):", "    f = open(path)", load("f.read()")]), 0.5)
    assert.strictEqual(await confidenceOfFirst(["def go(path):", "    with open(path) as f:", `    ${load("f")}`]), 0.5)
    assert.strictEqual(await confidenceOfFirst(["def go(path):", load("open(path)")]), 0.5)
    assert.isUndefined(await confidenceOfFirst(["f = open(1)", "def go(text):", load("text")]))
    assert.isUndefined(await confidenceOfFirst(["def one(path):", "    f = open(path)", "def go(f):", load("f")]))
  })

  it("is an advisory of P2 at most in a file that others may have written first, and nothing where it is about how code is written", () => {
    const sure = {
      kind: "finding",
      priority: "P1",
      confidence: 0.97,
      priority_reason: "P1 by its consequence."
    } as const
    const { kind, priority, priority_reason } = inUncertainFile(sure, "security")!
    assert.deepStrictEqual([kind, priority], ["advisory", "P2"])
    assert.strictEqual(
      priority_reason,
      "P1 by its consequence. An advisory, because the file says that others wrote it first."
    )
    assert.strictEqual(inUncertainFile({ ...sure, priority: "P3" }, "correctness")?.priority, "P3")
    assert.isNull(inUncertainFile(sure, "maintainability"))
    assert.isNull(inUncertainFile(sure, "operations"))
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

describe("what readings show", () => {
  it("is the lower quartile of the shares that they leave possible", () => {
    // Beta(n, 1) is x^n, and Beta(2, 2) is symmetrical.
    assert.approximately(probabilityBelow(0.9, 7, 1), 0.9 ** 7, 1e-9)
    assert.approximately(probabilityBelow(0.9, 1, 7), 1 - 0.1 ** 7, 1e-9)
    assert.approximately(probabilityBelow(0.5, 2, 2), 0.5, 1e-9)
    assert.approximately(probabilityBelow(0.3, 0.6, 0.6), 1 - probabilityBelow(0.7, 0.6, 0.6), 1e-9)
  })

  it("needs more readings for a higher share, and none of the mistakes that a few readings cannot outweigh", () => {
    for (const [id, { right, arguable, wrong }] of Object.entries(measured)) {
      const failed = arguable + wrong
      if (failed === 0 && right >= 6) assert.isTrue(isShown(0.9, id, 0.95), id)
      if (failed === 0 && right < 6 && !id.startsWith("correctness_bugs.")) assert.isFalse(isShown(0.9, id, 0.95), id)
      if (failed > 0 && right < 9 * failed) assert.isFalse(isShown(0.9, id, 0.95), id)
      if (isShown(0.9, id, 0.9)) assert.isTrue(isShown(0.7, id, 0.9), id)
    }
    assert.isFalse(isShown(0.5, "no.such_rule", 1))
  })

  it("keeps as findings only what is expected to be wrong rarely enough, however often it is right", () => {
    for (const [id, { right, arguable, wrong }] of Object.entries(measured)) {
      const read = right + arguable + wrong
      if (wrong === 0 && read >= 40) assert.isTrue(isRarelyWrong(id), id)
      if (wrong > 0 && read < 9) assert.isFalse(isRarelyWrong(id), id)
      if (isRarelyWrong(id)) assert.isAtMost(wrong / read, 0.07 + 0.42 / read, id)
      if (wrong / read > 0.1) assert.isFalse(isRarelyWrong(id), id)
    }
    const oftenRight = Object.entries(measured).find(
      ([id, { right, wrong }]) => confidenceOf(id, 0.95) >= 0.7 && right > 10 && wrong > 0 && !isRarelyWrong(id)
    )!
    const [tool = "", match = ""] = oftenRight[0].split(".")
    const rule = patternTool(/bad/, { rule: { priority: "P2", confidence: 0.95 } })
    const reported = assess({ ...rule, id: tool }, rule.rules.match!, { rule: match }, "source")
    assert.strictEqual(reported?.kind, "advisory")
  })

  it("expects a rule of which nothing was read to be wrong as often as its tool's findings were", () => {
    assert.isFalse(isRarelyWrong("no_such_tool.unread_rule"))
    for (const [tool, { right, arguable, wrong }] of Object.entries(readingsByTool)) {
      const share = (wrong + 1) / (right + arguable + wrong + 10)
      assert.strictEqual(isRarelyWrong(`${tool}.unread_rule`), share <= 0.07, tool)
    }
  })

  it("expects of a rule whose correction needs no judgement what others of that kind or of its tool were, the better of both", () => {
    const unread = Object.keys(fixers).filter((id) => !Object.hasOwn(measured, id) && mistakesLike(id) === null)
    assert.isAtLeast(unread.length, 10)
    const read = Object.keys(fixers).flatMap((id) => measured[id] ?? [])
    const wrong = read.reduce((sum, one) => sum + one.wrong, 0)
    const all = read.reduce((sum, { right, arguable, wrong }) => sum + right + arguable + wrong, 0)
    for (const id of unread) {
      const ofTool = isRarelyWrong(`${id.slice(0, id.indexOf("."))}.unread_rule`)
      assert.strictEqual(isRarelyWrong(id), ofTool || (wrong + 1) / (all + 10) <= 0.07, id)
    }
  })

  it("judges a direct flow by readings of direct flows, also where the rule's others are often wrong", () => {
    const step = { start: 0, end: 1, note: "" }
    const [id] = Object.entries(measuredDirect).find(([id, { wrong }]) => wrong === 0 && !isRarelyWrong(id))!
    const [tool = "", match = ""] = id.split(".")
    const rule = patternTool(/bad/, { rule: { priority: "P2", confidence: 0.95 } })
    const kindWith = (steps: ReadonlyArray<typeof step>) =>
      assess({ ...rule, id: tool }, rule.rules.match!, { rule: match, source: "request", steps }, "source")?.kind
    assert.deepStrictEqual([kindWith([step, step, step]), kindWith(Array(5).fill(step))], ["finding", "advisory"])
  })

  it("asks for readings of its own before a rule's direct flows are P0 or P1", () => {
    assert.isFalse(isShownDirect(0.5, "no.such_rule"))
    for (const [id, { right, arguable, wrong }] of Object.entries(measuredDirect)) {
      if (right < 9 * (arguable + wrong)) assert.isFalse(isShownDirect(0.9, id), id)
    }
  })

  it("counts what was read of mistakes of form for each of them, and of no other rule", () => {
    const rightIn = (id: string, right: number) =>
      assert.deepStrictEqual(measured[id], { right, arguable: 0, wrong: 0 }, id)
    rightIn("correctness_bugs.always_true_alternative", 19)
    assert.isTrue(isShown(0.9, "correctness_bugs.always_true_alternative", 0.5))
    rightIn("correctness_bugs.shared_inner_list", 1)
    assert.isFalse(isShown(0.9, "correctness_bugs.shared_inner_list", 0.5))
  })
})

describe("readings of files that were chosen for a rule", () => {
  it("count for the rule itself, and for no other", () => {
    const id = "correctness_bugs.exception_not_thrown"
    assert.deepStrictEqual(measuredOf(id), {
      right: measured[id]!.right + chosen[id]!.right,
      arguable: measured[id]!.arguable + chosen[id]!.arguable,
      wrong: measured[id]!.wrong + chosen[id]!.wrong
    })
    assert.isFalse(isShown(0.9, id, 0.95))
    assert.isFalse(isRarelyWrong("infrastructure_as_code.public_database"))
  })
})

describe("the classes of mistakes", () => {
  it("expect an unread mistake to be wrong as often as others of its class were", () => {
    const shareWrong = (ids: ReadonlyArray<string>) => {
      const read = ids.flatMap((id) => measured[id] ?? [])
      const wrong = read.reduce((sum, one) => sum + one.wrong, 0)
      return (wrong + 1) / (read.reduce((sum, { right, arguable, wrong }) => sum + right + arguable + wrong, 0) + 10)
    }
    const ids = tools.flatMap(({ id, rules }) => Object.keys(rules).map((rule) => `${id}.${rule}`))
    const unread = ids.filter((id) => mistakesLike(id) !== null && measured[id] === undefined)
    assert.isAtLeast(unread.length, 8)
    for (const id of unread) assert.strictEqual(isRarelyWrong(id), shareWrong(mistakesLike(id)!) <= 0.07, id)
  })

  it("name rules that exist, each in one class", () => {
    const ids = tools.flatMap(({ id, rules }) => Object.keys(rules).map((rule) => `${id}.${rule}`))
    for (const like of new Set(ids.flatMap((id) => [mistakesLike(id) ?? []]))) {
      assert.deepStrictEqual(
        like.filter((id) => !ids.includes(id) || mistakesLike(id) !== like),
        []
      )
    }
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
      [
        ...Object.keys(measured),
        ...Object.keys(measuredDirect),
        ...Object.keys(measuredFrom).map((key) => key.split(" ")[0]!)
      ].filter((id) => !ids.has(id)),
      []
    )
  })
})
