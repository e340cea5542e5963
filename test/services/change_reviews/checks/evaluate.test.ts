import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChangeCheck } from "../../../../src/schema/ChangeReview.ts"
import type { FindingFacts } from "../../../../src/services/change_reviews/ChangeFacts.ts"
import { evaluate } from "../../../../src/services/change_reviews/checks/evaluate.ts"
import { patternProblem } from "../../../../src/services/change_reviews/checks/patternProblem.ts"
import { changeFacts, type World } from "../../../support/changeFacts.ts"

const finding = (more: Partial<FindingFacts>): FindingFacts => ({
  tool: "sql_injection",
  rule_id: "sql_injection.query",
  kind: "finding",
  priority: "P1",
  category: "security",
  title: "SQL injection",
  file_path: "src/a.ts",
  line_start: 3,
  line_end: 4,
  ...more
})
const secret = (rule: string) =>
  finding({ tool: "secret_detection", rule_id: `secret_detection.${rule}`, priority: "P0", title: "Credential" })
const vulnerable = finding({
  tool: "dependency_vulnerabilities",
  rule_id: "dependency_vulnerabilities.vulnerable_version_moderate",
  priority: "P2",
  title: "lodash 4.17.0 has a known vulnerability",
  file_path: "package-lock.json"
})

const observation = (state: "present" | "absent" | "unknown" | "elsewhere") =>
  new Map([
    [
      "OBS-12",
      {
        ref: "OBS-12",
        state,
        doubt: "its tool did not finish.",
        location: state === "present" ? { file_path: "src/a.ts", line_start: 2, line_end: 2 } : null
      }
    ]
  ])

