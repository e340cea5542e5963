import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readBaseline } from "../../src/cli/baseline.ts"

const fileOf = (text: string) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "assay-baseline-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const path = join(folder, "baseline.json")
    yield* Effect.promise(() => writeFile(path, text))
    return Option.some(path)
  })

const audit = { findings: [{ title: "x", signatures: { primary: "p", located: "l", moved: "m" } }], silenced: [] }
const sarif = {
  version: "2.1.0",
  runs: [{ results: [{ ruleId: "a.b", partialFingerprints: { "assay/v1": "p", "assayLocated/v1": "l" } }] }]
}

describe("a baseline", () => {
  for (const [name, document] of Object.entries({ JSON: audit, SARIF: sarif })) {
    it.scoped(`is the ${name} that an audit wrote`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* readBaseline(yield* fileOf(JSON.stringify(document))), ["l p"])
      })
    )
  }

  it.effect("is empty where none is named", () =>
    Effect.map(readBaseline(Option.none()), (signatures) => assert.deepStrictEqual(signatures, []))
  )

  it.scoped("is rejected with the way out when it is something else", () =>
    Effect.gen(function* () {
      const other = yield* Effect.flip(readBaseline(yield* fileOf("{}")))
      assert.match(other.message, /is no result of an audit\. Write one with: assay audit --json/)
      const text = yield* Effect.flip(readBaseline(yield* fileOf("no")))
      assert.match(text.message, /is not JSON\.$/)
      const absent = yield* Effect.flip(readBaseline(Option.some("/nowhere/baseline.json")))
      assert.match(absent.message, /^assay: --baseline: cannot read \/nowhere\/baseline\.json: /)
    })
  )
})
