import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, aWorkspace } from "../support/builders.ts"
import { rpc, structureOf } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"
import { send } from "../support/wire.ts"

const note = { kind: "note", title: "Deploys", summary: "How we deploy." }
const data = { day: "Tuesday" }

interface Written {
  readonly data: Record<string, unknown>
  readonly etag: string
}

/** Replaces an entry, by one of the interfaces. */
type Replace = (key: string, etag: string, body: Record<string, unknown>) => Effect.Effect<Written, never, never>

layer(TestApp)("replacing a context entry", (it) => {
  it.effect(
    "clears data that is null, keeps data that is left out and takes data that is sent, on both interfaces",
    () =>
      Effect.gen(function* () {
        const { api_key: as } = yield* aKey(yield* aWorkspace())
        const context = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof send>>>()
        const overRest: Replace = (key, etag, body) =>
          send({
            as,
            method: "PUT",
            path: `/api/context/entries/${key}`,
            headers: { "if-match": `"${etag}"` },
            json: { ...note, ...body }
          }).pipe(
            Effect.map((response) => {
              assert.strictEqual(response.status, 200, response.text)
              return JSON.parse(response.text)
            }),
            Effect.provide(context)
          )
        const overMcp: Replace = (key, etag, body) =>
          rpc(as, "tools/call", {
            name: "upsert_context_entry",
            arguments: { key, expected_etag: etag, ...note, ...body }
          }).pipe(
            Effect.flatMap(({ result }) => {
              assert.isUndefined(result?.isError, JSON.stringify(result))
              const { etag } = structureOf<Written>(result)
              return Effect.map(send({ as, path: `/api/context/entries/${key}` }), ({ text }) => {
                const read: Written = JSON.parse(text)
                assert.strictEqual(read.etag, etag)
                return read
              })
            }),
            Effect.provide(context)
          )
        for (const [key, replace] of [
          ["rest", overRest],
          ["mcp", overMcp]
        ] as const) {
          const created = yield* send({ as, path: "/api/context/entries", json: { key, ...note, data } })
          const kept = yield* replace(key, JSON.parse(created.text).etag, {})
          assert.deepStrictEqual(kept.data, data, key)
          const cleared = yield* replace(key, kept.etag, { data: null })
          assert.deepStrictEqual(cleared.data, {}, key)
          const replaced = yield* replace(key, cleared.etag, { data: { day: "Monday" } })
          assert.deepStrictEqual(replaced.data, { day: "Monday" }, key)
        }
      })
  )
})
