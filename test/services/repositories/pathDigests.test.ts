import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import {
  bucketOf,
  buckets,
  digestsOf,
  hasDigest,
  pathFromRoot
} from "../../../src/services/repositories/pathDigests.ts"

describe("digests of paths", () => {
  it("have every path that was recorded, and no other", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uniqueArray(FastCheck.string(), { maxLength: 200 }), (paths) => {
        const known = new Set(paths.slice(0, paths.length / 2))
        const digests = digestsOf(known)
        assert.strictEqual(digests.length, buckets)
        for (const path of paths) assert.strictEqual(hasDigest(digests[bucketOf(path)]!, path), known.has(path), path)
      })
    )
  })

  it("take eight bytes for each path", () => {
    const paths = Array.from({ length: 10_000 }, (_, n) => `src/a/rather/long/folder/name/file-${n}.ts`)
    const sizes = digestsOf(paths).map(({ length }) => length)
    assert.strictEqual(
      sizes.reduce((sum, size) => sum + size),
      80_000
    )
  })
})

describe("a path that is asked for", () => {
  it("is one from the root, however it is written", () => {
    for (const path of ["src/a.ts", "/src/a.ts", "./src/a.ts", "././src/a.ts"]) {
      assert.strictEqual(pathFromRoot(path), "src/a.ts")
    }
    assert.strictEqual(pathFromRoot(".github/ci.yml"), ".github/ci.yml")
  })
})
