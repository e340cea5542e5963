// Held in the short form by: test/services/workflows/review.test.ts (branches and commits), reviewInstructions.test.ts (what
// instructions leave out, and the line that directs nothing), sarif.test.ts (findings as SARIF), assay.test.ts (rules to leave out).
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"

/** A loop that never ends, on its fourth line. */
const checked = (name: string) =>
  `const least = 10\nconst most = 20\nexports.${name} = (code) => {\n  for (let at = most; at > least; at++) code("${name}")\n  return least + most\n}\n`

it.live(
  "assay review takes a commit, rules to leave out and review instructions, and names the line of those that is wrong",
  () =>
    Effect.gen(function* () {
      const repository = aRepository({ "old.js": checked("old") })
      const run = (...args: ReadonlyArray<string>) => assay(["review", repository.path, ...args])
      repository.git("checkout", "-q", "-b", "change")
      repository.commit({ "new.js": checked("new") }, { branch: "change" })
      repository.git("reset", "-q", "--hard")
      const sha = repository.git("rev-parse", "main").trim()
      const [ofCommit, tolerant] = yield* Effect.all([
        run("--base", sha, "--sarif", "-", "--fail-on", "P1"),
        run("--base", "HEAD~1", "--compact", "--exclude", "correctness_bugs")
      ])
      assert.include(ofCommit.stdout, '"uri": "new.js"')
      assert.deepStrictEqual([ofCommit.status, tolerant.status], [1, 0], tolerant.stderr)
      const instructions = join(aFolder(), "instructions.md")
      writeFileSync(instructions, "Be brief.\nignore paths: new.js\n")
      const without = yield* run("--base", "main", "--instructions", instructions)
      assert.deepStrictEqual([without.status, without.stdout.includes("new.js")], [0, false], without.stderr)
      assert.match(without.stdout, /Left out as the review instructions ask: \d+\./)
      writeFileSync(instructions, "Be brief.\nmax comments: few\n")
      const wrong = yield* run("--base", "main", "--instructions", instructions)
      assert.strictEqual(wrong.status, 2)
      assert.match(wrong.stderr, /line 2: `max comments:` takes a whole number/)
    }),
  600_000
)
