import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readOwnFile, replaceFile } from "../../src/cli/replaceFile.ts"
import { assay } from "../support/assayCommand.ts"
import { inForm } from "../support/forms.ts"
import { aFolder, aRepository, runGitIn } from "../support/gitRepository.ts"

const link = '<a href="https://example.org" target="_blank">a</a>\n'
const fixedLink = link.replace('_blank"', '_blank" rel="noopener"')

const files = {
  "index.html": `<!doctype html>\n${link}${"<p>between</p>\n".repeat(20)}${link}`,
  "dos.html": `\uFEFF<!doctype html>\n<p>ü</p>\n${link}`.replaceAll("\n", "\r\n")
}
const fixedFiles = {
  "index.html": files["index.html"].replaceAll(link, fixedLink),
  "dos.html": files["dos.html"].replace('_blank"', '_blank" rel="noopener"')
}

const contentsOf = (path: string) =>
  Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(path, name), "utf8")]))

const auditing = (path: string, ...flags: ReadonlyArray<string>) => assay(["audit", path, "--suggestions", ...flags])

describe("assay audit --fix", () => {
  it.live("--dry-run prints one patch that git applies, and changes nothing", () =>
    Effect.gen(function* () {
      const { path, git } = aRepository(files)
      const { status, stdout, stderr } = yield* auditing(path, "--fix", "--dry-run")
      assert.strictEqual(status, 0, stderr)
      assert.deepStrictEqual(contentsOf(path), files)
      assert.strictEqual(git("status", "--porcelain"), "")
      runGitIn(path, ["apply", "-"], Buffer.from(stdout))
      assert.deepStrictEqual(contentsOf(path), fixedFiles)
    })
  )

  it.live("writes the same files whole, with their modes, and shows what is left", () =>
    Effect.gen(function* () {
      const { path, git } = aRepository(files)
      git("config", "core.fileMode", "false")
      chmodSync(join(path, "index.html"), 0o755)
      const { status, stdout, stderr } = yield* auditing(path, "--fix", "--json")
      assert.strictEqual(status, 0, stderr)
      assert.deepStrictEqual(contentsOf(path), fixedFiles)
      assert.strictEqual(statSync(join(path, "index.html")).mode & 0o777, 0o755)
      assert.deepStrictEqual(readdirSync(path).sort(), [".git", ...Object.keys(files)].sort())
      const { findings, fixes } = JSON.parse(stdout)
      assert.deepStrictEqual(
        findings.filter(({ rule_id }: { rule_id: string }) => rule_id.includes("opener")),
        []
      )
      assert.deepStrictEqual([...new Set(fixes.map(({ status }: { status: string }) => status))], ["fixed"])
      assert.include(stderr, "in 2 files.")
    })
  )

  it.live("changes nothing over uncommitted changes, unless it is forced to", () =>
    Effect.gen(function* () {
      const { path } = aRepository(files)
      writeFileSync(join(path, "new.txt"), "mine\n")
      const rejected = yield* auditing(path, "--fix")
      assert.strictEqual(rejected.status, 2)
      assert.match(rejected.stderr, /--fix changes nothing while .* has uncommitted changes.*--force/)
      assert.deepStrictEqual(contentsOf(path), files)
      assert.strictEqual((yield* auditing(path, "--fix", "--force")).status, 0)
      assert.deepStrictEqual(contentsOf(path), fixedFiles)
    })
  )

  it.live("leaves what a symbolic link names alone", () =>
    Effect.gen(function* () {
      const outside = join(aFolder(), "outside.html")
      writeFileSync(outside, files["index.html"])
      const { path, git } = aRepository(files)
      symlinkSync(outside, join(path, "linked.html"))
      git("add", "-A")
      git("commit", "-qm", "link")
      assert.strictEqual((yield* auditing(path, "--fix")).status, 0)
      assert.strictEqual(readFileSync(outside, "utf8"), files["index.html"])
      assert.deepStrictEqual(contentsOf(path), fixedFiles)
    })
  )

  const rejections: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["--dry-run"], "--dry-run is for --fix"],
    [["--force"], "--force is for --fix"],
    [["--fix", "--dry-run", "--json"], "--json and --dry-run both print to standard output"]
  ]
  for (const [flags, message] of inForm({ short: rejections.slice(0, 1), long: rejections })) {
    it.live(`rejects ${flags.join(" ")}`, () =>
      Effect.gen(function* () {
        const { path } = aRepository(files)
        const { status, stderr } = yield* auditing(path, ...flags)
        assert.strictEqual(status, 2)
        assert.include(stderr, message)
      })
    )
  }

  it.live("needs a working copy", () =>
    Effect.gen(function* () {
      const { path } = aRepository(files, { bare: true })
      const { status, stderr } = yield* auditing(path, "--fix")
      assert.strictEqual(status, 2)
      assert.include(stderr, "--fix changes files of a working copy")
    })
  )
})

describe("a file that is replaced", () => {
  it("lies below the folder, and no part of its path is a symbolic link", async () => {
    const [root, elsewhere] = [aFolder(), aFolder()]
    writeFileSync(join(elsewhere, "a.txt"), "a")
    symlinkSync(elsewhere, join(root, "folder"))
    symlinkSync(join(elsewhere, "a.txt"), join(root, "file.txt"))
    for (const path of ["folder/a.txt", "file.txt", "../a.txt", "/etc/hostname", "missing.txt", "folder"]) {
      const error = await replaceFile(root, path, Buffer.from("b")).then(
        () => null,
        (reason: unknown) => reason
      )
      assert.instanceOf(error, Error, path)
    }
    assert.strictEqual(readFileSync(join(elsewhere, "a.txt"), "utf8"), "a")
    writeFileSync(join(root, "own.txt"), "a", { mode: 0o600 })
    await replaceFile(root, "own.txt", Buffer.from("b"))
    assert.strictEqual((await readOwnFile(root, "own.txt")).toString(), "b")
    assert.strictEqual(statSync(join(root, "own.txt")).mode & 0o777, 0o600)
  })
})
