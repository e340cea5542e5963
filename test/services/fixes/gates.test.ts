import { assert, describe, it } from "vitest"
import type { FailureKind } from "../../../src/schema/Job.ts"
import { filesOf, maxFixFiles, maxFixLines, scopeGate, sizeGate } from "../../../src/services/fixes/changeGates.ts"
import { allGoneGate, type ComparedScan, goneGate, newFindingsGate } from "../../../src/services/fixes/findingGates.ts"
import type { TreeChange } from "../../../src/services/ports/WorkTrees.ts"
import { aFinding } from "../../support/findings.ts"
import { madeUp } from "../../support/madeUp.ts"

const aChange = (path: string, change: Partial<TreeChange> = {}): TreeChange => ({
  path,
  old_mode: "100644",
  new_mode: "100644",
  lines: 2,
  isBinary: false,
  previous: Buffer.from("before\n"),
  content: Buffer.from("after\n"),
  ...change
})

const aProviderToken = `sk_live_${madeUp("alnum", 24, 1)}`

const finding = aFinding({
  locations: [{ file_path: "src/db/users.ts", symbol: "find", line_start: 5, line_end: 5 }],
  steps: [{ file_path: "src/http/users.ts", line: 3, note: "from the request" }]
})
const files = filesOf(finding)

describe("the gate of scope", () => {
  it.each([
    ["the finding's file", "src/db/users.ts"],
    ["a file of its flow", "src/http/users.ts"],
    ["a test", "test/db/users.test.ts"],
    ["a manifest above the file", "package.json"],
    ["a lock file above the file", "src/package-lock.json"]
  ])("lets %s be touched", (_, path) => {
    assert.strictEqual(scopeGate([aChange(path)], files).result, "passed")
  })

  it.each<readonly [string, TreeChange, FailureKind]>([
    ["a workflow definition", aChange(".github/workflows/ci.yml"), "workflow_file"],
    ["another file", aChange("src/other.ts"), "quality_gate_failed"],
    ["a manifest beside the finding's folder", aChange("web/package.json"), "quality_gate_failed"],
    ["a symbolic link", aChange("src/db/users.ts", { new_mode: "120000" }), "quality_gate_failed"],
    ["a submodule", aChange("src/db/users.ts", { new_mode: "160000" }), "quality_gate_failed"],
    ["an added mode to execute", aChange("src/db/users.ts", { new_mode: "100755" }), "quality_gate_failed"],
    ["a new executable test", aChange("test/a.test.ts", { old_mode: null, new_mode: "100755" }), "quality_gate_failed"],
    ["a binary file", aChange("test/a.test.ts", { isBinary: true }), "quality_gate_failed"],
    [
      "a credential",
      aChange("src/db/users.ts", { content: Buffer.from(`const key = "${aProviderToken}"\n`) }),
      "quality_gate_failed"
    ]
  ])("fails for %s", (_, change, failure_kind) => {
    assert.deepInclude(scopeGate([aChange("src/db/users.ts"), change], files), { result: "failed", failure_kind })
  })

  it("lets any file be touched where there is no finding, but nothing of another kind", () => {
    assert.strictEqual(scopeGate([aChange("src/other.ts")], null).result, "passed")
    assert.strictEqual(scopeGate([aChange("src/link.ts", { new_mode: "120000" })], null).result, "failed")
  })

  it("does not hold a credential against the edit that was there before", () => {
    const previous = Buffer.from(`const key = "${aProviderToken}"\n`)
    const content = Buffer.from(`const key = "${aProviderToken}"\nconst other = 1\n`)
    assert.strictEqual(scopeGate([aChange("src/db/users.ts", { previous, content })], files).result, "passed")
  })
})

describe("the gate of size", () => {
  it("passes up to the limits of files and lines, and fails above either", () => {
    const edits = (count: number, lines: number) =>
      Array.from({ length: count }, (_, n) => aChange(`${n}.ts`, { lines }))
    assert.strictEqual(sizeGate(edits(maxFixFiles, maxFixLines / maxFixFiles)).result, "passed")
    assert.deepInclude(sizeGate(edits(maxFixFiles + 1, 1)), { result: "failed", failure_kind: "diff_too_large" })
    assert.deepInclude(sizeGate(edits(1, maxFixLines + 1)), { result: "failed", failure_kind: "diff_too_large" })
  })
})

const aScan = (findings: ComparedScan["findings"], scan: Partial<ComparedScan> = {}): ComparedScan => ({
  findings,
  tools: [{ id: "sql_injection", version: 1, status: "completed" }],
  also_present: [],
  ...scan
})

const another = aFinding({
  title: "Another",
  locations: [{ file_path: "src/db/users.ts", symbol: "save", line_start: 20, line_end: 20 }],
  signatures: { version: 1, primary: "p2", located: "l2", moved: "m2", sites: [] },
  anchor: "completely other tokens here"
})

describe("the gate of the finding", () => {
  it("passes once the rule matches there no more", () => {
    assert.strictEqual(goneGate(finding, aScan([finding, another]), aScan([another])).result, "passed")
  })

  it("fails while the rule matches, in the same place or among those that a cap hides", () => {
    const kind = { result: "failed", failure_kind: "finding_not_resolved" } as const
    assert.deepInclude(goneGate(finding, aScan([finding]), aScan([finding])), kind)
    assert.deepInclude(goneGate(finding, aScan([finding]), aScan([], { also_present: ["l"] })), kind)
  })

  it("of several findings passes once all of them are gone, and is skipped without any", () => {
    const base = aScan([finding, another])
    const both = [finding, another]
    assert.strictEqual(allGoneGate(both, base, aScan([])).result, "passed")
    assert.deepInclude(allGoneGate(both, base, aScan([another])), {
      result: "failed",
      failure_kind: "finding_not_resolved"
    })
    assert.strictEqual(allGoneGate([], base, base).result, "skipped")
  })

  it("fails where the tool did not finish: nothing is known then", () => {
    const tools = [{ id: "sql_injection", version: 1, status: "failed" as const }]
    assert.deepInclude(goneGate(finding, aScan([finding]), aScan([], { tools })), { result: "failed" })
  })
})

describe("the gate of new findings", () => {
  it("passes without any, and names new advisories", () => {
    assert.strictEqual(newFindingsGate(aScan([finding]), aScan([])).result, "passed")
    const advisory = { ...another, kind: "advisory" as const }
    const gate = newFindingsGate(aScan([finding]), aScan([advisory]))
    assert.strictEqual(gate.result, "passed")
    assert.include(gate.reason, "src/db/users.ts:20")
  })

  it("fails for one, also where it joins a group that was there", () => {
    const kind = { result: "failed", failure_kind: "quality_gate_failed" } as const
    assert.deepInclude(newFindingsGate(aScan([finding]), aScan([another])), kind)
    const more = { file_path: "src/db/users.ts", symbol: "find", line_start: 9, line_end: 9 }
    const grown = { ...another, locations: [another.locations[0], more] as const }
    assert.deepInclude(newFindingsGate(aScan([another]), aScan([grown])), kind)
  })

  it("does not count what a cap hid before", () => {
    assert.strictEqual(newFindingsGate(aScan([], { also_present: ["l2"] }), aScan([another])).result, "passed")
  })
})
