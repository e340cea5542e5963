import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"

/** A condition that always holds, on its fourth line. */
const checked = (name: string) =>
  `const least = 10\nconst most = 20\nexports.${name} = (code) => {\n  if (code >= 10 || code <= 20) return "${name}"\n  return least + most\n}\n`

it.live(
  "assay review reports what the commits of a branch introduce, with status 1 when that is P0 or P1",
  () =>
    Effect.gen(function* () {
      const repository = aRepository({ "old.js": checked("old") })
      const run = (...args: ReadonlyArray<string>) => assay(["review", repository.path, ...args])
      const same = yield* run("--base", "main")
      assert.strictEqual(same.status, 0, same.stderr)
      assert.match(same.stdout, /^No findings\.\n[\s\S]*\nNothing that main does not have\.\nResolved: 0\.\n$/)
      repository.git("checkout", "-q", "-b", "change")
      repository.commit({ "new.js": checked("new") }, { branch: "change" })
      repository.git("reset", "-q", "--hard")
      const table = yield* run("--base", "main")
      assert.strictEqual(table.status, 1, table.stderr)
      assert.include(table.stdout, "new.js:4")
      assert.notInclude(table.stdout, "old.js")
      const { status, stdout } = yield* run("--base", "main", "--json")
      const result = JSON.parse(stdout) as {
        readonly comments: ReadonlyArray<{ path: string; line: number; side: string }>
      }
      assert.strictEqual(status, 1)
      assert.deepInclude(result.comments[0], { path: "new.js", line: 4, side: "RIGHT" })
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
      const nowhere = yield* run("--base", "--help-me")
      assert.strictEqual(nowhere.status, 2)
      assert.include((yield* run("--base", "nowhere")).stderr, "--base nowhere is no branch")
    }),
  600_000
)
