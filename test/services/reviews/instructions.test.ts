import { assert, describe, it } from "@effect/vitest"
import { loadCatalogue } from "../../../src/engine/index.ts"
import { MAX_COMMENTS } from "../../../src/services/reviews/comments.ts"
import { directed } from "../../../src/services/reviews/directed.ts"
import {
  combined,
  inWords,
  knownRules,
  noDirectives,
  readInstructions
} from "../../../src/services/reviews/instructions.ts"
import { pathMatcher } from "../../../src/services/reviews/pathPattern.ts"
import { aFinding } from "../../support/findings.ts"

const problemsOf = async (text: string) =>
  readInstructions(text, knownRules(await loadCatalogue())).problems.map(inWords)

describe("review instructions", () => {
  it("are directives line by line, however they are spelled, and free text", async () => {
    const text = [
      "# Reviews",
      "Be brief: people are busy.",
      "- Ignore-Paths: docs/, `**/*.generated.ts`",
      "ignore path: vendor",
      "IGNORE_RULES: sql_injection, secret_detection.*",
      "  * `focus rules`: command_injection",
      "Max comments: 7",
      "",
      "Look twice at payments."
    ].join("\r\n")
    const { directives, problems } = readInstructions(text, knownRules(await loadCatalogue()))
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(directives, {
      ignore_paths: ["docs/", "**/*.generated.ts", "vendor"],
      ignore_rules: ["sql_injection", "secret_detection.*"],
      focus_rules: ["command_injection"],
      max_comments: 7,
      text: "# Reviews\nBe brief: people are busy.\n\nLook twice at payments."
    })
  })

  it("report each line that means to direct and cannot, with its number and what is allowed", async () => {
    const wrong: ReadonlyArray<readonly [string, RegExp]> = [
      ["max comments: many", /^line 1: `max comments:` takes a whole number from 0 to 50\.$/],
      [`max comments: ${MAX_COMMENTS + 1}`, /from 0 to 50/],
      ["max comments: -1", /from 0 to 50/],
      ["max comments: 3\nmax comments: 4", /^line 2: .* given twice/],
      [
        "a\nmax coments: 5",
        /^line 2: `max coments:` directs nothing; directives are `ignore paths:`, .*`max comments:`/
      ],
      ["ignored paths: docs", /^line 1: `ignored paths:` directs nothing/],
      ["ignore paths:", /needs patterns, such as `docs\//],
      ["ignore paths: !docs", /`!docs` is no pattern; allowed are paths from the root/],
      ["ignore paths: ../other", /is no pattern/],
      [`ignore paths: ${"a".repeat(201)}`, /at most 200 characters/],
      [`ignore paths: ${Array.from({ length: 101 }, (_, n) => `d${n}`).join(",")}`, /at most 100 patterns/],
      [
        "ignore rules: sql_injektion",
        /there is no rule `sql_injektion`; allowed are `tool.rule`, `tool` and `tool.\*`/
      ],
      ["ignore rules: sql_injection.nothing", /there is no rule/],
      ["ignore rules: constructor.constructor", /there is no rule/],
      ["focus rules: sql_injection.*.more", /there is no rule/],
      ["focus rules: ,", /needs rules, such as/]
    ]
    for (const [text, expected] of wrong) {
      const problems = await problemsOf(text)
      assert.strictEqual(problems.length, 1, text)
      assert.match(problems[0] ?? "", expected, text)
    }
    assert.deepStrictEqual(await problemsOf("Ignore: nothing.\nNote well: paths matter.\nhttp://example.org: see"), [])
  })

  it("of the repository go before those of the workspace: lists add up, its own ceiling counts", () => {
    const read = (text: string) => readInstructions(text).directives
    const own = read("ignore paths: docs\nmax comments: 0\nOurs.")
    const shared = read("ignore paths: docs, vendor\nignore rules: a\nmax comments: 9\nAll.")
    assert.deepStrictEqual(combined(own, shared), {
      ignore_paths: ["docs", "vendor"],
      ignore_rules: ["a"],
      focus_rules: [],
      max_comments: 0,
      text: "Ours.\n\nAll."
    })
    assert.strictEqual(combined(read(""), shared).max_comments, 9)
    assert.deepStrictEqual(combined(read(""), read("")), noDirectives)
  })

  it("leave out by path only what lies in ignored paths as a whole, and put what they focus on first", () => {
    const location = (file_path: string) => ({ file_path, symbol: null, line_start: 1, line_end: 1 })
    const at = (rule_id: string, main: string, ...others: ReadonlyArray<string>) =>
      aFinding({ rule_id, locations: [location(main), ...others.map(location)] })
    const introduced = [
      at("a.one", "src/a.ts"),
      at("b.two", "docs/b.ts"),
      at("b.two", "src/c.ts", "docs/b.ts"),
      at("c.three", "src/d.ts"),
      at("d.four", "src/e.ts")
    ].map((finding) => ({ finding, reach: "changed_line" as const }))
    const resolved = [at("c.three", "src/x.ts"), at("a.one", "docs/x.ts"), at("a.one", "src/x.ts")]
    const review = directed(
      { introduced, resolved, unattributed: 0 },
      { ...noDirectives, ignore_paths: ["docs"], ignore_rules: ["c.three"], focus_rules: ["d.*"] }
    )
    assert.deepStrictEqual(
      review.introduced.map(({ finding }) => finding.rule_id),
      ["d.four", "a.one", "b.two"]
    )
    assert.deepStrictEqual([review.left_out, review.resolved.length], [2, 1])
  })
})

describe("a pattern of paths", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
    ["docs", ["docs/a.md", "docs", "src/docs/a.md"], ["docs2/a.md", "adocs"]],
    ["docs/", ["docs/a/b.md", "src/docs/a.md"], ["docsx/a"]],
    ["/docs", ["docs/a.md"], ["src/docs/a.md"]],
    ["src/gen", ["src/gen/a.ts"], ["lib/src/gen/a.ts", "src/general.ts"]],
    ["*.min.js", ["a.min.js", "web/b.min.js"], ["a.min.jsx", "amin.js"]],
    ["src/*.ts", ["src/a.ts"], ["src/a/b.ts"]],
    ["src/**/*.test.ts", ["src/a.test.ts", "src/a/b/c.test.ts"], ["test/a.test.ts"]],
    ["**/gen/**", ["gen/a", "x/y/gen/z"], ["x/gens/z"]],
    ["./a?.ts", ["ab.ts"], ["a.ts", "abc.ts"]]
  ]
  it.each(cases)("%s", (pattern, inside, outside) => {
    const matches = pathMatcher(pattern)
    assert.deepStrictEqual([inside.filter((path) => !matches(path)), outside.filter(matches)], [[], []])
  })

  it("takes no more than a product of its length and the path's", () => {
    const started = process.cpuUsage()
    const long = `${"a".repeat(2000)}/${"a/".repeat(1000)}b`
    for (const pattern of ["*a".repeat(60), `${"**/a/".repeat(40)}c`, `${"*a*/".repeat(40)}c`]) {
      assert.isFalse(pathMatcher(`${pattern}x`)(long))
    }
    assert.isBelow(process.cpuUsage(started).user, 5_000_000)
  })
})
