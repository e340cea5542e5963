import { assert, describe, it } from "vitest"
import { toAnnotations } from "../../src/cli/formats/annotations.ts"
import { toJunit } from "../../src/cli/formats/junit.ts"
import { nearest } from "../../src/cli/nearest.ts"
import { aFinding } from "../support/findings.ts"

describe("Annotations for GitHub Actions", () => {
  it("are one command a line, with what the runner reads as syntax escaped", () => {
    const finding = aFinding({
      title: "Weak hash: a, b",
      description: "50 % of it.\nSecond line.\n\nWhy it matters.",
      region: { column_start: 7, column_end: 9, snippet_line: 3 }
    })
    assert.strictEqual(
      toAnnotations([finding]),
      "::error file=a.ts,line=5,endLine=5,col=7,title=P1 Weak hash%3A a%2C b::50 %25 of it.%0ASecond line. [sql_injection.untrusted_sql]\n"
    )
  })

  it("are errors for severe findings only", () => {
    const levels = [
      aFinding({ kind: "advisory", priority: "P1" }),
      aFinding({ priority: "P2" }),
      aFinding({ priority: "P3" })
    ].map((finding) => toAnnotations([finding]).split(" ", 1)[0])
    assert.deepStrictEqual(levels, ["::warning", "::warning", "::notice"])
  })
})

describe("JUnit XML", () => {
  it("has a suite for each tool, a failure for each finding, and none for what is less sure", () => {
    const tools = [
      { id: "complexity", version: 1, status: "completed" },
      { id: "sql_injection", version: 1, status: "completed" }
    ] as const
    const findings = [aFinding({ title: 'a < "b" & \u0001' }), aFinding({ kind: "advisory" })]
    const text = toJunit({ findings, tools })
    assert.include(text, '<testsuite name="complexity" tests="1" failures="0"')
    assert.include(text, '<testsuite name="sql_injection" tests="1" failures="1"')
    assert.include(text, 'message="a &lt; &quot;b&quot; &amp; \ufffd"')
    assert.strictEqual(text.match(/<failure /g)?.length, 1)
  })
})

describe("A suggestion for a mistyped name", () => {
  it("is the nearest one, also by its last part, and none when nothing is near", () => {
    const names = ["audit", "review", "sql_injection", "sql_injection.untrusted_sql"]
    assert.strictEqual(nearest("audti", names), " Did you mean audit?")
    assert.strictEqual(nearest("untrusted_sq", names), " Did you mean sql_injection.untrusted_sql?")
    assert.strictEqual(nearest("frobnicate", names), "")
  })
})
