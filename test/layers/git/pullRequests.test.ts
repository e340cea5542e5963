import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { GitWorkTrees } from "../../../src/layers/git/GitWorkTrees.ts"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { WorkTrees } from "../../../src/services/ports/WorkTrees.ts"
import { aFolder, aRepository, type Repository, runGitIn } from "../../support/gitRepository.ts"

const root = aFolder()
const at = "2026-01-02T03:04:05.000Z"
const head = "assay/fix-obs-1"
let names = 0

interface World {
  readonly repository: Repository
  readonly remote: { readonly url: string }
  readonly base_commit: string
  readonly fixed: (content: string) => Effect.Effect<{ readonly commit: string; readonly diff: string }, Error>
  readonly push: (content: string) => Effect.Effect<{ readonly commit: string; readonly diff: string }, Error>
  readonly state: (pushed: {
    readonly commit: string
    readonly diff: string
  }) => Effect.Effect<
    { readonly state: string; readonly conflicted: boolean | null; readonly merge_commit: string | null },
    Error
  >
}

/** A bare repository with a checkout beside it, and a fix of it made here. */
const world = <A, E>(test: (world: World) => Effect.Effect<A, E>) => {
  const dataDir = aFolder()
  const layer = PlainGitCodeHost.layer({ dataDir, localRoots: [root], allowPrivateNetwork: false })
  return Effect.gen(function* () {
    const host = yield* CodeHost
    const trees = yield* WorkTrees
    const repository = aRepository(
      { "a.js": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", "b.js": "b\n" },
      { path: join(root, `r${names++}`), bare: true }
    )
    const remote = { url: repository.path }
    const { gitDir, commit: base_commit } = yield* host.fetch({ repositoryId: "r", remote, branch: "main" })
    const change = (content: string, push: boolean) =>
      Effect.scoped(
        Effect.gen(function* () {
          const tree = yield* trees.open(gitDir)
          const commit = yield* tree.commit({
            parent: base_commit,
            files: [{ path: "a.js", content: Buffer.from(content) }],
            message: "Fix it",
            at
          })
          const request = { repositoryId: "r", remote, gitDir: tree.gitDir, commit, branch: head }
          if (push) yield* host.push({ ...request, expected: null })
          return { commit, diff: yield* tree.diff(base_commit, commit) }
        })
      )
    return yield* test({
      repository,
      remote,
      base_commit,
      fixed: (content) => change(content, false),
      push: (content) => change(content, true),
      state: ({ commit: head_commit, diff }) =>
        host.pullRequest({
          repositoryId: "r",
          remote,
          base: "main",
          head,
          number: null,
          base_commit,
          head_commit,
          diff
        })
    })
  }).pipe(Effect.provide(layer), Effect.provide(GitWorkTrees.layer(dataDir)))
}

const fixed = "one\ntwo\nTHREE\nfour\nfive\nsix\nseven\neight\n"

/** Merges the pushed branch as a person would, in a clone. */
const inClone = (repository: Repository, commands: ReadonlyArray<ReadonlyArray<string>>) => {
  const clone = aFolder()
  const git = (args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.org", ...args], { cwd: clone, stdio: "pipe" })
  git(["clone", "--quiet", repository.path, "."])
  for (const args of commands) git(args)
  git(["push", "--quiet", "origin", "HEAD:main"])
}

describe.concurrent("pull requests on plain git", () => {
  it.live("a push is made once, and rejected where the branch has other commits", () =>
    world(({ repository, push }) =>
      Effect.gen(function* () {
        const { commit } = yield* push(fixed)
        assert.strictEqual(repository.git("rev-parse", head), commit)
        assert.strictEqual((yield* push(fixed)).commit, commit)
        const rejection = yield* Effect.flip(push("other\n"))
        assert.propertyVal(rejection, "reason", "push_rejected")
        assert.strictEqual(repository.git("rev-parse", head), commit)
      })
    )
  )

  it.live("a pushed branch is open until its commit is in the base branch", () =>
    world(({ repository, push, state }) =>
      Effect.gen(function* () {
        const pushed = yield* push(fixed)
        assert.deepInclude(yield* state(pushed), { state: "open", conflicted: false })
        inClone(repository, [["merge", "--quiet", "--no-ff", "-m", "merge", `origin/${head}`]])
        const merged = yield* state(pushed)
        assert.strictEqual(merged.state, "merged")
        assert.strictEqual(merged.merge_commit, repository.git("rev-parse", "main"))
      })
    )
  )

  it.live("a squashed branch is merged, also when it is gone and other work came before and after", () =>
    world(({ repository, push, state }) =>
      Effect.gen(function* () {
        const pushed = yield* push(fixed)
        repository.commit({ "b.js": "before\n" })
        inClone(repository, [
          ["merge", "--quiet", "--squash", `origin/${head}`],
          ["commit", "--quiet", "-m", "squashed"],
          ["push", "--quiet", "origin", `:${head}`]
        ])
        repository.commit({ "a.js": `${fixed}nine\n` })
        assert.strictEqual((yield* state(pushed)).state, "merged")
      })
    )
  )

  it.live("a rebased branch is merged", () =>
    world(({ repository, push, state }) =>
      Effect.gen(function* () {
        const pushed = yield* push(fixed)
        repository.commit({ "b.js": "before\n" })
        inClone(repository, [["cherry-pick", `origin/${head}`]])
        assert.strictEqual((yield* state(pushed)).state, "merged")
      })
    )
  )

  it.live("a branch that is gone unmerged is closed, and one that no longer applies is in conflict", () =>
    world(({ repository, push, state }) =>
      Effect.gen(function* () {
        const pushed = yield* push(fixed)
        repository.commit({ "a.js": "one\ntwo\nANOTHER\nfour\nfive\nsix\nseven\neight\n" })
        assert.deepInclude(yield* state(pushed), { state: "open", conflicted: true })
        repository.git("branch", "-D", head)
        assert.strictEqual((yield* state(pushed)).state, "closed")
      })
    )
  )
})

describe.concurrent("work trees", () => {
  const treeOf = <A, E>(
    test: (tree: {
      readonly checkout: Effect.Effect<string, Error>
      readonly changes: (
        folder: string
      ) => Effect.Effect<ReadonlyArray<{ readonly path: string; readonly new_mode: string | null }>, Error>
    }) => Effect.Effect<A, E>
  ) => {
    const dataDir = aFolder()
    return Effect.gen(function* () {
      const repository = aRepository({
        "a.txt": "one\r\ntwo\n",
        ".gitattributes": "* text eol=crlf filter=evil\n",
        link: { symlink: "/etc/passwd" },
        ".gitignore": "ignored\n"
      })
      const commit = repository.git("rev-parse", "HEAD")
      const tree = yield* Effect.flatMap(WorkTrees, (trees) => trees.open(repository.gitDir))
      return yield* test({ checkout: tree.checkout(commit), changes: (folder) => tree.changesIn(folder, commit) })
    }).pipe(Effect.scoped, Effect.provide(GitWorkTrees.layer(dataDir)))
  }

  it.live("a checkout holds the stored bytes of regular files and no links", () =>
    treeOf(({ checkout, changes }) =>
      Effect.gen(function* () {
        const folder = yield* checkout
        assert.strictEqual(readFileSync(join(folder, "a.txt"), "utf8"), "one\r\ntwo\n")
        assert.throws(() => readFileSync(join(folder, "link")), /ENOENT/)
        assert.deepStrictEqual(yield* changes(folder), [])
      })
    )
  )

  it.live("links, modes and additions are reported as what they are, ignored files not at all", () =>
    treeOf(({ checkout, changes }) =>
      Effect.gen(function* () {
        const folder = yield* checkout
        writeFileSync(join(folder, "ignored"), "x")
        writeFileSync(join(folder, "new.bin"), Buffer.from([0, 1, 2, 0]))
        symlinkSync("/etc/hosts", join(folder, "escape"))
        chmodSync(join(folder, "a.txt"), 0o755)
        const found = yield* changes(folder)
        assert.deepStrictEqual(
          found.map(({ path, new_mode }) => [path, new_mode]),
          [
            ["a.txt", "100755"],
            ["escape", "120000"],
            ["new.bin", "100644"]
          ]
        )
        assert.propertyVal(found[2], "isBinary", true)
      })
    )
  )

  it.live("a commit holds the bytes, names and text that it was given, keeps modes and removes files", () =>
    Effect.gen(function* () {
      const repository = aRepository({ "run.sh": "one\n", "gone.txt": "x\n" })
      repository.git("update-index", "--chmod=+x", "run.sh")
      repository.git("commit", "--quiet", "--message=Let it run")
      const parent = repository.git("rev-parse", "HEAD")
      const tree = yield* Effect.flatMap(WorkTrees, (trees) => trees.open(repository.gitDir))
      const name = 'a "quoted" \\ name\nof two lines.bin'
      const message = "Fix it\n\n  As it is.\n\n\nTrailer: one"
      const files = [
        { path: "run.sh", content: Buffer.from("two\n") },
        { path: name, content: Buffer.from([0, 255, 13, 10]) },
        { path: "gone.txt", content: null }
      ]
      const commit = yield* tree.commit({ parent, files, message, at })
      assert.strictEqual(yield* tree.commit({ parent, files, message, at }), commit)
      const git = (...args: ReadonlyArray<string>) => runGitIn(tree.gitDir, args)
      const blob = (path: string) => git("rev-parse", `${commit}:${path}`)
      const listed = git("ls-tree", "-r", "-z", commit).split("\0")
      assert.sameMembers(listed, [`100644 blob ${blob(name)}\t${name}`, `100755 blob ${blob("run.sh")}\trun.sh`, ""])
      assert.deepStrictEqual(
        yield* Effect.map(tree.changes(parent, commit), (changes) =>
          changes.map(({ path, content }) => [path, content])
        ),
        [
          [name, Buffer.from([0, 255, 13, 10])],
          ["gone.txt", null],
          ["run.sh", Buffer.from("two\n")]
        ]
      )
      const author = "Assay <assay@localhost> 1767323045 +0000"
      assert.strictEqual(
        git("cat-file", "commit", commit),
        [
          `tree ${git("rev-parse", `${commit}^{tree}`)}`,
          `parent ${parent}`,
          `author ${author}`,
          `committer ${author}`,
          "",
          message
        ].join("\n")
      )
    }).pipe(Effect.scoped, Effect.provide(GitWorkTrees.layer(aFolder())))
  )
})
