import { assert, describe, it } from "@effect/vitest"
import type { Finding, ToolOutcome } from "../../../src/engine/core/scan/ScanResult.ts"
import {
  type CitedObservation,
  citationOf,
  currentPaths,
  evidenceOf,
  fileStatusOf,
  type ScanEvidence,
  verdictOf
} from "../../../src/services/observations/verdicts.ts"
import { aFinding } from "../../support/findings.ts"

const row: CitedObservation = {
  kind: "finding",
  tool: "sql_injection",
  tool_version: 2,
  file_path: "src/a.ts",
  symbol: "Orders.find",
  description: "`id` of the request reaches `query`.\n\nWhy: `unrelated`.",
  locations: [{ file_path: "src/a.ts", symbol: "Orders.find", line_start: 3, line_end: 4 }],
  open_fix_pr: false
}

const tool = (status: ToolOutcome["status"], version = 2): ToolOutcome => ({ id: "sql_injection", version, status })

const at = (file_path: string, line: number): Finding =>
  aFinding({ tool_version: 2, locations: [{ file_path, symbol: "Orders.find", line_start: line, line_end: line + 1 }] })

const gone: ScanEvidence = {
  finding: null,
  isCounted: false,
  isAmbiguous: false,
  fileStatus: "inspected",
  tool: tool("completed"),
  suggestions: false
}

describe("an observation that is looked at again", () => {
  const cases: ReadonlyArray<readonly [string, Partial<CitedObservation>, Partial<ScanEvidence>, string]> = [
    ["is found where it was", {}, { finding: at("src/a.ts", 3) }, "confirmed"],
    ["is found lines away", {}, { finding: at("src/a.ts", 9) }, "moved"],
    ["is found in another file", {}, { finding: at("src/b.ts", 3) }, "moved"],
    ["is found by a tool that failed elsewhere", {}, { finding: at("src/a.ts", 3), tool: tool("failed") }, "confirmed"],
    ["is beyond the cap of reported ones", {}, { isCounted: true, tool: tool("degraded") }, "confirmed"],
    ["is not found any more", {}, {}, "no_longer_found"],
    ["has lost its file", {}, { fileStatus: "absent" }, "stale"],
    ["has lost its file, and its rule changed", {}, { fileStatus: "absent", tool: tool("completed", 3) }, "stale"],
    ["has lost its file, and its tool failed", {}, { fileStatus: "absent", tool: tool("failed") }, "tool_failed"],
    ["may be what was found nearby", {}, { isAmbiguous: true }, "may_have_moved"],
    ["may be what was found when its file went", {}, { isAmbiguous: true, fileStatus: "absent" }, "may_have_moved"],
    ["has a file that was skipped", {}, { fileStatus: "skipped" }, "file_not_inspected"],
    ["has a file without a status", {}, { fileStatus: undefined }, "file_not_inspected"],
    ["has a tool that failed", {}, { tool: tool("failed") }, "tool_failed"],
    ["has a tool that failed on some files", {}, { tool: tool("degraded") }, "tool_failed"],
    ["has a tool that did not run", {}, { tool: undefined }, "tool_failed"],
    ["has a rule of another version", {}, { tool: tool("completed", 3) }, "rule_changed"],
    ["is a suggestion, which are turned off", { kind: "suggestion" }, {}, "suggestions_off"],
    ["is a suggestion that was asked for", { kind: "suggestion" }, { suggestions: true }, "no_longer_found"],
    ["has a fix under review", { open_fix_pr: true }, {}, "fix_in_review"],
    ["has a fix under review, and its file is gone", { open_fix_pr: true }, { fileStatus: "absent" }, "fix_in_review"],
    ["has a fix under review, and is still there", { open_fix_pr: true }, { finding: at("src/a.ts", 3) }, "confirmed"]
  ]
  it.each(cases)("that %s", (_, claimed, sight, expected) => {
    const verdict = verdictOf({ ...row, ...claimed }, { ...gone, ...sight })
    assert.strictEqual(verdict.outcome === "inconclusive" ? verdict.doubt : verdict.outcome, expected)
  })
})

describe("what an observation cites", () => {
  const text = "class Orders {\n  find(id) {\n    const q = id\n    return this.db.query(q)\n  }\n}\n"
  it("is recognized by path, lines and names of its first paragraph", () => {
    assert.deepStrictEqual(citationOf(row, text), {
      check: { checked_at_stage: "revalidate", path_resolved: true, line_in_range: true, missing_identifiers: [] },
      symbolStands: true
    })
    assert.deepStrictEqual(citationOf(row, "class Orders {}\n"), {
      check: {
        checked_at_stage: "revalidate",
        path_resolved: true,
        line_in_range: false,
        missing_identifiers: ["find", "id", "query"]
      },
      symbolStands: false
    })
  })
  it("is unknown in what is no text, and unresolved without a file", () => {
    const { check } = citationOf(row, undefined)
    assert.deepStrictEqual([check.path_resolved, check.line_in_range, check.missing_identifiers], [true, null, null])
    assert.deepStrictEqual(citationOf(row, null).check.path_resolved, false)
  })
  it("hints that the code was fixed when its symbol still exists", () => {
    const evidence = (cited: string) => evidenceOf({ outcome: "no_longer_found" }, null, citationOf(row, cited))
    assert.deepStrictEqual(evidence(text).detection_query, { absence_hint: true, match_count: 0, status: "absent" })
    assert.strictEqual(evidence("").detection_query.absence_hint, false)
    const doubted = evidenceOf({ outcome: "inconclusive", doubt: "rule_changed" }, null, citationOf(row, text))
    assert.deepStrictEqual(doubted.detection_query, { absence_hint: null, match_count: null, status: "inconclusive" })
  })
})

it("a renamed file is watched under both names, and judged under the new one", () => {
  const renames = new Map([["src/a.ts", "lib/a.ts"]])
  assert.deepStrictEqual(currentPaths(["src/a.ts", "src/b.ts"], renames), ["src/a.ts", "lib/a.ts", "src/b.ts"])
  assert.deepStrictEqual(fileStatusOf("src/a.ts", renames, { "src/a.ts": "absent", "lib/a.ts": "inspected" }), {
    path: "lib/a.ts",
    status: "inspected"
  })
})