const many = (count: number, text: (n: number) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/f${n}.ts`, text(n)]))

const source = { "src/a.ts": "export const a = 1\n" }
const tests: ChangeCheck = { kind: "tests_changed" }
const p1: ChangeCheck = { kind: "no_new_findings", max_priority: "P1" }
const gone: ChangeCheck = { kind: "observation_gone", ref: "OBS-12" }
const api: ChangeCheck = { kind: "no_public_api_removed" }
const noSecret: ChangeCheck = { kind: "no_secret" }
const dependencies: ChangeCheck = { kind: "no_vulnerable_dependency_added" }
const migrations: ChangeCheck = { kind: "migration_reversible" }

type Expected = readonly [verdict: string, evidence: ReadonlyArray<string>]
const cases: Record<string, readonly [check: ChangeCheck, changes: World | ReadonlyArray<World>, expected: Expected]> =
  {
    "tests changed with the code": [
      tests,
      { head: { ...source, "test/a.test.ts": "it()\n" } },
      ["met", ["a test/a.test.ts:1-1"]]
    ],
    "tests did not change with the code": [
      tests,
      { base: source, head: { "src/a.ts": "export const a = 2\n" } },
      ["not_met", ["a src/a.ts:1-1", "b src/a.ts:1-1"]]
    ],
    "a test that is only deleted is no change of tests": [
      tests,
      { base: { "test/a.test.ts": "it()\n" }, head: source },
      ["not_met", ["a src/a.ts:1-1"]]
    ],
    "a comment in a test is no change of tests": [
      tests,
      { base: { "test/a.test.ts": "it()\n" }, head: { ...source, "test/a.test.ts": "it()\n// later\n" } },
      ["not_met", ["a src/a.ts:1-1"]]
    ],
    "no code changed, so no test has to": [
      tests,
      { head: { "docs/a.md": "text\n", "package.json": "{}\n" } },
      ["met", []]
    ],
    "comments are no code": [
      tests,
      { base: source, head: { "src/a.ts": "// One.\n/* Two.\n * Three.\n */\nexport const a = 1\n" } },
      ["met", []]
    ],
    "a file that is only renamed has no changed code": [
      tests,
      { base: source, head: { "src/b.ts": "export const a = 1\n" }, renames: { "src/a.ts": "src/b.ts" } },
      ["met", []]
    ],
    "deleted code is changed code": [
      tests,
      { base: { ...source, "src/b.ts": "" }, head: { "src/b.ts": "" } },
      ["not_met", ["b src/a.ts:1-1"]]
    ],
    "tests in the file that they are about": [
      tests,
      {
        base: { "src/lib.rs": "pub fn f() {}\n#[cfg(test)]\nmod tests {\n}\n" },
        head: {
          "src/lib.rs": "pub fn f() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn g() {}\n}\n",
          "src/m.rs": "fn h() {}\n"
        }
      },
      ["met", ["a src/lib.rs:4-5"]]
    ],
    "a submodule, a binary and generated code are no code of the product": [
      tests,
      { head: { "a.bin": "x", "dist/a.js": "x\n" }, binary: ["a.bin"], submodules: ["lib/x"] },
      ["met", []]
    ],
    "one branch without tests is enough": [
      tests,
      [{ head: { ...source, "test/a.test.ts": "it()\n" } }, { branch: "other", head: source }],
      ["not_met", ["a src/a.ts:1-1"]]
    ],

    "a new finding": [p1, { scan: { introduced: [finding({})] } }, ["not_met", ["a src/a.ts:3-4"]]],
    "a new finding that is less severe": [p1, { scan: { introduced: [finding({ priority: "P2" })] } }, ["met", []]],
    "no scan": [p1, { scan: null, scanProblem: "The scan took too long." }, ["cannot_tell", []]],
    "a tool that did not finish": [p1, { scan: { unfinished_tools: ["sql_injection"] } }, ["cannot_tell", []]],
    "a changed file that was not read": [p1, { scan: { unread: ["src/large.ts"] } }, ["cannot_tell", []]],
    "a changed file that no audit inspects": [p1, { scan: { leftOut: ["logo.png"] } }, ["met", []]],
    "findings that may be new": [p1, { scan: { unattributed: 2 } }, ["cannot_tell", []]],

    "an observation that is still found": [
      gone,
      { observations: observation("present") },
      ["not_met", ["a src/a.ts:2-2"]]
    ],
    "an observation that is gone": [gone, { observations: observation("absent") }, ["met", []]],
    "an observation in doubt": [gone, { observations: observation("unknown") }, ["cannot_tell", []]],
    "an observation of another repository": [gone, { observations: observation("elsewhere") }, ["cannot_tell", []]],
    "an observation that no one knows": [gone, {}, ["cannot_tell", []]],
    "an observation that one of the branches removes": [
      gone,
      [
        { observations: observation("present") },
        { observations: observation("absent") },
        { observations: observation("elsewhere") }
      ],
      ["met", []]
    ],

    "an exported name that is gone": [api, { base: source, head: { "src/a.ts": "" } }, ["not_met", ["b src/a.ts:1-1"]]],
    "exported names that are all there": [
      api,
      { base: source, head: { "src/a.ts": "export const a = 2\n" } },
      ["met", []]
    ],
    "exported names of other files": [
      { ...api, paths: ["lib/**"] },
      { base: source, head: { "src/a.ts": "" } },
      ["met", []]
    ],
    "a language without rules": [
      api,
      { base: { "src/a.kt": "fun f() {}\n" }, head: { "src/a.kt": "" } },
      ["cannot_tell", ["a src/a.kt:1-1"]]
    ],
    "a parser that failed": [
      api,
      { description: Effect.succeed({ problem: "It took too long." }) },
      ["cannot_tell", []]
    ],

    "a file that is there": [
      { kind: "file_present", glob: "docs/*.{md,rst}" },
      { head: { "docs/a.md": "" } },
      ["met", ["a docs/a.md:1-1"]]
    ],
    "a file that is not there": [
      { kind: "file_present", glob: "docs/*.md" },
      { head: { "docs/b/a.md": "" } },
      ["not_met", []]
    ],
    "a file in one of the repositories": [
      { kind: "file_present", glob: "docs/" },
      [{ head: {} }, { head: { "docs/a.md": "" } }],
      ["met", ["a docs/a.md:1-1"]]
    ],
    "a file that must not be there": [
      { kind: "file_absent", glob: "*.orig" },
      [{ head: source }, { head: { "src/a.orig": "" } }],
      ["not_met", ["a src/a.orig:1-1"]]
    ],
    "a file that was deleted": [{ kind: "file_absent", glob: "src/a.ts" }, { base: source, head: {} }, ["met", []]],

    "a text that is there": [
      { kind: "text_present", glob: "docs/**", pattern: "(?i)\\bretry\\b" },
      { head: { "docs/a.md": "a\r\nthe Retry\r\n" } },
      ["met", ["a docs/a.md:2-2"]]
    ],
    "a text that is not there": [
      { kind: "text_present", glob: "docs/**", pattern: "retry" },
      { head: { "docs/a.md": "a\n" } },
      ["not_met", []]
    ],
    "a text without a file that may have it": [
      { kind: "text_present", glob: "docs/**", pattern: "retry" },
      { head: source },
      ["not_met", []]
    ],
    "a text that must not be there": [
      { kind: "text_absent", glob: "src/**", pattern: "TODO" },
      { head: { "src/a.ts": "a\n// TODO\n" } },
      ["not_met", ["a src/a.ts:2-2"]]
    ],
    "a text that is absent where it must be": [
      { kind: "text_absent", glob: "src/**", pattern: "TODO" },
      [{ head: source }, { head: {} }],
      ["met", []]
    ],
    "a text that no file can have": [
      { kind: "text_absent", glob: "lib/**", pattern: "TODO" },
      { head: source },
      ["cannot_tell", []]
    ],
    "a text in a file that cannot be read": [
      { kind: "text_absent", glob: "src/**", pattern: "TODO" },
      { head: source, unreadable: ["src/a.ts"] },
      ["cannot_tell", ["a src/a.ts:1-1"]]
    ],
    "a text in an image": [
      { kind: "text_absent", glob: "src/**", pattern: "TODO" },
      { head: { ...source, "src/a.png": "TODO" }, binary: ["src/a.png"] },
      ["met", []]
    ],
    "a pattern that could take forever, in a line of 200 KB": [
      { kind: "text_absent", glob: "src/**", pattern: "^(a+)+$" },
      { head: { "src/a.ts": `${"a".repeat(200_000)}!` } },
      ["met", []]
    ],

    "a change that is small enough": [
      { kind: "max_size", files: 2, lines: 2 },
      [{ head: source }, { head: source }],
      ["met", []]
    ],
    "a change that is too large in sum": [
      { kind: "max_size", lines: 1 },
      [{ head: source }, { head: source }],
      ["not_met", ["a src/a.ts:1-1", "a src/a.ts:1-1"]]
    ],
    "lock files, generated and copied files are not counted": [
      { kind: "max_size", files: 1, lines: 1 },
      { head: { ...source, "package-lock.json": "{\n}\n", "dist/b.js": "a\nb\n", "vendor/c.go": "c\nd\n" } },
      ["met", []]
    ],
    "10,000 files": [
      { kind: "max_size", files: 9_999 },
      { head: many(10_000, () => "a\n") },
      ["not_met", Array.from({ length: 20 }, (_, n) => `a src/f${n}.ts:1-1`)]
    ],

    "a credential": [
      noSecret,
      { head: source, scan: { introduced: [secret("provider_token")] } },
      ["not_met", ["a src/a.ts:3-4"]]
    ],
    "what may be made up": [
      noSecret,
      { head: source, scan: { introduced: [secret("example_credential")] } },
      ["cannot_tell", ["a src/a.ts:3-4"]]
    ],
    "no credential": [noSecret, { head: source }, ["met", []]],
    "a detector of credentials that did not finish": [
      noSecret,
      { scan: { unfinished_tools: ["secret_detection"] } },
      ["cannot_tell", []]
    ],
    "another tool that did not finish": [noSecret, { scan: { unfinished_tools: ["sql_injection"] } }, ["met", []]],

    "a vulnerable dependency": [
      dependencies,
      { head: { "package-lock.json": "{}\n" }, scan: { introduced: [vulnerable] } },
      ["not_met", ["a package-lock.json:3-4"]]
    ],
    "dependencies without known vulnerabilities": [
      dependencies,
      { head: { "package-lock.json": "{}\n" } },
      ["met", ["a package-lock.json:1-1"]]
    ],
    "dependencies without advisories": [
      dependencies,
      { head: { "package-lock.json": "{}\n" }, scan: { ecosystemsWithoutAdvisories: ["npm"] } },
      ["cannot_tell", ["a package-lock.json:1-1"]]
    ],
    "advisories of another ecosystem are missing": [
      dependencies,
      { head: { "package-lock.json": "{}\n" }, scan: { ecosystemsWithoutAdvisories: ["PyPI"] } },
      ["met", ["a package-lock.json:1-1"]]
    ],
    "a range that nothing locks": [
      dependencies,
      {
        base: { "package.json": '{"dependencies":{}}' },
        head: { "package.json": '{"dependencies":{\n"left-pad": "^1.0.0"}}' }
      },
      ["cannot_tell", ["a package.json:1-1"]]
    ],
    "a manifest with another version of its own": [
      dependencies,
      { base: { "package.json": '{\n"version": "1.0.0"}' }, head: { "package.json": '{\n"version": "2.0.0"}' } },
      ["met", []]
    ],
    "a range that a lock file settles": [
      dependencies,
      {
        base: { "yarn.lock": "" },
        head: { "yarn.lock": "", "packages/a/package.json": '{"dependencies":{"a": "^1"}}' }
      },
      ["met", []]
    ],
    "a lock file that is not understood": [
      dependencies,
      { head: { "bun.lockb": "x" }, binary: ["bun.lockb"] },
      ["cannot_tell", ["a bun.lockb:1-1"]]
    ],
    "no file that names versions": [dependencies, { head: source, scan: null }, ["met", []]],

    "a migration that can be taken back": [
      migrations,
      { head: { "migrations/1.up.sql": "a;", "migrations/1.down.sql": "b;" } },
      ["met", ["a migrations/1.up.sql:1-1"]]
    ],
    "a migration that cannot be taken back": [
      migrations,
      { head: { "migrations/1.up.sql": "a;" } },
      ["not_met", ["a migrations/1.up.sql:1-1"]]
    ],
    "a migration of an unknown tool": [
      migrations,
      { head: { "migrations/1.sql": "a;" } },
      ["cannot_tell", ["a migrations/1.sql:1-1"]]
    ],
    "no migration": [migrations, { head: source }, ["cannot_tell", []]],
    "a migration in one of the repositories": [
      migrations,
      [{ head: source }, { head: { "migrations/1.up.sql": "a;", "migrations/1.down.sql": "b;" } }],
      ["met", ["a migrations/1.up.sql:1-1"]]
    ],
    "no branch that can be read": [tests, [], ["cannot_tell", []]]
  }

const worldsOf = (changes: World | ReadonlyArray<World>): ReadonlyArray<World> =>
  "map" in changes ? changes : [changes]

describe("evaluate", () => {
  it.effect.each(Object.entries(cases))("%s", ([, [check, changes, expected]]) =>
    Effect.gen(function* () {
      const { verdict, reason, evidence } = yield* evaluate(check, worldsOf(changes).map(changeFacts))
      const shown = evidence.map(
        ({ commit, file_path, line_start, line_end }) => `${commit[0]} ${file_path}:${line_start}-${line_end}`
      )
      assert.deepStrictEqual([verdict, shown], [...expected], reason)
      assert.match(reason, /^[\s\S]{10,}\.$/)
    })
  )

  it.effect("names the branch of each reason where there are several", () =>
    Effect.gen(function* () {
      const { reason } = yield* evaluate({ kind: "file_absent", glob: "*.orig" }, [
        changeFacts({ branch: "one", head: { "a.orig": "" } }),
        changeFacts({ branch: "two", repository: "acme/ledger@main", head: { "b.orig": "" } })
      ])
      assert.strictEqual(
        reason,
        "acme/shop@main one: 1 file at the head matches `*.orig`: a.orig. acme/ledger@main two: 1 file at the head matches `*.orig`: b.orig."
      )
    })
  )

  it.effect.each([p1, noSecret])("names the changed files that no audit inspects: $kind", (check) =>
    Effect.gen(function* () {
      const { verdict, reason } = yield* evaluate(check, [
        changeFacts({ head: source, scan: { leftOut: ["logo.png"] } })
      ])
      assert.strictEqual(verdict, "met")
      assert.match(reason, /Audits leave out 1 changed file: logo\.png\.$/)
    })
  )

  it.effect("keeps reasons short, whatever the paths are", () =>
    Effect.gen(function* () {
      const head = many(3_000, (n) => `export const a = ${n}\n`)
      const { reason } = yield* evaluate(tests, [
        changeFacts({ head: { ...head, [`src/${"x".repeat(3_000)}.ts`]: "a\n" } })
      ])
      assert.isBelow(reason.length, 1_500)
    })
  )
})

describe("patternProblem", () => {
  it.each<[string, ChangeCheck]>([
    ["lookaround", { kind: "text_present", glob: "src/**", pattern: "a(?=b)" }],
    ["no regular expression", { kind: "text_absent", glob: "src/**", pattern: "(a" }],
    ["exception", { kind: "file_present", glob: "!src" }],
    ["`/`", { kind: "file_present", glob: "src\\a" }],
    ["name something", { kind: "file_absent", glob: "./" }],
    ["alternatives", { kind: "no_public_api_removed", paths: ["{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}"] }]
  ])("rejects what has %s", (word, check) => {
    assert.include(patternProblem(check) ?? "", word)
  })

  it("accepts what a check can use", () => {
    assert.isNull(patternProblem({ kind: "text_present", glob: "{docs,doc}/**/*.md", pattern: "(?i)^#+ .*retry" }))
    assert.isNull(patternProblem({ kind: "tests_changed" }))
  })
})
