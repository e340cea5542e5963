import { assert, describe, it } from "vitest"
import { runCrossFilePasses } from "../../src/engine/core/scan/crossFilePass.ts"
import { ProjectFacts } from "../../src/engine/core/scan/ProjectFacts.ts"
import type { AuditTool, FileDescription } from "../../src/engine/core/tool/AuditTool.ts"
import { scanTools } from "../../src/engine/core/tool/scanTools.ts"

const files = ["a", "b", "c"].map((path): FileDescription => ({ path, language: "python", role: "source" }))

/** Of the three tools, `one` and `two` return the same facts of `a` and `c`, and `other` has its own. */
const factsOfThree = (): ProjectFacts => {
  const facts = new ProjectFacts()
  facts.add("c", [
    { tools: ["one", "two"], json: '"c of both"' },
    { tools: ["other"], json: '"c of other"' }
  ])
  facts.add("b", [
    { tools: ["one"], json: '"b of one"' },
    { tools: ["two"], json: Buffer.from('"b of two"') }
  ])
  facts.add("a", [{ tools: ["one", "two"], json: Buffer.from(new SharedArrayBuffer(4)).fill("1234") }])
  return facts
}

const seenBy = (parts: number): ReadonlyMap<string, ReadonlyArray<readonly [string, unknown]>> => {
  const seen = new Map<string, ReadonlyArray<readonly [string, unknown]>>()
  const toolOf = (id: string) =>
    ({
      id,
      finish: (summaries) =>
        seen.set(
          id,
          summaries.map(({ path, facts }) => [path, facts] as const)
        )
    }) as Partial<AuditTool> as AuditTool
  const input = {
    files,
    others: [],
    unread: [],
    manifests: new Map<string, string>(),
    advisories: null,
    history: null,
    facts: factsOfThree().shared(files)
  }
  for (let index = 0; index < parts; index++)
    runCrossFilePasses(
      scanTools(["one", "other", "two"].map(toolOf), null),
      { input, part: { index, of: parts }, without: new Set() },
      () => undefined
    )
  return seen
}

describe("facts of a project", () => {
  it("name columns that have texts in common as one family", () => {
    const { byTool } = factsOfThree().shared(files)
    assert.strictEqual(byTool.get("one")!.family, byTool.get("two")!.family)
    assert.notStrictEqual(byTool.get("one")!.family, byTool.get("other")!.family)
  })

  for (const parts of [1, 2, 3])
    it(`reach each tool as its own, in the order of files, in ${parts} part${parts === 1 ? "" : "s"}`, () => {
      const seen = seenBy(parts)
      assert.deepStrictEqual(seen.get("one"), [
        ["a", 1234],
        ["b", "b of one"],
        ["c", "c of both"]
      ])
      assert.deepStrictEqual(seen.get("two"), [
        ["a", 1234],
        ["b", "b of two"],
        ["c", "c of both"]
      ])
      assert.deepStrictEqual(seen.get("other"), [["c", "c of other"]])
    })
})
