import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { aRepository } from "../support/gitRepository.ts"

/** A loop that never ends, on its fourth line. */
const checked = (name: string) =>
  `const least = 10\nconst most = 20\nexports.${name} = (code) => {\n  for (let at = most; at > least; at++) code("${name}")\n  return least + most\n}\n`

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
      const nowhere = yield* run("--base", "--help-me")
      assert.strictEqual(nowhere.status, 2)
      assert.include((yield* run("--base", "nowhere")).stderr, "--base nowhere is no branch")
    }),
  600_000
)
