import { assert, describe, it } from "vitest"
import { gitObjects } from "../../../src/engine/core/source/gitObjects.ts"
import type { CommitStore } from "../../../src/engine/core/source/TreeSource.ts"
import { workingTree } from "../../../src/engine/core/source/workingTree.ts"
import type { ChangeHistory } from "../../../src/engine/core/tool/ChangeHistory.ts"
import { aFolder, aRepository, runGitIn } from "../../support/gitRepository.ts"

const linesOf = (count: number, word = "line"): string =>
  Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join("")

const summary = (history: ChangeHistory | null | undefined) =>
  history?.commits.map(
    ({ author, changes }) =>
      `${author}: ${changes.map(([path, lines]) => `${history.paths[path]} ${lines}`).join(", ")}`
  )

const historyAt = (gitDir: string, commit: string) => gitObjects(gitDir, commit).history!()

describe("the history of a commit", () => {
  it("reports files, lines and authors as numbers, newest first, under the names files have now", async () => {
    const repository = aRepository({ "old name.ts": linesOf(20) })
    repository.commit({ "old name.ts": linesOf(21) }, { author: "Ann@example.org" })
    repository.commit({}, { rename: { "old name.ts": "src/new.ts" }, author: "ann@example.org" })
    const head = repository.commit({ "src/new.ts": linesOf(23), "b.bin": Uint8Array.of(0, 1, 2) })
    const history = await historyAt(repository.gitDir, head)
    assert.deepStrictEqual(summary(history), [
      "0: b.bin 0, src/new.ts 2",
      "1: src/new.ts 0",
      "1: src/new.ts 1",
      "0: src/new.ts 20"
    ])
    assert.notInclude(JSON.stringify(history), "example.org")
  })

  it("leaves out merges, machines, mass changes and what is older than a year before the commit", async () => {
    const year = 365 * 24 * 3600
    const repository = aRepository()
    repository.commit({ "a.ts": "old" }, { at: 1_700_000_000 - year - 10 })
    repository.commit({ "a.ts": "new" }, { at: 1_700_000_000 - year + 10 })
    repository.commit({ "a.ts": "bumped" }, { author: "49699333+dependabot[bot]@users.noreply.github.com" })
    repository.commit(Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`many/${i}.ts`, "x\n"])))
    const head = repository.commit({ "a.ts": "last\n" })
    assert.deepStrictEqual(summary(await historyAt(repository.gitDir, head)), ["0: a.ts 2", "0: a.ts 2"])
    repository.commit({ "a.ts": "later\n" }, { at: 1_700_000_100 })
    assert.strictEqual(summary(await historyAt(repository.gitDir, head))!.length, 2, "later commits change nothing")
  })

  it("is read of a working tree and of a part of one", async () => {
    const repository = aRepository({ "top.ts": "x\n", "part/inner.ts": "x\n" })
    assert.deepStrictEqual(summary(await workingTree(repository.path).history!()), ["0: part/inner.ts 1, top.ts 1"])
    assert.deepStrictEqual(summary(await workingTree(`${repository.path}/part`).history!()), ["0: inner.ts 1"])
  })

  it("is absent without commits, in shallow clones and for what is no commit", async () => {
    assert.isNull(await workingTree(aRepository().path).history!())
    const repository = aRepository({ "a.ts": "1" })
    const head = repository.commit({ "a.ts": "2" })
    const clone = `${aFolder()}/clone`
    runGitIn(repository.path, ["clone", "--quiet", "--bare", "--depth=1", `file://${repository.path}`, clone])
    assert.isNull(await historyAt(clone, head))
    assert.isNull(await historyAt(repository.gitDir, "0".repeat(40)))
    assert.isNull(await historyAt(repository.gitDir, "--output=/tmp/x"))
  })

  it("reads only commits from git of which nothing is kept, and is the same", async () => {
    const repository = aRepository({ "a.ts": linesOf(20) })
    repository.commit({}, { rename: { "a.ts": "b.ts" }, author: "ann@example.org" })
    const first = repository.commit({ "b.ts": linesOf(22), "\x01c.ts": "x\n" })
    const kept = new Map<string, Uint8Array>()
    const read: Array<string> = []
    const store: CommitStore = {
      changes: (commit) => kept.get(commit) ?? null,
      keep: (commit, changes) => {
        if (!kept.has(commit)) read.push(commit)
        kept.set(commit, changes)
      }
    }
    await gitObjects(repository.gitDir, first).history!(() => store)
    assert.strictEqual(read.splice(0).length, 3)
    repository.commit({ "b.ts": linesOf(30) }, { author: "bob@example.org" })
    const head = repository.commit({}, { rename: { "b.ts": "d.ts" } })
    const again = await gitObjects(repository.gitDir, head).history!(() => store)
    assert.deepStrictEqual(again, await historyAt(repository.gitDir, head))
    assert.strictEqual(read.length, 2)
    assert.notInclude(Buffer.concat([...kept.values()]).toString(), "example.org")
  })

  it("asks for what is kept under another key when attributes or settings differ", async () => {
    const keys: Array<string> = []
    const store: CommitStore = { changes: () => null, keep: () => undefined }
    const keyAt = (commit: string) =>
      gitObjects(repository.gitDir, commit).history!((key) => {
        keys.push(key)
        return store
      })
    const repository = aRepository({ "a.ts": "1\n" })
    const plain = repository.commit({ "a.ts": "2\n" })
    const attributes = repository.commit({ "part/.gitattributes": "*.ts -diff\n" })
    for (const commit of [plain, attributes, plain]) await keyAt(commit)
    runGitIn(repository.path, ["config", "diff.algorithm", "histogram"])
    await keyAt(plain)
    assert.strictEqual(keys[0], keys[2])
    assert.strictEqual(new Set(keys).size, 3)
  })

  it("takes names for what they are, whatever they look like", async () => {
    const odd = ["1\t2\tx.ts", "new\nline.ts", "\x01a@b.ts", "caf\\xe9.ts"]
    const repository = aRepository(Object.fromEntries(odd.map((name) => [name, linesOf(9, name)])))
    const head = repository.commit({}, { rename: { [odd[0]!]: "\x013\t4\t" } })
    const history = await historyAt(repository.gitDir, head)
    assert.sameMembers([...history!.paths], ["\x013\t4\t", ...odd.slice(1)])
  })
})
