import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { maxMissionSteps } from "../../../src/schema/Mission.ts"
import { limitsOf } from "../../../src/services/missions/limits.ts"
import { type Candidate, type IssueGoal, type PlanRequest, planOf } from "../../../src/services/missions/planning.ts"

const aCandidate = (number: number, given: Partial<Candidate> = {}): Candidate => ({
  number,
  ref: `OBS-${number}`,
  priority: "P2",
  rule_id: "weak_cryptography.weak_hash",
  title: "Weak hash function: MD5 in token",
  description: "MD5 is fast.",
  file_path: "src/app.ts",
  locations: [{ file_path: given.file_path ?? "src/app.ts", symbol: "token", line_start: number, line_end: number }],
  rejection: null,
  issues: [],
  ...given
})

const anIssue = (number: number, given: Partial<IssueGoal> = {}): IssueGoal => ({
  number,
  ref: `ISS-${number}`,
  priority: "P2",
  title: `Issue ${number}`,
  body_md: "Do it.",
  rejection: null,
  blocked_by: [],
  ...given
})

const planFor = (given: Partial<Omit<PlanRequest, "limits">>) =>
  planOf({
    observations: [],
    issues: [],
    text: null,
    limits_md: null,
    agent: false,
    ...given,
    limits: limitsOf(given.limits_md ?? null)
  })

const shapeOf = (given: Parameters<typeof planFor>[0]) =>
  planFor(given).steps.map(({ observations, issues }) =>
    [...observations.map((n) => `O${n}`), ...issues.map((n) => `I${n}`)].join(" ")
  )

