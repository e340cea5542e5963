import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFiles } from "../../../src/layers/git/readFiles.ts"
import { aRepository } from "../../support/gitRepository.ts"

it.effect("the files of a commit are its regular files by these names, and no folder, link or larger file", () =>
  Effect.gen(function* () {
    const names = ["src/a.ts", "src/*.ts", "docs/ä ö.md", "-q"]
    const repository = aRepository(
      {
        ...Object.fromEntries(names.map((name) => [name, `${name}\n`])),
        "src/b.ts": "b",
        "large.txt": "x".repeat(200)
      },
      { bare: true }
    )
    const read = (commit: string, paths: ReadonlyArray<string>) =>
      Effect.map(readFiles({ gitDir: repository.path, commit, paths, maxBytes: 100 }), (files) =>
        [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])
      )
    const commit = repository.git("rev-parse", "main").trim()
    const found = yield* read(commit, [...names, "src", "src/", "large.txt", "gone.ts", "", "../etc/passwd"])
    assert.sameDeepMembers(
      found,
      names.map((name) => [name, `${name}\n`])
    )
    assert.deepStrictEqual(yield* read(commit, []), [])
    assert.strictEqual((yield* Effect.flip(read("0".repeat(40), ["src/a.ts"])))._tag, "GitFailure")
  })
)
