import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { inForm } from "../support/forms.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"
import { zipOf } from "../support/zip.ts"

const advisory = JSON.stringify({
  id: "GHSA-acme",
  modified: "2026-01-02T00:00:00Z",
  summary: "Acme is broken",
  affected: [
    {
      package: { ecosystem: "npm", name: "acme-left" },
      ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "2.0.0" }] }]
    }
  ]
})

describe("assay advisories", { timeout: 600_000 }, () => {
  it.live("imports a dump, reports its age, and audits use it", () =>
    Effect.gen(function* () {
      const env = { ASSAY_DATA_DIR: aFolder() }
      const dump = join(aFolder(), "all.zip")
      writeFileSync(dump, zipOf([{ name: "GHSA-acme.json", content: advisory }]))
      const { path } = aRepository({
        "package-lock.json": '{"packages":{"node_modules/acme-left":{"version":"1.0.0"}}}',
        "index.js": 'import left from "acme-left"\n\nleft()\n'
      })
      const before = yield* assay(["audit", path], { env })
      assert.include(before.stdout, "No findings.")
      assert.include(before.stdout, "No advisories were imported for npm")
      const done = yield* assay(["advisories", "import", dump], { env })
      assert.deepStrictEqual(
        [done.status, done.stdout, done.stderr],
        [0, "Read 1 advisory.\nnpm: 1, newest 2026-01-02\n", ""]
      )
      const { stdout } = yield* assay(["advisories", "status"], { env })
      assert.match(
        stdout,
        /^npm: 1 advisories of 1 package, newest 2026-01-02 \(\d+ days? old\), imported \d{4}-\d\d-\d\d from all\.zip$/m
      )
      assert.match(stdout, /^PyPI: nothing imported$/m)
      assert.match(stdout, /^built-in list: \d+ well-known advisories, newest /m)
      const after = yield* assay(["audit", "--fail-on", "P2", path], { env })
      assert.strictEqual(after.status, 1)
      assert.include(after.stdout, "acme-left 1.0.0 has a known vulnerability")
    })
  )

  it.live("updates from a mirror, and fetches nothing that has not changed", () =>
    Effect.gen(function* () {
      const mirror = aFolder()
      mkdirSync(join(mirror, "npm"))
      writeFileSync(join(mirror, "npm", "all.zip"), zipOf([{ name: "GHSA-acme.json", content: advisory }]))
      const env = { ASSAY_DATA_DIR: aFolder(), ASSAY_ADVISORIES_URL: pathToFileURL(mirror).href }
      const args = ["advisories", "update", "--ecosystem", "NPM"]
      const first = yield* assay(args, { env })
      assert.deepStrictEqual([first.status, first.stdout, first.stderr], [0, "npm: 1, newest 2026-01-02\n", ""])
      const second = yield* assay(args, { env })
      assert.deepStrictEqual([second.status, second.stdout], [0, "npm: unchanged\n"])
      const absent = yield* assay(["advisories", "update", "--ecosystem", "npm,Go"], { env })
      assert.strictEqual(absent.status, 2)
      assert.match(absent.stdout, /^npm: unchanged\nGo: not updated\. \S+ does not exist\.\n$/)
      assert.strictEqual(absent.stderr, "assay: what could not be updated stays as it was.\n")
    })
  )

  it.live("names the option that is missing or wrong", () =>
    Effect.gen(function* () {
      const env = { ASSAY_DATA_DIR: aFolder() }
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [[], /--from https:\/\/…, or set ASSAY_ADVISORIES_URL/],
        [["--from", "ftp://mirror.example"], /--from must be/],
        [["--from", "https://user:secret@mirror.example"], /without a query or a user/],
        [["--from", "https://mirror.example", "--ecosystem", "cobol"], /--ecosystem takes npm, PyPI/]
      ]
      for (const [args, message] of inForm({ short: cases.slice(2, 3), long: cases })) {
        const { status, stdout, stderr } = yield* assay(["advisories", "update", ...args], { env })
        assert.deepStrictEqual([status, stdout], [2, ""])
        assert.match(stderr, message)
        assert.notInclude(stderr, "secret")
      }
    })
  )

  it.live("says what it cannot import, and leaves no trace", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const env = { ASSAY_DATA_DIR: folder }
      const text = join(folder, "not.zip")
      writeFileSync(text, "PK, but no zip")
      for (const path of inForm({ short: [text], long: [text, join(folder, "absent.zip"), folder] })) {
        const { status, stdout, stderr } = yield* assay(["advisories", "import", path], { env })
        assert.deepStrictEqual([status, stdout], [2, ""])
        assert.match(stderr, /^assay: \S/)
      }
      assert.isFalse(existsSync(join(folder, "advisories", "npm.advisories")))
    })
  )
})