describe("the plan of a mission", () => {
  it("has one step for the findings of one rule in one file", () => {
    assert.deepStrictEqual(
      shapeOf({
        observations: [
          aCandidate(1),
          aCandidate(2),
          aCandidate(3, { file_path: "src/db.ts" }),
          aCandidate(4, { rule_id: "sql_injection.built_sql" })
        ]
      }),
      ["O4", "O1 O2", "O3"]
    )
  })

  it("begins with the most severe, but what others follow from comes before those", () => {
    const sink = aCandidate(1, {
      priority: "P0",
      rule_id: "sql_injection.untrusted_sql",
      file_path: "src/db.ts",
      locations: [
        { file_path: "src/db.ts", symbol: null, line_start: 3, line_end: 3 },
        { file_path: "src/input.ts", symbol: null, line_start: 9, line_end: 9 }
      ]
    })
    const observations = [
      aCandidate(2, { priority: "P1" }),
      sink,
      aCandidate(3, { priority: "P3", file_path: "src/input.ts" })
    ]
    assert.deepStrictEqual(shapeOf({ observations }), ["O3", "O1", "O2"])
  })

  it("has an order where two concerns follow from each other, too", () => {
    const across = (file: string, other: string) => [
      { file_path: file, symbol: null, line_start: 1, line_end: 1 },
      { file_path: other, symbol: null, line_start: 1, line_end: 1 }
    ]
    const observations = [
      aCandidate(1, { file_path: "a.ts", locations: across("a.ts", "b.ts"), priority: "P3" }),
      aCandidate(2, { file_path: "b.ts", locations: across("b.ts", "a.ts"), priority: "P1" })
    ]
    assert.deepStrictEqual(shapeOf({ observations }), ["O1", "O2"])
  })

  it("leaves out what cannot be fixed or is to be left alone, and names it with the reason", () => {
    const plan = planFor({
      observations: [
        aCandidate(1, { rejection: "OBS-1 is closed (fixed); reopen it first." }),
        aCandidate(2, { file_path: "src/legacy/old.ts" }),
        aCandidate(3, { rule_id: "error_handling.empty_catch" }),
        aCandidate(4)
      ],
      limits_md: "Leave `src/legacy` and `error_handling` alone."
    })
    assert.deepStrictEqual(plan.left_out, [
      { ref: "OBS-1", reason: "OBS-1 is closed (fixed); reopen it first." },
      { ref: "OBS-2", reason: "The limits leave `src/legacy` alone." },
      { ref: "OBS-3", reason: "The limits leave `error_handling` alone." }
    ])
    assert.deepStrictEqual(
      plan.steps.map(({ observations }) => observations),
      [[4]]
    )
    assert.include(plan.steps[0]?.brief_md, "Leave `src/legacy` and `error_handling` alone.")
  })

  it("resolves an issue by its findings, after the issues that block it", () => {
    const observations = [
      aCandidate(1, { issues: [7], priority: "P0" }),
      aCandidate(2, { issues: [8], priority: "P3", file_path: "src/db.ts" })
    ]
    const issues = [anIssue(7, { blocked_by: [8] }), anIssue(8)]
    assert.deepStrictEqual(shapeOf({ observations, issues }), ["O2 I8", "O1 I7"])
  })

  it("works from the words of an issue only where there is an agent", () => {
    const issues = [anIssue(7), anIssue(8, { rejection: "It is closed (completed)." })]
    const without = planFor({ issues })
    assert.deepStrictEqual(without.steps, [])
    assert.deepStrictEqual(
      without.left_out.map(({ ref }) => ref),
      ["ISS-7", "ISS-8"]
    )
    const withAgent = planFor({ issues, agent: true })
    assert.deepStrictEqual(
      withAgent.steps.map(({ brief_md }) => brief_md),
      ["Resolve ISS-7: Issue 7\n\nDo it."]
    )
    assert.deepStrictEqual(withAgent.left_out, [{ ref: "ISS-8", reason: "It is closed (completed)." }])
  })

  it("makes a step of each item of a goal that is a list, and one step of other words", () => {
    const titles = (text: string, agent = true) => planFor({ text, agent }).steps.map(({ title }) => title)
    assert.deepStrictEqual(titles("- Rename `a` to `b`\n\n2. Document `b`\n"), ["Rename `a` to `b`", "Document `b`"])
    assert.deepStrictEqual(titles("Rename `a`.\n- Document `b`"), ["Rename `a`."])
    assert.deepStrictEqual(titles("Rename `a`.", false), [])
  })

  it("puts the words of a goal with findings into their briefs instead", () => {
    const { steps } = planFor({ observations: [aCandidate(1)], text: "Before the release.", agent: true })
    assert.strictEqual(steps.length, 1)
    assert.include(steps[0]?.brief_md, "Goal of the mission:\n\nBefore the release.")
    assert.include(steps[0]?.brief_md, "- OBS-1 (P2) in `src/app.ts:1`: Weak hash function: MD5 in token")
  })

  it("groups by folder, then by rule, where there would be more steps than a plan may have", () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      aCandidate(index + 1, { file_path: `src/part${index % 40}/file${index}.ts` })
    )
    const byFolder = planFor({ observations: many }).steps
    assert.strictEqual(byFolder.length, 40)
    assert.strictEqual(byFolder[0]?.title, "Weak hash function: 8 findings in 8 files")
    const deep = many.map((one, index) => ({ ...one, file_path: `src/${index}/file.ts` }))
    assert.strictEqual(planFor({ observations: deep }).steps.length, 1)
  })

  const candidate = FastCheck.record({
    rule: FastCheck.constantFrom("a.one", "a.two", "b.one", "__proto__.x"),
    file: FastCheck.constantFrom("a.ts", "lib/b.ts", "lib/c.ts", "__proto__"),
    other: FastCheck.constantFrom("a.ts", "lib/b.ts", "lib/c.ts"),
    priority: FastCheck.constantFrom("P0" as const, "P1" as const, "P2" as const, "P3" as const),
    fixable: FastCheck.boolean()
  })

  it.prop(
    "has each observation once, in a step or left out, whatever the order in which the goal names them",
    [FastCheck.array(candidate, { maxLength: 40 })],
    ([given]) => {
      const observations = given.map(({ rule, file, other, priority, fixable }, index) =>
        aCandidate(index + 1, {
          rule_id: rule,
          file_path: file,
          priority,
          rejection: fixable ? null : "It is closed.",
          locations: [file, other].map((file_path) => ({ file_path, symbol: null, line_start: 1, line_end: 1 }))
        })
      )
      const plan = planFor({ observations })
      const planned = plan.steps.flatMap((step) => step.observations.map((number) => `OBS-${number}`))
      const all = [...planned, ...plan.left_out.map(({ ref }) => ref)]
      assert.sameMembers(
        all,
        observations.map(({ ref }) => ref)
      )
      assert.isAtMost(plan.steps.length, maxMissionSteps)
      assert.deepStrictEqual(planFor({ observations: observations.toReversed() }).steps, plan.steps)
    }
  )
})

describe("limits of a mission", () => {
  const covered = (limits: string, paths: ReadonlyArray<string>) =>
    paths.filter(
      (path) => planFor({ observations: [aCandidate(1, { file_path: path })], limits_md: limits }).left_out.length > 0
    )

  it("name paths, what lies below them, and patterns", () => {
    const paths = ["src/a.ts", "src/a.ts.old", "src/gen/b.ts", "lib/gen/c.ts", "gen/d.ts", "other/e.js"]
    assert.deepStrictEqual(covered("not `src/a.ts`", paths), ["src/a.ts"])
    assert.deepStrictEqual(covered("not `./src/`", paths), ["src/a.ts", "src/a.ts.old", "src/gen/b.ts"])
    assert.deepStrictEqual(covered("not `**/gen/**`", paths), ["src/gen/b.ts", "lib/gen/c.ts", "gen/d.ts"])
    assert.deepStrictEqual(covered("not `*.js`", paths), ["other/e.js"])
    assert.deepStrictEqual(covered("not src/a.ts, but `in words`", paths), [])
  })

  it("are read in time that grows with the path, however many wildcards they have", () => {
    const pattern = `\`${"*a".repeat(200)}*b\``
    assert.deepStrictEqual(covered(pattern, [`${"a".repeat(4000)}c`]), [])
  })
})
