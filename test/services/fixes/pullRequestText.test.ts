import { assert, describe, it } from "vitest"
import {
  commitMessage,
  type FixDescription,
  pullRequestBody,
  pullRequestTitle
} from "../../../src/services/fixes/pullRequestText.ts"

const fix: FixDescription = {
  ref: "OBS-12",
  title: "SQL injection",
  description: "An attacker reads the database.",
  rule_id: "sql_injection.untrusted_sql",
  cwe: [89],
  file_path: "src/db/users.ts",
  line_start: 5,
  snippet: "db.query(`SELECT ${id}`)",
  evidence: ["`src/http/users.ts:3` from the request"],
  summary: "The value is a bound parameter now.",
  runner: "rules",
  gates: [{ name: "parse", result: "passed", reason: "Every edited file parses." }]
}

describe("texts of a pull request", () => {
  it("say what was wrong, why the change is right, the evidence, the gates and how to contest it", () => {
    const body = pullRequestBody(fix)
    for (const part of [
      "An attacker reads the database.",
      "OBS-12",
      "CWE-89",
      "`src/db/users.ts:5`",
      "The value is a bound parameter now.",
      "from the request",
      "`parse` passed",
      "Close this pull request"
    ]) {
      assert.include(body, part)
    }
    assert.strictEqual(pullRequestTitle(fix), "Fix SQL injection (OBS-12)")
    assert.match(
      commitMessage(fix),
      /^Fix SQL injection\n\n[\s\S]*\nObservation: OBS-12\nRule: sql_injection\.untrusted_sql \(CWE-89\)\n$/
    )
  })

  it("cannot be left by quoted code, nor by a title of several lines", () => {
    const body = pullRequestBody({ ...fix, snippet: "a\n```\n**not ours**\n````\nb" })
    assert.include(body, "`````\na\n```\n**not ours**\n````\nb\n`````")
    assert.notInclude(pullRequestTitle({ ...fix, title: "a\n\nCo-authored-by: x" }), "\n")
  })

  it("hold no credential of the code or the runner", () => {
    const token = `ghp_${"a1B2".repeat(9)}`
    const leaking = { ...fix, snippet: `const token = "${token}"`, summary: `Used ${token}.` }
    for (const text of [pullRequestBody(leaking), commitMessage(leaking)]) assert.notInclude(text, token)
  })
})
