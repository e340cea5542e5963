import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, aWorkspace } from "../support/builders.ts"
import { conformance } from "../support/conformance.ts"
import { App, TestApp } from "../support/TestApp.ts"

const expected = (revision: string) =>
  fileURLToPath(new URL(`../fixtures/mcp/expected-${revision}.yml`, import.meta.url))

layer(TestApp, { excludeTestServices: true })("the protocol's conformance suite", (it) => {
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    it.effect(
      `finds nothing but the expected against revision ${revision}`,
      () =>
        Effect.gen(function* () {
          const { url } = yield* App
          const owner = yield* aWorkspace()
          const keys = yield* Effect.forEach(Array.from({ length: 20 }), () => aKey(owner))
          const apiKeys = keys.map(({ api_key }) => api_key)
          const { code, output } = yield* conformance(url, apiKeys, revision, expected(revision))
          assert.strictEqual(code, 0, output.slice(-4000))
        }),
      600_000
    )
  }
})
