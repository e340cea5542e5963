import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { PlainGitCodeHost, type PlainGitOptions } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { aFolder, aRepository, runGitIn } from "../../support/gitRepository.ts"

const root = aFolder()
const inRoot = (name: string) => join(root, name)

/** Runs a test against a code host with a data folder of its own. */
const host = <A, E>(
  test: (code: typeof CodeHost.Service, dataDir: string) => Effect.Effect<A, E>,
  options: Partial<PlainGitOptions> = {}
) => {
  const dataDir = aFolder()
  const layer = PlainGitCodeHost.layer({ dataDir, localRoots: [root], allowPrivateNetwork: false, ...options })
  return Effect.flatMap(CodeHost, (code) => test(code, dataDir)).pipe(Effect.provide(layer))
}

const reasonOf = <A, E extends { readonly reason: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

describe.concurrent("PlainGitCodeHost on local repositories", () => {
  it.live("reports the default branch and the heads", () =>
    host((code) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("heads"), branch: "trunk" })
        const tip = repository.commit({ b: "b" }, { branch: "feature/x" })
        const { default_branch, heads } = yield* code.inspect({ url: `file://${repository.path}` })
        assert.strictEqual(default_branch, "trunk")
        assert.deepStrictEqual(
          heads,
          new Map([
            ["feature/x", tip],
            ["trunk", repository.git("rev-parse", "trunk")]
          ])
        )
      })
    )
  )

  it.live("brings a branch, and what is new on it, and a rewritten one", () =>
    host((code, dataDir) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("follow") })
        repository.git("tag", "v1")
        const fetch = code.fetch({ repositoryId: "r-1", remote: { url: repository.path }, branch: "main" })
        const first = yield* fetch
        assert.strictEqual(first.gitDir, join(dataDir, "mirrors/r-1.git"))
        assert.strictEqual(first.commit, repository.git("rev-parse", "HEAD"))
        assert.strictEqual(runGitIn(first.gitDir, ["tag"]), "")
        const second = repository.commit({ b: "b" })
        assert.strictEqual((yield* fetch).commit, second)
        repository.git("reset", "-q", "--hard", "HEAD~1")
        repository.git("commit", "-q", "--amend", "-m", "rewritten")
        assert.strictEqual((yield* fetch).commit, repository.git("rev-parse", "HEAD"))
        // A job may still be reading the commit that was rewritten.
        assert.strictEqual(runGitIn(first.gitDir, ["cat-file", "-t", second]), "commit")
        assert.strictEqual(readdirSync(join(dataDir, "mirrors")).sort().join(), "README,r-1.git")
      })
    )
  )

  it.live("keeps branches apart whose names would collide as files", () =>
    host((code) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("collide"), branch: "a" })
        const fetch = (branch: string) => code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch })
        yield* fetch("a")
        repository.git("checkout", "-q", "--detach")
        repository.git("branch", "-m", "a", "a/b")
        const { commit } = yield* fetch("a/b")
        assert.strictEqual(commit, repository.git("rev-parse", "a/b"))
        assert.strictEqual(yield* reasonOf(fetch("a")), "branch_not_found")
        assert.isNull((yield* code.inspect({ url: repository.path })).default_branch)
      })
    )
  )

  it.live("serialises fetches of one repository; all see the same commit", () =>
    host((code, dataDir) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("many") })
        const other = yield* Effect.provide(
          CodeHost,
          PlainGitCodeHost.layer({ dataDir, localRoots: [root], allowPrivateNetwork: false })
        )
        const fetch = (from: typeof code) =>
          from.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
        const commits = yield* Effect.all([code, other, code, other, code, other].map(fetch), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          new Set(commits.map(({ commit }) => commit)),
          new Set([repository.git("rev-parse", "HEAD")])
        )
      })
    )
  )

  it.live("names the reasons: no commits, no such branch, no repository, a name that is no branch", () =>
    host((code) =>
      Effect.gen(function* () {
        const empty = aRepository({}, { path: inRoot("empty") })
        const full = aRepository({ a: "a" }, { path: inRoot("full") })
        mkdirSync(inRoot("plain"))
        const fetch = (url: string, branch = "main") =>
          reasonOf(code.fetch({ repositoryId: "r", remote: { url }, branch }))
        assert.deepStrictEqual(yield* code.inspect({ url: empty.path }), { default_branch: null, heads: new Map() })
        assert.strictEqual(yield* fetch(empty.path), "no_commits")
        assert.strictEqual(yield* fetch(full.path, "absent"), "branch_not_found")
        assert.strictEqual(yield* fetch(full.path, "--upload-pack=x"), "branch_not_found")
        assert.strictEqual(yield* fetch(inRoot("plain")), "not_found")
        assert.strictEqual(yield* fetch(inRoot("nowhere")), "not_found")
        assert.strictEqual(yield* fetch("ext::sh -c id"), "protocol_refused")
        assert.strictEqual(yield* fetch("http://code.example/x"), "protocol_refused")
      })
    )
  )

  it.live("rejects paths outside the roots, by name, by dots, by symlink, by what the repository borrows", () =>
    host((code) =>
      Effect.gen(function* () {
        const outside = aRepository({ a: "a" })
        symlinkSync(outside.path, inRoot("link"))
        mkdirSync(inRoot("pointer"))
        writeFileSync(inRoot("pointer/.git"), `gitdir: ${outside.gitDir}\n`)
        mkdirSync(inRoot("linked-git"))
        symlinkSync(outside.gitDir, inRoot("linked-git/.git"))
        const borrowed = aRepository({ b: "b" }, { path: inRoot("borrowed") })
        writeFileSync(join(borrowed.gitDir, "objects/info/alternates"), `${outside.gitDir}/objects\n`)
        const paths = [outside.path, "/etc", "/nowhere", inRoot("../x"), inRoot("link"), inRoot("link/.git")]
        const urls = [...paths, inRoot("pointer"), inRoot("linked-git"), borrowed.path, `file://${outside.path}`]
        for (const url of [...urls, `${root}/full/../../..`, `${root}-sibling`]) {
          assert.strictEqual(yield* reasonOf(code.inspect({ url })), "path_refused", url)
        }
      })
    )
  )

  it.live("reads bare, shallow, linked, SHA-256 and other people's repositories", () =>
    host((code) =>
      Effect.gen(function* () {
        const origin = aRepository({ a: "a" }, { path: inRoot("origin") })
        origin.commit({ b: "b" })
        const shallow = inRoot("shallow")
        runGitIn("/", ["clone", "-q", "--depth=1", `file://${origin.path}`, shallow])
        const linked = inRoot("linked-checkout")
        origin.git("worktree", "add", "-q", linked, "-b", "side")
        const bare = aRepository({ a: "a" }, { path: inRoot("bare.git"), bare: true })
        const modern = aRepository({ a: "a" }, { path: inRoot("modern"), format: "sha256" })
        if (process.getuid?.() === 0) runGitChown(bare.path)
        for (const [at, url] of [shallow, linked, bare.path, modern.path].entries()) {
          const { default_branch, heads } = yield* code.inspect({ url })
          const branch = default_branch ?? "none"
          assert.strictEqual(branch, url === linked ? "side" : "main")
          const { commit } = yield* code.fetch({ repositoryId: `r${at}`, remote: { url }, branch })
          assert.strictEqual(commit, heads.get(branch))
        }
      })
    )
  )

  it.live("repairs a mirror that a killed fetch left behind", () =>
    host((code, dataDir) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("killed") })
        const fetch = code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
        const { gitDir } = yield* fetch
        const ref = createHash("sha256").update("main").digest("hex")
        for (const lock of [`refs/assay/${ref}.lock`, "packed-refs.lock", "shallow.lock", "config.lock", "HEAD.lock"]) {
          writeFileSync(join(gitDir, lock), "")
        }
        writeFileSync(join(gitDir, "objects/pack/tmp_pack_x"), "half")
        const dead = { pid: 2 ** 22 + 1, host: hostname(), process: "x", lock: "y" }
        writeFileSync(join(dataDir, "mirrors/r.lock"), JSON.stringify(dead))
        repository.commit({ b: "b" })
        assert.strictEqual((yield* fetch).commit, repository.git("rev-parse", "HEAD"))
        assert.isFalse(existsSync(join(gitDir, "objects/pack/tmp_pack_x")))
        assert.isFalse(existsSync(join(dataDir, "mirrors/r.lock")))
      })
    )
  )

  it.live("fetches a mirror again when it is beyond repair", () =>
    host((code) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a".repeat(1000) }, { path: inRoot("damaged") })
        const fetch = code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
        const { gitDir } = yield* fetch
        const packs = () => readdirSync(join(gitDir, "objects/pack")).map((name) => join(gitDir, "objects/pack", name))
        const ref = join(gitDir, "refs/assay", createHash("sha256").update("main").digest("hex"))
        const damages = [
          () => rmSync(join(gitDir, "HEAD")),
          () => rmSync(join(gitDir, "objects"), { recursive: true }),
          () => packs().forEach((path) => void rmSync(path)),
          () => packs().forEach(cutShort),
          () => writeFileSync(ref, ""),
          () => writeFileSync(join(gitDir, "config"), "[[[")
        ]
        for (const damage of damages) {
          damage()
          assert.strictEqual((yield* fetch).commit, repository.git("rev-parse", "HEAD"))
          assert.strictEqual(runGitIn(gitDir, ["fsck", "--no-dangling"]), "")
        }
      })
    )
  )

  it.live("stops at the size limit and leaves nothing behind", () =>
    host(
      (code, dataDir) =>
        Effect.gen(function* () {
          const noise = createHash("shake256", { outputLength: 300_000 }).update("x").digest("hex")
          const repository = aRepository({ a: noise }, { path: inRoot("large") })
          const rejected = yield* Effect.flip(
            code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
          )
          assert.strictEqual(rejected.reason, "too_large")
          assert.include(rejected.message, "0.1 MiB")
          assert.deepStrictEqual(readdirSync(join(dataDir, "mirrors")), ["README"])
        }),
      { maxMirrorBytes: 100_000 }
    )
  )

  it.live("an interrupted fetch releases the repository", () =>
    host((code) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("interrupted") })
        const fetch = code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
        const fiber = yield* Effect.fork(fetch)
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(fiber)
        assert.strictEqual((yield* fetch).commit, repository.git("rev-parse", "HEAD"))
      })
    )
  )

  it.live("accepts the old faults of honest histories, not names made to harm", () =>
    host((code) =>
      Effect.gen(function* () {
        const repository = aRepository({ a: "a" }, { path: inRoot("faults") })
        const blob = Buffer.from(repository.git("rev-parse", "HEAD:a"), "hex")
        const branchWith = (branch: string, record: string) => {
          const raw = Buffer.concat([Buffer.from(`${record}\0`), blob])
          const tree = runGitIn(repository.path, ["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], raw)
          repository.git("branch", branch, repository.git("commit-tree", "-m", "x", tree))
        }
        branchWith("padded", "0100644 a")
        branchWith("escaping", "100644 ..")
        const fetch = (branch: string) => code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch })
        yield* fetch("padded")
        const rejected = yield* Effect.flip(fetch("escaping"))
        assert.strictEqual(rejected.reason, "corrupt")
        assert.notInclude(rejected.message, "mirrors")
        yield* fetch("main")
      })
    )
  )

  it.live("runs nothing that a local repository's settings name", () =>
    host((code) =>
      Effect.gen(function* () {
        const marker = join(aFolder(), "ran")
        const repository = aRepository({ a: "a" }, { path: inRoot("armed") })
        for (const key of [
          "uploadpack.packObjectsHook",
          "core.fsmonitor",
          "core.sshCommand",
          "core.alternateRefsCommand"
        ]) {
          repository.git("config", key, `touch ${marker}`)
        }
        mkdirSync(join(repository.gitDir, "hooks"), { recursive: true })
        for (const hook of ["post-upload-pack", "pre-upload-pack", "reference-transaction", "post-index-change"]) {
          writeFileSync(join(repository.gitDir, "hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
        }
        repository.git("config", "core.hooksPath", join(repository.gitDir, "hooks"))
        yield* code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
        assert.isFalse(existsSync(marker))
      })
    )
  )

  it.live("lists every file of a commit, and rejects what is no commit", () =>
    host((code) =>
      Effect.gen(function* () {
        const files = { "a.ts": "a", "new\nline": "b", "lib/odd\\xff": "c", link: { symlink: "a.ts" } }
        const repository = aRepository(files, { path: inRoot("listing") })
        const { gitDir, commit } = yield* code.fetch({
          repositoryId: "r",
          remote: { url: repository.path },
          branch: "main"
        })
        assert.sameMembers([...(yield* code.paths({ gitDir, commit }))], Object.keys(files))
        for (const other of ["0".repeat(40), "--output=/tmp/x", "main"]) {
          assert.strictEqual((yield* Effect.flip(code.paths({ gitDir, commit: other }))).reason, "corrupt", other)
        }
      })
    )
  )

  it.live("finds renames, and none when the older commit is unknown", () =>
    host((code) =>
      Effect.gen(function* () {
        const text = Array.from({ length: 50 }, (_, at) => `line ${at}\n`).join("")
        const repository = aRepository({ "a.ts": text, "odd\\xff": `${text}odd` }, { path: inRoot("renames") })
        const from = repository.git("rev-parse", "HEAD")
        const to = repository.commit(
          { "lib/a.ts": `${text}one more\n` },
          { remove: ["a.ts"], rename: { "odd\\xff": "new\nline\\xfe" } }
        )
        const { gitDir } = yield* code.fetch({ repositoryId: "r", remote: { url: repository.path }, branch: "main" })
        assert.deepStrictEqual(
          yield* code.renames({ gitDir, from, to }),
          new Map([
            ["a.ts", "lib/a.ts"],
            ["odd\\xff", "new\nline\\xfe"]
          ])
        )
        assert.strictEqual((yield* code.renames({ gitDir, from: "0".repeat(40), to })).size, 0)
        assert.strictEqual((yield* code.renames({ gitDir, from: "--output=/tmp/x", to })).size, 0)
      })
    )
  )
})

// Packs are read-only: removed and written again, which anyone may.
const cutShort = (path: string) => {
  const start = readFileSync(path).subarray(0, 40)
  rmSync(path)
  writeFileSync(path, start)
}

const runGitChown = (path: string) => runGitIn("/", ["-c", "alias.give=!chown -R 65534", "give", path])
