import { existsSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, call, createKeys } from "../support/server.ts"

interface Page {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly next_cursor: string | null
}

// As `mktemp -d` makes it: as root, another account cannot pass it, so the data lie elsewhere.
it.scopedLive(
  "After its data are destroyed, an installation is restored from a backup with its keys and cursors, closed folder or not",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const repository = aRepository({ "README.md": "a" })
      const env = { ASSAY_LOCAL_REPO_ROOTS: repository.path }
      const data = { ASSAY_DATA_DIR: join(dataDir, "data") }
      const file = join(dataDir, "all.assay")

      const first = yield* aServer({ dataDir, env })
      const [key = ""] = yield* createKeys(first, ["view_repositories", "register_repo"], 1)
      for (const github_repo of ["one", "two", "three"])
        yield* call(first, key, "POST", "/api/repos", { github_org: "a", github_repo, clone_url: repository.path })
      const { body: page } = yield* call<Page>(first, key, "GET", "/api/repos?limit=2")
      const whileRunning = yield* assay(["backup", file], { env: data })
      assert.deepStrictEqual([whileRunning.status, whileRunning.stderr], [0, ""])
      assert.match(whileRunning.stdout, /^Backed up \d+ rows of \d+ tables to /)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)

      yield* first.stop
      const whileStopped = yield* assay(["backup", `${file}.2`], { env: data })
      assert.strictEqual(whileStopped.status, 0, whileStopped.stderr)

      // Closed to the database's account, the folder holds a note of where the data lie.
      const note = join(dataDir, "data", "postgres", "location")
      if (existsSync(note)) rmSync(readFileSync(note, "utf8").trim(), { recursive: true })
      rmSync(join(dataDir, "data"), { recursive: true })
      const restored = yield* assay(["restore", `${file}.2`], { env: data })
      assert.strictEqual(restored.status, 0, restored.stderr)
      assert.match(restored.stdout, /^Restored \d+ rows as of \d{4}-/)

      const second = yield* aServer({ dataDir, env })
      assert.notInclude(second.log(), "First sign-in")
      const { status, body: rest } = yield* call<Page>(
        second,
        key,
        "GET",
        `/api/repos?limit=2&cursor=${encodeURIComponent(page.next_cursor ?? "")}`
      )
      assert.strictEqual(status, 200)
      assert.strictEqual(page.data.length + rest.data.length, 3)
      yield* second.stop
      if (existsSync(note)) {
        const elsewhere = readFileSync(note, "utf8").trim()
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(elsewhere, { recursive: true, force: true })))
      }
    })
)
