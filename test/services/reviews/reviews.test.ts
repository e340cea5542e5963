import { assert, describe, it } from "@effect/vitest"
import type { Finding, ToolOutcome } from "../../../src/engine/core/scan/ScanResult.ts"
import { type ChangedFile, type ChangedLines, isShown, touches } from "../../../src/services/ports/Comparison.ts"
import { MAX_COMMENTS, neutral, placeOf, reviewText } from "../../../src/services/reviews/comments.ts"
import { review, type Scanned } from "../../../src/services/reviews/introduced.ts"
import { readPatch } from "../../../src/services/reviews/readDiff.ts"
import { aFinding } from "../../support/findings.ts"
import { madeUp } from "../../support/madeUp.ts"

interface Made {
  readonly path?: string
  readonly line?: number
  readonly end?: number
  readonly code?: string
  readonly tool?: string
  readonly steps?: Finding["steps"]
  readonly title?: string
  readonly description?: string
  readonly suggestion?: string
}

const finding = ({ path = "a.ts", line = 5, end = line, code = "bad", tool = "t", ...more }: Made = {}): Finding =>
  aFinding({
    tool,
    rule_id: `${tool}.rule`,
    title: more.title ?? "Bad code",
    description: more.description ?? "It is bad.\n\nWhy it matters and how to fix it: because. Do better.",
    locations: [{ file_path: path, symbol: code, line_start: line, line_end: end }],
    steps: more.steps ?? [],
    suggested_change: more.suggestion ?? null,
    signatures: { version: 1, primary: `p ${code}`, located: `l ${path} ${code}`, moved: `m ${code}`, sites: [] },
    anchor: code
  })

const scanned = (findings: ReadonlyArray<Finding>, more: Partial<Scanned> = {}): Scanned => ({
  findings,
  tools: [
    { id: "t", version: 1, status: "completed" },
    { id: "u", version: 1, status: "completed" }
  ],
  also_present: [],
  skipped: [],
  silenced: [],
  ...more
})

const changed = (path: string, lines: Partial<ChangedLines> = {}, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  previous_path: null,
  kind: "modified",
  ...more,
  lines: { ranges: [], cuts: [], ...lines }
})

const step = (file_path: string, line: number | null) => ({ file_path, line, note: "read" })
const failed: ReadonlyArray<ToolOutcome> = [{ id: "t", version: 1, status: "degraded" }]

describe("what a change introduces", () => {
  const cases: ReadonlyArray<
    readonly [
      string,
      { readonly base?: Partial<Scanned>; readonly head: ReadonlyArray<Finding>; readonly file: ChangedFile },
      string
    ]
  > = [
    ["is new on a changed line", { head: [finding()], file: changed("a.ts", { ranges: [[4, 6]] }) }, "changed_line"],
    [
      "spans a changed line",
      { head: [finding({ line: 1, end: 9 })], file: changed("a.ts", { ranges: [[9, 9]] }) },
      "changed_line"
    ],
    ["is beside removed lines", { head: [finding()], file: changed("a.ts", { cuts: [4] }) }, "changed_line"],
    [
      "comes from a changed line",
      { head: [finding({ path: "b.ts", steps: [step("a.ts", 2)] })], file: changed("a.ts", { ranges: [[2, 2]] }) },
      "flow"
    ],
    [
      "comes through a changed file",
      { head: [finding({ path: "b.ts", steps: [step("a.ts", null)] })], file: changed("a.ts", { ranges: [[2, 2]] }) },
      "changed_file"
    ],
    [
      "is new elsewhere in a changed file",
      { head: [finding()], file: changed("a.ts", { ranges: [[90, 99]] }) },
      "changed_file"
    ],
    [
      "is new in a file that did not change",
      { head: [finding({ path: "b.ts" })], file: changed("a.ts", { ranges: [[1, 1]] }) },
      "elsewhere"
    ],
    [
      "was there before",
      { base: { findings: [finding()] }, head: [finding()], file: changed("a.ts", { ranges: [[5, 5]] }) },
      "none"
    ],
    [
      "was there before the file was renamed",
      {
        base: { findings: [finding({ path: "old.ts" })] },
        head: [finding()],
        file: changed("a.ts", { ranges: [[5, 5]] }, { previous_path: "old.ts", kind: "renamed" })
      },
      "none"
    ],
    [
      "was there before, untold",
      { base: { also_present: ["p bad"] }, head: [finding()], file: changed("a.ts", { ranges: [[5, 5]] }) },
      "none"
    ],
    [
      "is of a tool that failed before, on a changed line",
      { base: { tools: failed }, head: [finding()], file: changed("a.ts", { ranges: [[5, 5]] }) },
      "changed_line"
    ],
    [
      "is of a tool that failed before, elsewhere",
      { base: { tools: failed }, head: [finding()], file: changed("a.ts", { ranges: [[50, 50]] }) },
      "unattributed"
    ],
    [
      "is in a file that was not read before, elsewhere",
      { base: { skipped: [{ path: "a.ts", reason: "timeout" }] }, head: [finding()], file: changed("a.ts") },
      "unattributed"
    ]
  ]
  it.each(cases)("when it %s", (_, { base, head, file }, expected) => {
    const { introduced, unattributed } = review(scanned([], base), scanned(head), [file])
    assert.strictEqual(unattributed > 0 ? "unattributed" : (introduced[0]?.reach ?? "none"), expected)
  })
})

