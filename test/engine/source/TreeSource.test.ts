import { Buffer } from "node:buffer"
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { gitObjects } from "../../../src/engine/core/source/gitObjects.ts"
import { headCommit, locate } from "../../../src/engine/core/source/locate.ts"
import type { TreeEntry, TreeSource } from "../../../src/engine/core/source/TreeSource.ts"
import { workingTree } from "../../../src/engine/core/source/workingTree.ts"
import { aFolder, aRepository, runGitIn } from "../../support/gitRepository.ts"

const contents = async (source: TreeSource, entries?: Iterable<TreeEntry>) => {
  const found: Record<string, string> = {}
  for await (const { entry, bytes } of source.read(entries ?? (await source.list()))) {
    found[entry.path] = Buffer.from(bytes).toString("latin1")
  }
  return found
}

const skipped = async (source: TreeSource) =>
  Object.fromEntries((await source.skipped()).map(({ path, reason }) => [path, reason]))

const names = async (source: TreeSource) => (await source.list()).map(({ path }) => path).sort()

const hostileNames = {
  "plain.ts": "1",
  "-rf": "2",
  "--upload-pack=x": "3",
  'quo"te and space': "4",
  "new\nline": "5",
  "tab\there": "6",
  "é/ü.ts": "7",
  "not\\xffutf8/\\xc3(": "8",
  "back\\slash": "9"
}

describe.concurrent("gitObjects", () => {
  it("reads every file of a commit, whatever its name", async () => {
    const repository = aRepository(hostileNames, { bare: true })
    const source = gitObjects(repository.gitDir, repository.git("rev-parse", "main"))
    expect(await contents(source)).toEqual(hostileNames)
    const bytes = (await source.list()).find(({ path }) => path.startsWith("not"))
    expect(bytes).toMatchObject({ escaped: true, size: 1, mode: "100644" })
    expect((await source.list()).filter(({ escaped }) => escaped)).toHaveLength(1)
  })

  it("lists symlinks and submodules as skipped and never reads them", async () => {
    const repository = aRepository({
      "a.ts": "a",
      passwd: { symlink: "/etc/passwd" },
      vendor: { submodule: "1234567890123456789012345678901234567890" }
    })
    const source = gitObjects(repository.gitDir, repository.git("rev-parse", "HEAD"))
    expect(await contents(source)).toEqual({ "a.ts": "a" })
    expect(await skipped(source)).toEqual({ passwd: "symlink", vendor: "submodule" })
  })

  it("leaves out files above the limit and objects that are missing", async () => {
    const repository = aRepository({ small: "s", large: "x".repeat(5000), gone: "will be removed" }, { bare: true })
    const commit = repository.git("rev-parse", "main")
    const blob = repository.git("rev-parse", "main:gone")
    rmSync(join(repository.gitDir, "objects", blob.slice(0, 2), blob.slice(2)))
    const source = gitObjects(repository.gitDir, commit, { maxFileBytes: 1000 })
    expect(await contents(source)).toEqual({ small: "s" })
    expect(await skipped(source)).toEqual({ large: "too_large", gone: "missing" })
  })

  it("skips an object that vanished after it was listed", async () => {
    const repository = aRepository({ a: "a" }, { bare: true })
    const source = gitObjects(repository.gitDir, repository.git("rev-parse", "main"))
    const [entry] = await source.list()
    const ghost = { ...(entry as TreeEntry), path: "ghost", blob: "0123456789012345678901234567890123456789" }
    expect(await contents(source, [ghost, entry as TreeEntry])).toEqual({ a: "a" })
  })

  it("streams thousands of files in order and stops when the reader leaves", async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, `${at};`.repeat(at % 50)]))
    const repository = aRepository({ ...files, big: "y".repeat(3_000_000) }, { bare: true })
    const source = gitObjects(repository.gitDir, repository.git("rev-parse", "main"))
    expect(await contents(source)).toEqual({ ...files, big: "y".repeat(3_000_000) })
    for await (const { entry } of source.read(await source.list())) {
      expect(entry.path).toBe("big")
      break
    }
    await source.close()
  })

  it("reads SHA-256 repositories", async () => {
    const repository = aRepository({ "a.ts": "a" }, { format: "sha256" })
    const source = gitObjects(repository.gitDir, repository.git("rev-parse", "HEAD"))
    expect(await contents(source)).toEqual({ "a.ts": "a" })
    expect((await source.list())[0]?.blob).toHaveLength(64)
    expect(await workingTree(repository.path).list()).toEqual(await source.list())
  })

  it("names an unknown commit and refuses anything that is not one", async () => {
    const repository = aRepository({ a: "a" })
    const list = (commit: string) => gitObjects(repository.gitDir, commit).list()
    await expect(list("0".repeat(40))).rejects.toMatchObject({ reason: "unknown_commit" })
    await expect(list("--help")).rejects.toMatchObject({ reason: "unknown_commit" })
    await expect(list("main")).rejects.toMatchObject({ reason: "unknown_commit" })
  })

  it("refuses a tree that describes more files than anyone has", async () => {
    const repository = aRepository({ a: "a" })
    let tree = repository.git("rev-parse", "HEAD^{tree}")
    for (let depth = 0; depth < 8; depth++) {
      const records = Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\td${at}\n`).join("")
      tree = runGitIn(repository.path, ["mktree"], Buffer.from(records))
    }
    const commit = repository.git("commit-tree", "-m", "bomb", tree)
    await expect(gitObjects(repository.gitDir, commit, { maxFiles: 1000 }).list()).rejects.toMatchObject({
      reason: "too_many_files"
    })
  })

  it("never lists names that lead out of the tree", async () => {
    const repository = aRepository({ a: "a" })
    const blob = Buffer.from(repository.git("rev-parse", "HEAD:a"), "hex")
    const record = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), blob])
    const raw = Buffer.concat([".git", "..", "../../x", "a"].map(record))
    const tree = runGitIn(repository.path, ["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], raw)
    const source = gitObjects(repository.gitDir, repository.git("commit-tree", "-m", "x", tree))
    expect(await names(source)).toEqual(["a"])
    expect(await skipped(source)).toMatchObject({
      "..": "unsafe_name",
      "../../x": "unsafe_name",
      ".git": "unsafe_name"
    })
  })

  it("runs nothing a partial clone's settings name, and reaches no remote", async () => {
    const origin = aRepository({ a: "a" })
    origin.git("config", "uploadpack.allowFilter", "true")
    const path = join(aFolder(), "partial")
    runGitIn("/", ["clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin.path}`, path])
    const marker = join(aFolder(), "ran")
    runGitIn(path, ["config", "remote.origin.uploadpack", `touch ${marker}; git-upload-pack`])
    runGitIn(path, ["config", "core.fsmonitor", `touch ${marker}`])
    const commit = runGitIn(path, ["rev-parse", "HEAD"])
    const source = gitObjects(join(path, ".git"), commit)
    const outcome = await source.list().catch((error: unknown) => error)
    expect(Array.isArray(outcome) ? outcome : []).toEqual([])
    await workingTree(path).list()
    expect(existsSync(marker)).toBe(false)
  })
})

