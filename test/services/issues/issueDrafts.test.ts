import { assert, describe, it } from "@effect/vitest"
import { openObservation } from "../../../src/schema/examples/observations.ts"
import { ObservationId, RepositoryId } from "../../../src/schema/Ids.ts"
import { issueDrafts, maxFindingsPerIssue, type SourceFinding } from "../../../src/services/issues/issueDrafts.ts"

const idOf = (n: number) => `01a1f7f8-71f3-70ed-8830-${String(n).padStart(12, "0")}`

const aFinding = (n: number, changes: Partial<SourceFinding> = {}): SourceFinding => ({
  ...openObservation,
  id: ObservationId.make(idOf(n)),
  ref: `OBS-${n}`,
  repository_id: RepositoryId.make(idOf(900)),
  restricted: false,
  ...changes
})

const at = (file_path: string, line_start = 12) => [{ file_path, symbol: "token", line_start, line_end: line_start }]

const ruleTitle = (rule_id: string) => (rule_id === openObservation.rule_id ? "Weak hash function" : null)

describe("issues filed from findings", () => {
  it("are one for each finding, the most severe first, with where, why, how to fix and the reference", () => {
    const drafts = issueDrafts(
      [aFinding(3), aFinding(4, { priority: "P0", title: "SQL injection" })],
      "none",
      ruleTitle
    )
    assert.deepStrictEqual(
      drafts.map(({ title, priority }) => [title, priority]),
      [
        ["SQL injection in src/pay.ts", "P0"],
        ["Weak hash function: MD5 in token in src/pay.ts", "P1"]
      ]
    )
    const body = drafts[1]?.body_md ?? ""
    for (const part of [
      "`src/pay.ts:12` in `token`",
      "`shop@main`",
      "Hash passwords with argon2id",
      "CWE-328",
      "OBS-3"
    ]) {
      assert.include(body, part)
    }
    assert.deepStrictEqual(drafts[1]?.criteria, [
      {
        text: "OBS-3 is fixed: Weak hash function: MD5 in token, src/pay.ts:12",
        observation_id: ObservationId.make(idOf(3)),
        repository_id: RepositoryId.make(idOf(900))
      }
    ])
  })

  it("are one for each rule across repositories, with a criterion for each finding and the worst priority", () => {
    const other = RepositoryId.make(idOf(901))
    const drafts = issueDrafts(
      [
        aFinding(1, { priority: "P2" }),
        aFinding(2, { repository_id: other, repo_name: "api@main" }),
        aFinding(3, { rule_id: "logging.secret_in_log", title: "Secret in log" })
      ],
      "rule",
      ruleTitle
    )
    assert.deepStrictEqual(
      drafts.map(({ title, priority, criteria }) => [title, priority, criteria.length]),
      [
        ["Weak hash function in several repositories", "P1", 2],
        ["Secret in log in src/pay.ts", "P1", 1]
      ]
    )
    assert.deepStrictEqual(drafts[0]?.repository_ids, [other, RepositoryId.make(idOf(900))])
    assert.include(drafts[0]?.body_md, "## Weak hash function")
  })

  it("show nothing of one repository to those who see another: not in their texts, and restricted ones stay apart", () => {
    const [other, secret] = [RepositoryId.make(idOf(901)), RepositoryId.make(idOf(902))]
    const drafts = issueDrafts(
      [
        aFinding(1),
        aFinding(2, { repository_id: other, repo_name: "api@main", description: "`inner` hashes a password." }),
        aFinding(3, { repository_id: secret, repo_name: "vault@main", restricted: true })
      ],
      "rule",
      ruleTitle
    )
    assert.deepStrictEqual(
      drafts.map(({ repository_ids }) => repository_ids.length),
      [2, 1]
    )
    const { title, body_md } = drafts[0]!
    for (const part of ["OBS-", "shop@main", "api@main", "inner", "`token`"]) {
      assert.notInclude(`${title}\n${body_md}`, part)
    }
    assert.include(body_md, "Hash passwords with argon2id")
  })

  it("are one for each file of a repository; the same path elsewhere is another file", () => {
    const other = RepositoryId.make(idOf(901))
    const drafts = issueDrafts(
      [
        aFinding(1, { locations: at("src/a.ts") }),
        aFinding(2, { locations: at("src/a.ts"), rule_id: "logging.secret_in_log" }),
        aFinding(3, { locations: at("src/a.ts"), repository_id: other }),
        aFinding(4, { locations: [] })
      ],
      "file",
      ruleTitle
    )
    assert.deepStrictEqual(
      drafts.map(({ title, criteria }) => [title, criteria.length]),
      [
        ["2 findings in src/a.ts of shop@main", 2],
        ["Weak hash function: MD5 in token in src/a.ts", 1],
        ["Weak hash function: MD5 in token", 1]
      ]
    )
    assert.include(drafts[0]?.body_md, "## logging.secret_in_log")
  })

  it(`hold at most ${maxFindingsPerIssue} findings each and say which part they are`, () => {
    const findings = Array.from({ length: 100 }, (_, index) => aFinding(index + 1))
    const drafts = issueDrafts(findings, "rule", ruleTitle)
    assert.deepStrictEqual(
      drafts.map(({ title, criteria }) => [title, criteria.length]),
      [
        ["Weak hash function: 50 findings in shop@main (1 of 2)", 50],
        ["Weak hash function: 50 findings in shop@main (2 of 2)", 50]
      ]
    )
    assert.strictEqual(new Set(drafts.flatMap(({ criteria }) => criteria.map((one) => one.observation_id))).size, 100)
  })

  it("stay within their limits, whatever findings say", () => {
    // Longer by itself than any limit.
    const long = "x ".repeat(12_000)
    const hostile: Partial<SourceFinding> = {
      title: `${long}\n# Heading`,
      description: `${long}\n\nWhy it matters and how to fix it: ${long}`,
      suggested_change: `\`\`\`\n${long}`,
      rule_id: `tool.${"r".repeat(300)}`,
      locations: Array.from({ length: 50 }, () => ({ ...at(`${long}.ts`)[0]!, symbol: `a\`${long}` }))
    }
    const findings = Array.from({ length: 60 }, (_, index) =>
      aFinding(index + 1, { ...hostile, rule_id: `tool.r${index}` })
    )
    for (const group of ["none", "rule", "file"] as const) {
      for (const { title, body_md, criteria } of issueDrafts(findings, group, ruleTitle)) {
        assert.isAtMost([...title].length, 200)
        assert.notInclude(title, "\n")
        assert.isAtMost(body_md.length, 20_000)
        for (const { text } of criteria) assert.isAtMost([...text].length, 200)
      }
    }
  })

  it("show no credential and let no quoted code end its fence", () => {
    const secret = ["AKIA", "QYLPMN5HFIQR7XYA"].join("")
    const [draft] = issueDrafts(
      [aFinding(1, { title: `Key ${secret}`, suggested_change: `\`\`\`\n- key = "${secret}"\n\`\`\`` })],
      "none",
      ruleTitle
    )
    assert.notInclude(JSON.stringify(draft), secret)
    assert.include(draft?.body_md, "````\n```\n- key")
  })
})