describe("what a change resolves", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Scanned>, number]> = [
    ["is gone", {}, 1],
    ["is still there", { findings: [finding({ line: 50 })] }, 0],
    ["is there, untold", { also_present: ["m bad"] }, 0],
    [
      "is silenced by a comment now",
      { silenced: [{ rule: finding().rule_id, path: "a.ts", line: 5, by: "comment", reason: "known" }] },
      0
    ],
    ["was not looked for to the end", { tools: failed }, 0],
    ["is in a file that can no longer be read", { skipped: [{ path: "a.ts", reason: "too_large" }] }, 0],
    ["may be another one now", { findings: [finding({ code: "something else entirely" })] }, 0]
  ]
  it.each(cases)("%s: %j", (_, head, expected) => {
    assert.strictEqual(review(scanned([finding()]), scanned([], head), [changed("a.ts")]).resolved.length, expected)
  })
})

describe("changed lines", () => {
  const cases: ReadonlyArray<readonly [string, ChangedLines, boolean, boolean]> = [
    ["on it", { ranges: [[5, 5]], cuts: [] }, true, true],
    ["just before it", { ranges: [[4, 4]], cuts: [] }, false, true],
    ["three after it", { ranges: [[8, 9]], cuts: [] }, false, true],
    ["four after it", { ranges: [[9, 9]], cuts: [] }, false, false],
    ["removed before it", { ranges: [], cuts: [4] }, true, true],
    ["removed after it", { ranges: [], cuts: [5] }, true, true],
    ["removed farther off", { ranges: [], cuts: [9] }, false, false],
    ["none", { ranges: [], cuts: [] }, false, false]
  ]
  it.each(cases)("%s", (_, lines, isTouched, shown) => {
    assert.deepStrictEqual([touches(lines, 5, 5), isShown(lines, 5)], [isTouched, shown])
  })

  it("of a patch that ends too early or states a wrong length are those that were reported", () => {
    const patch = (text: string) => [...readPatch(Buffer.from(text))]
    assert.deepStrictEqual(patch("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,9 @@\n+a\n"), [
      ["x", { ranges: [[1, 9]], cuts: [] }]
    ])
    assert.deepStrictEqual(patch("@@ -1 +1 @@\n+++ b/y\n@@ nonsense @@\n\n\u0000"), [])
    assert.deepStrictEqual(patch(""), [])
  })
})

describe("a review comment", () => {
  const places: ReadonlyArray<readonly [string, Finding, ChangedFile, unknown]> = [
    ["is at the changed line", finding(), changed("a.ts", { ranges: [[5, 5]] }), { path: "a.ts", line: 5 }],
    [
      "spans what changed of it",
      finding({ line: 2, end: 9 }),
      changed("a.ts", { ranges: [[4, 6]] }),
      { path: "a.ts", start_line: 4, line: 6 }
    ],
    [
      "is where the flow changed",
      finding({ path: "b.ts", steps: [step("a.ts", 7)] }),
      changed("a.ts", { ranges: [[7, 7]] }),
      { path: "a.ts", line: 7 }
    ],
    ["is beside what was removed", finding(), changed("a.ts", { cuts: [4] }), { path: "a.ts", line: 5 }],
    ["has no place far from the change", finding(), changed("a.ts", { ranges: [[50, 50]] }), null],
    [
      "has no place in a name that is no text",
      finding({ path: "a\\xff.ts" }),
      changed("a\\xff.ts", { ranges: [[5, 5]] }),
      null
    ]
  ]
  it.each(places)("%s", (_, found, file, expected) => {
    assert.deepStrictEqual(placeOf(found, new Map([[file.path, file.lines]])), expected)
  })

  const textOf = (...made: ReadonlyArray<Made>) =>
    reviewText(
      {
        introduced: made.map((one) => ({ finding: finding(one), reach: "changed_line" })),
        resolved: [],
        unattributed: 0,
        left_out: 0
      },
      [changed("a.ts", { ranges: [[5, 5]] })],
      []
    )

  it("says what, why, how sure, and by which rule", () => {
    const { comments, summary } = textOf({ suggestion: "good()" })
    assert.deepStrictEqual(comments, [
      {
        path: "a.ts",
        line: 5,
        side: "RIGHT",
        body: `**P1 Bad code**

It is bad.

Why it matters and how to fix it: because. Do better.

Suggested change:

\`\`\`\`
good()
\`\`\`\`

\`t.rule\` · 85 % confidence · CWE-89`
      }
    ])
    assert.strictEqual(summary, "This change introduces 1 observation (1 P1).")
  })

  it("is bounded, and there are not more than fifty; the summary counts the others", () => {
    const { comments, summary } = textOf(
      ...Array.from({ length: 120 }, () => ({ description: "x y ".repeat(5_000), suggestion: "long ".repeat(500) }))
    )
    assert.strictEqual(comments.length, MAX_COMMENTS)
    for (const { body } of comments) assert.isBelow(body.length, 2_100)
    assert.include(summary, "And 20 more.")
    assert.isBelow(summary.length, 20_001)
  })

  it("mentions no user and loads nothing that the code names, and shows no secret", () => {
    const token = `ghp_${madeUp("alnum", 36, 11)}`
    const { comments } = textOf({
      title: "Bad @everyone <img src=x> ![x](http://evil.example/x)",
      description: `\`@inCode\` but @team and <!-- ${token}`,
      suggestion: `\`\`\`\`\n@escaped ${token}`
    })
    const body = comments[0]?.body ?? ""
    const [prose = ""] = body.split("\n````\n")
    assert.notInclude(body, token)
    assert.notMatch(prose.replace(/`[^`]*`/g, ""), /@[a-z]|<|!\[/)
    assert.include(body, "`@inCode`")
    assert.strictEqual(body.split("\n").filter((line) => line === "````").length, 2)
    assert.strictEqual(neutral("a ` b @c\nd ` @e"), "a ` b @\u200bc\nd ` @\u200be")
  })
})