describe.concurrent("workingTree", () => {
  it("reads what git tracks or does not ignore, with the blobs git would give", async () => {
    const repository = aRepository({ ...hostileNames, ".gitignore": "ignored\ndist/\n" })
    const source = workingTree(repository.path)
    const committed = gitObjects(repository.gitDir, repository.git("rev-parse", "HEAD"))
    const byPath = (entries: ReadonlyArray<TreeEntry>) => [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))
    expect(byPath(await source.list())).toEqual(byPath(await committed.list()))
    writeFileSync(join(repository.path, "ignored"), "x")
    writeFileSync(join(repository.path, "fresh.ts"), "fresh")
    writeFileSync(join(repository.path, "plain.ts"), "edited")
    rmSync(join(repository.path, "-rf"))
    const { "-rf": _, ...rest } = hostileNames
    const now = workingTree(repository.path)
    expect(await contents(now)).toEqual({
      ...rest,
      "plain.ts": "edited",
      "fresh.ts": "fresh",
      ".gitignore": "ignored\ndist/\n"
    })
    expect(await skipped(now)).toEqual({ "-rf": "missing" })
  })

  it("follows no symlink, neither a file nor a folder on the way", async () => {
    const repository = aRepository({ "a.ts": "a", "dir/hosts": "tracked", link: { symlink: "/etc/passwd" } })
    rmSync(join(repository.path, "dir"), { recursive: true })
    symlinkSync("/etc", join(repository.path, "dir"))
    symlinkSync("/etc/passwd", join(repository.path, "untracked"))
    const source = workingTree(repository.path)
    expect(await contents(source)).toEqual({ "a.ts": "a" })
    expect(await skipped(source)).toMatchObject({ link: "symlink", untracked: "symlink" })
    // Listed while it was a file, a link when read.
    const entries = await source.list()
    rmSync(join(repository.path, "a.ts"))
    symlinkSync("/etc/passwd", join(repository.path, "a.ts"))
    expect(await contents(source, entries)).toEqual({})
  })

  it("never loads a file above the limit, nor waits on a pipe", async () => {
    const repository = aRepository({ "a.ts": "a", "b.ts": "b" })
    const line = join(repository.path, "line.js")
    writeFileSync(line, "x")
    truncateSync(line, 200 * 1024 * 1024)
    rmSync(join(repository.path, "b.ts"))
    execFileSync("mkfifo", [join(repository.path, "b.ts")])
    const before = process.memoryUsage().rss
    const source = workingTree(repository.path, { maxFileBytes: 1024 * 1024 })
    expect(await names(source)).toEqual(["a.ts"])
    expect(await skipped(source)).toEqual({ "b.ts": "special_file", "line.js": "too_large" })
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })

  it("does not enter repositories inside the repository", async () => {
    const repository = aRepository({ "a.ts": "a" })
    aRepository({ "secret.ts": "s" }, { path: join(repository.path, "nested") })
    mkdirSync(join(repository.path, "odd/.git"), { recursive: true })
    writeFileSync(join(repository.path, "odd/.git/config"), "[core]")
    writeFileSync(join(repository.path, "odd/b.ts"), "b")
    expect(await names(workingTree(repository.path))).toEqual(["a.ts", "odd/b.ts"])
  })

  it("works before the first commit, in a subfolder, in a sparse and in a shallow checkout", async () => {
    const empty = aRepository()
    writeFileSync(join(empty.path, "new.ts"), "n")
    expect(await names(workingTree(empty.path))).toEqual(["new.ts"])
    expect(await headCommit(empty.path)).toBeNull()

    const repository = aRepository({ "src/a.ts": "a", "docs/b.md": "b" })
    repository.commit({ "src/c.ts": "c" })
    expect(await names(workingTree(join(repository.path, "src")))).toEqual(["a.ts", "c.ts"])

    const shallow = join(aFolder(), "shallow")
    runGitIn("/", ["clone", "-q", "--depth=1", `file://${repository.path}`, shallow])
    runGitIn(shallow, ["sparse-checkout", "set", "docs"])
    const source = workingTree(shallow)
    expect(await names(source)).toEqual(["docs/b.md"])
    expect(await skipped(source)).toEqual({ "src/a.ts": "missing", "src/c.ts": "missing" })
    expect(await headCommit(shallow)).toBe(repository.git("rev-parse", "HEAD"))
    expect(await names(gitObjects(join(shallow, ".git"), repository.git("rev-parse", "HEAD")))).toHaveLength(3)
  })

  it("reads repositories of other people and linked checkouts", async () => {
    const repository = aRepository({ "a.ts": "a" })
    if (process.getuid?.() === 0) chownSync(repository.path, 65534, 65534)
    expect(await names(workingTree(repository.path))).toEqual(["a.ts"])
    expect(await names(gitObjects(repository.gitDir, (await headCommit(repository.path)) ?? ""))).toEqual(["a.ts"])
    if (process.getuid?.() === 0) chownSync(repository.path, 0, 0)
    const linked = join(aFolder(), "linked")
    repository.git("worktree", "add", "-q", linked, "-b", "other")
    expect(await names(workingTree(linked))).toEqual(["a.ts"])
    expect(await headCommit(linked)).toBe(repository.git("rev-parse", "HEAD"))
  })

  it("ignores where the repository's own settings point", async () => {
    const repository = aRepository({ "a.ts": "a" })
    const marker = join(aFolder(), "ran")
    repository.git("config", "core.fsmonitor", `touch ${marker}`)
    repository.git("config", "core.worktree", "/etc")
    expect(await names(workingTree(repository.path))).toEqual(["a.ts"])
    expect(existsSync(marker)).toBe(false)
  })

  it("gives what a file is now when it changed after the list", async () => {
    const repository = aRepository({ "a.ts": "before" })
    const source = workingTree(repository.path)
    const [entry] = await source.list()
    writeFileSync(join(repository.path, "a.ts"), "after")
    for await (const { entry: now, bytes } of source.read([entry as TreeEntry])) {
      expect(Buffer.from(bytes).toString()).toBe("after")
      expect(now).toEqual({ ...entry, size: 5, blob: repository.git("hash-object", "a.ts") })
    }
  })

  it("says why a folder cannot be read", async () => {
    const bare = aRepository({ a: "a" }, { bare: true })
    const reason = (path: string) =>
      workingTree(path)
        .list()
        .catch((error: { reason: string }) => error.reason)
    expect(await reason(bare.path)).toBe("bare_repository")
    expect(await reason(aFolder())).toBe("not_a_repository")
    expect(await reason(join(aFolder(), "absent"))).toBe("not_found")
    const broken = aFolder()
    writeFileSync(join(broken, ".git"), "gitdir: /nowhere")
    expect(await reason(broken)).toBe("not_a_repository")
    expect(await locate(bare.path)).toEqual({ kind: "bare", gitDir: bare.path })
  })

  it("marks executables as git does", async () => {
    const repository = aRepository({ run: "#!/bin/sh\n" })
    chmodSync(join(repository.path, "run"), 0o755)
    expect((await workingTree(repository.path).list())[0]?.mode).toBe("100755")
  })
})
