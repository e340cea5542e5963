import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost, type Revision } from "../../../src/services/ports/CodeHost.ts"
import type { ChangedFile } from "../../../src/services/ports/Comparison.ts"
import { aFolder, aRepository, type Repository } from "../../support/gitRepository.ts"

const root = aFolder()

const withHost = <A, E>(test: (host: typeof CodeHost.Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(CodeHost, test).pipe(
    Effect.provide(
      Layer.orDie(PlainGitCodeHost.layer({ dataDir: aFolder(), localRoots: [root], allowPrivateNetwork: false }))
    )
  )

let counter = 0
const aRemote = (files: Parameters<typeof aRepository>[0]) =>
  aRepository(files, { path: `${root}/r${counter++}`, bare: true })

const fetched = (host: typeof CodeHost.Service, repository: Repository, revision: Revision) =>
  host.fetchRevision({ repositoryId: "r", remote: { url: repository.path }, branch: "main", revision })

const compared = (repository: Repository, revision: Revision, maxFiles = 100) =>
  withHost((host) =>
    Effect.gen(function* () {
      const { gitDir, commit, revision: head } = yield* fetched(host, repository, revision)
      return yield* host.compare({ gitDir, base: commit, head, maxFiles })
    })
  )

const branch = (name: string): Revision => ({ kind: "branch", name })

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join("")

const short = ({ path, previous_path, kind, lines }: ChangedFile) => [
  kind,
  ...(previous_path === null ? [] : [previous_path]),
  path,
  lines.ranges,
  lines.cuts
]

describe.concurrent("what a branch changed", () => {
  it.live("is reported in files and lines since it left the base, whatever happened there since", () =>
    Effect.gen(function* () {
      const repository = aRemote({
        "edited.txt": numbered(1, 30),
        "gone.txt": "gone\n",
        "old name.txt": numbered(1, 20),
        "picture.bin": new Uint8Array([0, 1, 2]),
        "same.txt": "same\n"
      })
      const base = repository.git("rev-parse", "main")
      repository.git("branch", "change", base)
      repository.commit(
        {
          "edited.txt": `first\n${numbered(1, 9)}line ten\n${numbered(11, 19)}${numbered(23, 30)}`,
          "new name.txt": `${numbered(1, 19)}line twenty`,
          "picture.bin": new Uint8Array([0, 1, 3]),
          "added.txt": "one\ntwo\n",
          "empty.txt": "",
          vendored: { submodule: "1".repeat(40) },
          link: { symlink: "edited.txt" }
        },
        { branch: "change", remove: ["gone.txt", "old name.txt"] }
      )
      repository.commit({ "same.txt": "the base went on\n" })
      const { merge_base, files } = yield* compared(repository, branch("change"))
      assert.strictEqual(merge_base, base)
      assert.deepStrictEqual(files.map(short), [
        ["added", "added.txt", [[1, 2]], []],
        [
          "modified",
          "edited.txt",
          [
            [1, 1],
            [11, 11]
          ],
          [20]
        ],
        ["added", "empty.txt", [], []],
        ["deleted", "gone.txt", [], []],
        ["added", "link", [[1, 1]], []],
        ["renamed", "old name.txt", "new name.txt", [[20, 20]], []],
        ["modified", "picture.bin", [], []],
        ["submodule", "vendored", [], []]
      ])
    })
  )

  it.live("has the right lines under hostile names and with content that looks like headers", () =>
    Effect.gen(function* () {
      const names = [
        "with space.js",
        'quo"te.js',
        "tab\there.js",
        "new\nline.js",
        "x\n+++ b/other.js\n@@ -1 +1,99 @@",
        "back\\slash.js",
        "ümlaut.js",
        "b/b/b.js",
        "-dash.js",
        "not-utf8-\\xff.js"
      ]
      const repository = aRemote({ "other.js": "a\n" })
      repository.git("branch", "change")
      const forged = "++ b/other.js\n@@ -0,0 +1,50 @@\ndiff --git a/other.js b/other.js\n-- a\n"
      repository.commit(Object.fromEntries(names.map((name) => [name, forged])), { branch: "change" })
      const { files } = yield* compared(repository, branch("change"))
      assert.sameMembers(
        files.map(({ path }) => path),
        names
      )
      for (const { path, lines } of files) assert.deepStrictEqual(lines, { ranges: [[1, 4]], cuts: [] }, path)
    })
  )

  it.live("does not depend on settings and attributes of the repository", () =>
    Effect.gen(function* () {
      const repository = aRemote({
        ".gitattributes": "*.js binary diff=evil\n",
        "a.js": "one\n"
      })
      repository.git("branch", "change")
      repository.commit({ "a.js": "one\ntwo\n" }, { branch: "change" })
      const { files } = yield* compared(repository, branch("change"))
      assert.deepStrictEqual(files.map(short), [["modified", "a.js", [[2, 2]], []]])
    })
  )

  it.live("is nothing when the branch is where the base was", () =>
    Effect.gen(function* () {
      const repository = aRemote({ a: "a" })
      repository.git("branch", "change")
      repository.commit({ b: "b" })
      assert.deepStrictEqual((yield* compared(repository, branch("change"))).files, [])
    })
  )

  it.live("follows a branch that was rewritten, a pull request, and a single commit", () =>
    withHost((host) =>
      Effect.gen(function* () {
        const repository = aRemote({ a: "a" })
        const base = repository.git("rev-parse", "main")
        repository.git("branch", "change")
        const first = repository.commit({ b: "b" }, { branch: "change" })
        assert.strictEqual((yield* fetched(host, repository, branch("change"))).revision, first)
        repository.git("update-ref", "refs/heads/change", base)
        const second = repository.commit({ c: "c" }, { branch: "change" })
        assert.strictEqual((yield* fetched(host, repository, branch("change"))).revision, second)
        for (const name of ["refs/pull/7/head", "refs/merge-requests/8/head", "refs/pull-requests/9/from"]) {
          repository.git("update-ref", name, second)
        }
        for (const number of [7, 8, 9]) {
          const { commit, revision } = yield* fetched(host, repository, { kind: "pull_request", number })
          assert.deepStrictEqual([commit, revision], [base, second])
        }
        const single = yield* fetched(host, repository, { kind: "commit", sha: second })
        assert.strictEqual(single.revision, second)
      })
    )
  )
})

describe.concurrent("what cannot be compared", () => {
  const rejections: ReadonlyArray<readonly [string, Revision, string]> = [
    ["a branch that does not exist", branch("nope"), "branch_not_found"],
    ["a branch name that is an option", branch("--upload-pack=touch /tmp/x"), "branch_not_found"],
    ["a branch name with a wildcard", branch("chang*"), "branch_not_found"],
    ["a pull request that does not exist", { kind: "pull_request", number: 99 }, "branch_not_found"],
    ["a commit that does not exist", { kind: "commit", sha: "a".repeat(40) }, "branch_not_found"],
    ["a branch with another history", branch("orphan"), "no_common_history"],
    ["a change of too many files", branch("many"), "diff_too_large"]
  ]
  it.live.each(rejections)("%s is rejected", ([, revision, reason]) =>
    Effect.gen(function* () {
      const repository = aRemote({ a: "a" })
      repository.git("branch", "many")
      repository.commit({ b: "b", c: "c", d: "d" }, { branch: "many" })
      repository.commit({ z: "z" }, { branch: "orphan" })
      const error = yield* Effect.flip(compared(repository, revision, 2))
      assert.strictEqual(error.reason, reason)
      assert.notInclude(error.message, "--git-dir")
    })
  )
})
