import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { localGitFolders } from "../../../src/layers/git/localGitFolders.ts"
import { aFolder, aRepository } from "../../support/gitRepository.ts"

const files = { "src/index.ts": "export const one = 1\n" }

describe("the search for git folders", () => {
  it.effect("finds checkouts and bare repositories below the roots, the nearest first, and nothing within them", () =>
    Effect.gen(function* () {
      const root = aFolder()
      for (const name of ["zebra", "team/api", "zebra/inner", ".hidden/api", "node_modules/api"]) {
        aRepository(files, { path: join(root, name) })
      }
      aRepository(files, { path: join(root, "team/bare.git"), bare: true })
      mkdirSync(join(root, "empty"))
      assert.deepStrictEqual(yield* localGitFolders([root]), {
        paths: ["zebra", "team/api", "team/bare.git"].map((name) => join(root, name)),
        truncated: false
      })
    })
  )

  it.effect("offers a root that is a repository itself, once, and nothing for one that is absent", () =>
    Effect.gen(function* () {
      const { path } = aRepository(files)
      const found = yield* localGitFolders([path, path, join(path, "absent")])
      assert.deepStrictEqual(found, { paths: [path], truncated: false })
    })
  )

  it.effect("follows no symbolic link, and no git file that leads out of the roots", () =>
    Effect.gen(function* () {
      const root = aFolder()
      const outside = aRepository(files)
      symlinkSync(outside.path, join(root, "linked"))
      mkdirSync(join(root, "git-link"))
      symlinkSync(outside.gitDir, join(root, "git-link/.git"))
      mkdirSync(join(root, "worktree"))
      writeFileSync(join(root, "worktree/.git"), `gitdir: ${outside.gitDir}\n`)
      assert.deepStrictEqual(yield* localGitFolders([root]), { paths: [], truncated: false })
      const both = yield* localGitFolders([root, outside.path])
      assert.deepStrictEqual(both.paths, [outside.path, join(root, "git-link"), join(root, "worktree")])
    })
  )

  it.effect("says so where folders lie deeper than it looks", () =>
    Effect.gen(function* () {
      const root = aFolder()
      const [near, far] = ["a/b/c/near", "a/b/c/d/far"].map((name) => join(root, name))
      for (const path of [near, far]) aRepository(files, { path: path! })
      assert.deepStrictEqual(yield* localGitFolders([root]), { paths: [near], truncated: true })
    })
  )
})
