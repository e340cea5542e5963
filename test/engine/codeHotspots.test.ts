import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { gitObjects } from "../../src/engine/core/source/gitObjects.ts"
import codeHotspots from "../../src/engine/rules/code_hotspots/tool.ts"
import { inspectProject } from "../support/audit.ts"
import { historyOf } from "../support/fixtures.ts"
import { aRepository } from "../support/gitRepository.ts"

const decisions = (one: string): string => Array.from({ length: 60 }, () => one).join("\n")

const hard: Readonly<Record<string, string>> = {
  "src/Orders.cs": `class Orders {\n  int Place(int a) {\n${decisions("    if (a > 1) { a--; }")}\n    return a;\n  }\n}\n`,
  "src/orders.rb": `def place(a)\n${decisions("  a -= 1 if a > 1")}\nend\n`,
  "src/orders.rs": `fn place(mut a: i32) -> i32 {\n${decisions("    if a > 1 { a -= 1; }")}\n    a\n}\n`
}

const others = "20 ben: x.txt 1\n20 cem: x.txt 1\n20 dan: x.txt 1\n20 ann: x.txt 1\n"

const matchesFor = (path: string, log: string) => inspectProject(codeHotspots, { [path]: hard[path]! }, historyOf(log))

const rulesFor = async (path: string, log: string) => (await matchesFor(path, log)).map(({ rule }) => rule)

describe("code that is hard and often changed", () => {
  for (const path of Object.keys(hard)) {
    it(`is reported in ${path}, and when one person alone changes it`, async () => {
      assert.deepStrictEqual(await rulesFor(path, `${others}30 ann: ${path} 9\n`), ["hotspot", "single_owner"])
      assert.deepStrictEqual(await rulesFor(path, `${others}15 ann: ${path} 9\n15 ben: ${path} 9\n`), ["hotspot"])
    })
  }

  it("is named by its file, since no one function is at fault", async () => {
    const found = await matchesFor("src/orders.rb", `${others}15 ann: src/orders.rb 9\n15 ben: src/orders.rb 9\n`)
    assert.deepStrictEqual(
      found.map(({ noun }) => noun),
      ["orders.rb"]
    )
  })

  it("is not reported for files that rarely change, nor for a young repository", async () => {
    assert.deepStrictEqual(await rulesFor("src/orders.rb", `${others}20 ben: y.txt 1\n9 ann: src/orders.rb 9\n`), [])
    assert.deepStrictEqual(await rulesFor("src/orders.rb", "60 ann: src/orders.rb 9\n"), [])
  })

  it("nor of one person's work where fewer than three work", async () => {
    const log = "60 ann: src/orders.rb 9\n60 ben: x.txt 1\n4 cem: x.txt 1\n"
    assert.deepStrictEqual(await rulesFor("src/orders.rb", log), ["hotspot"])
  })

  it("is found by a scan of a commit, whatever comes later, and only in the full suite", {
    timeout: 600_000
  }, async () => {
    const repository = aRepository(hard)
    const head = repository.commits(
      Array.from({ length: 101 }, (_, i) => ({
        [i % 3 === 0 ? "src/orders.rb" : `${i}.txt`]: `${hard["src/orders.rb"]}# ${i}\n`
      }))
    )
    const find = async (commit: string, suite: "full" | "standard") => {
      const source = gitObjects(repository.gitDir, commit)
      const result = await scan(source, { suite, tools: [codeHotspots], workers: 1 })
      await source.close()
      return result.findings.map(({ rule_id, description }) => `${rule_id} ${description}`)
    }
    const first = await find(head, "full")
    assert.lengthOf(first, 1)
    assert.match(first[0]!, /^code_hotspots\.hotspot `orders\.rb` was changed in 35 of the last 102 commits/)
    repository.commit({ "src/orders.rb": hard["src/orders.rb"]! })
    assert.deepStrictEqual(await find(head, "full"), first)
    assert.deepStrictEqual(await find(head, "standard"), [])
  })
})
