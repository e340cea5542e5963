import { assert, describe, it } from "@effect/vitest"
import { checkOf } from "../../../../src/services/change_reviews/checks/checkOf.ts"

const tests = { kind: "tests_changed" }
const findings = (max_priority: string) => ({ kind: "no_new_findings", max_priority })
const gone = { kind: "observation_gone", ref: "OBS-12" }
const api = { kind: "no_public_api_removed" }
const documentation = "{{docs,doc,documentation}/**,*.{md,mdx,markdown,rst,adoc}}"
const mentioned = (pattern: string) => ({ kind: "text_present", glob: documentation, pattern })

describe("checkOf", () => {
  it.each<[string, object]>([
    ["tests changed with code", tests],
    ["Tests are changed together with the code.", tests],
    ["Unit tests must be updated for the code changes", tests],
    ["Code changes come with tests", tests],
    ["no new P0/P1 observation", findings("P1")],
    ["No new P0 or P1 findings", findings("P1")],
    ["no new findings of P2 or above", findings("P2")],
    ["no new P1+ findings", findings("P1")],
    ["It must not introduce new findings", findings("P3")],
    ["No new findings", findings("P3")],
    ["observation OBS-12 no longer found", gone],
    ["obs-12 is no longer there", gone],
    ["Fixes OBS-12", gone],
    ["The finding OBS-12 has been resolved.", gone],
    ["no public API removed", api],
    ["The public API stays backward-compatible", api],
    ["No public API is broken in `src/lib/**`", { ...api, paths: ["src/lib/**"] }],
    ["migration is reversible", { kind: "migration_reversible" }],
    ["All database migrations can be rolled back", { kind: "migration_reversible" }],
    ["documentation mentions webhooks", mentioned("(?i)\\bwebhooks\\b")],
    ["The docs must mention `retry policy`", mentioned("(?i)\\bretry\\s+policy\\b")],
    ["`--dry-run` is documented", mentioned("(?i)--dry-run\\b")],
    ["README mentions docker", { kind: "text_present", glob: "{README,Readme,readme}*", pattern: "(?i)\\bdocker\\b" }],
    ["file docs/retry.md exists", { kind: "file_present", glob: "docs/retry.md" }],
    ["`Dockerfile` exists", { kind: "file_present", glob: "Dockerfile" }],
    ["./src/old.ts no longer exists", { kind: "file_absent", glob: "src/old.ts" }],
    ["The file src/old.ts is removed", { kind: "file_absent", glob: "src/old.ts" }],
    ["No file named *.orig", { kind: "file_absent", glob: "*.orig" }],
    ["no TODO in src/**", { kind: "text_absent", glob: "src/**", pattern: "(?i)\\bTODO\\b" }],
    [
      "No `console.log(` is left in src/**/*.ts",
      { kind: "text_absent", glob: "src/**/*.ts", pattern: "(?i)\\bconsole\\.log\\(" }
    ],
    [
      "`config/app.yml` contains `retries:`",
      { kind: "text_present", glob: "config/app.yml", pattern: "(?i)\\bretries:" }
    ],
    ["src/pay.ts does not contain `eval`", { kind: "text_absent", glob: "src/pay.ts", pattern: "(?i)\\beval\\b" }],
    ["no secret", { kind: "no_secret" }],
    ["No hard-coded credentials are added", { kind: "no_secret" }],
    ["size below 400", { kind: "max_size", lines: 399 }],
    ["The change touches at most 10 files", { kind: "max_size", files: 10 }],
    ["No more than 1,500 lines changed", { kind: "max_size", lines: 1500 }],
    ["The diff is at most 10 files and 400 lines", { kind: "max_size", files: 10, lines: 400 }],
    ["no new dependency with a known vulnerability", { kind: "no_vulnerable_dependency_added" }],
    ["Without vulnerable dependencies", { kind: "no_vulnerable_dependency_added" }]
  ])("reads %s", (text, check) => {
    assert.deepStrictEqual(checkOf(text), check)
  })

  it.each([
    "",
    "...",
    "The checkout feels faster",
    "Retries use exponential back-off",
    "Tests pass on CI",
    "tests changed with code except in src/legacy",
    "No new findings in the payment module",
    "No new P0 and P3 findings",
    "No regressions in checkout",
    "no bugs in src/pay.ts",
    "No public API removed in payments",
    "documentation mentions how to configure the proxy",
    "documentation mentions webhooks and retries",
    "The file is small",
    "a page exists",
    "size below zero",
    "size below 0",
    "at most 3 retries",
    "up to 10 files per request",
    "OBS-12 is still found",
    "OBS-0 is gone",
    "OBS-12 and OBS-13 are gone",
    "migrations are fast",
    "not no secret",
    "secrets are rotated",
    `documentation mentions ${"x".repeat(400)}`
  ])("does not guess at %s", (text) => {
    assert.isNull(checkOf(text))
  })

  it("takes no longer for a text that repeats what phrases may leave out", () => {
    assert.isNull(checkOf("size of change size size ".repeat(12)))
  })
})
