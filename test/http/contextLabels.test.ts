import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, aProject, aWorkspace } from "../support/builders.ts"
import { rpc, structureOf } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const note = { kind: "note", title: "Deploys", summary: "How we deploy." }

interface Labelled {
  readonly key: string
  readonly etag: string
  readonly labels: ReadonlyArray<string>
  readonly level: string
}

const aTeam = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const { api_key } = yield* aKey(owner)
  yield* aProject(owner, { name: "Retail", kind: "area" })
  yield* aProject(owner, { name: "Cart", parent: "retail" })
  return { person: owner.session, api_key }
})

const at = (slug: string, rest = "") => `/api/projects/${slug}/context/entries${rest}`
const written = ({ text }: { readonly text: string }): Labelled => JSON.parse(text)
const read = (as: string, path: string) => Effect.map(send({ as, path }), written)

layer(TestApp)("labels of context entries", (it) => {
  it.effect("are set by people, and inherited with the entry: in lists, digests and entries, over REST and MCP", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* aTeam
      const json = { key: "deploys", ...note, scope: "subtree", labels: ["policy", "payments"] }
      const created = yield* send({ as: person, path: at("retail"), json })
      assert.deepStrictEqual([created.status, written(created).labels], [201, ["policy", "payments"]])
      const inherited = yield* read(api_key, at("cart", "/deploys"))
      assert.deepStrictEqual([inherited.level, inherited.labels], ["inherited", ["policy", "payments"]])
      for (const path of [at("cart"), at("cart", "/digest")]) {
        const body = jsonOf(yield* send({ as: api_key, path })) as {
          readonly data?: ReadonlyArray<Labelled>
          readonly entries?: ReadonlyArray<Labelled>
        }
        assert.deepStrictEqual((body.data ?? body.entries ?? [])[0]?.labels, ["policy", "payments"], path)
      }
      for (const [name, args] of [
        ["get_context_entry", { project: "cart", key: "deploys" }],
        ["get_context_digest", { project: "cart" }]
      ] as const) {
        const { result } = yield* rpc(api_key, "tools/call", { name, arguments: args })
        const value = structureOf<Labelled & { readonly entries?: ReadonlyArray<Labelled> }>(result)
        assert.deepStrictEqual((value.entries?.[0] ?? value).labels, ["policy", "payments"], name)
      }
    })
  )

  it.effect("stay when a change leaves them out, a key's too, and are in the history when one replaces them", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* aTeam
      const path = at("cart", "/deploys")
      const first = written(
        yield* send({ as: person, path: at("cart"), json: { key: "deploys", ...note, labels: ["a"] } })
      )
      const change = (as: typeof person | string, method: string, etag: string, json: object) =>
        Effect.map(send({ as, path, method, headers: { "if-match": etag }, json }), written)
      const patched = yield* change(api_key, "PATCH", first.etag, { title: "By a key", labels: null })
      const put = yield* change(api_key, "PUT", patched.etag, note)
      assert.deepStrictEqual([patched.labels, put.labels], [["a"], ["a"]])
      const replaced = yield* change(person, "PUT", put.etag, { ...note, labels: ["b", "c"] })
      const cleared = yield* change(person, "PATCH", replaced.etag, { labels: [] })
      assert.deepStrictEqual([replaced.labels, cleared.labels], [["b", "c"], []])
      const { data } = jsonOf(yield* send({ as: api_key, path: `${path}/history` })) as {
        readonly data: ReadonlyArray<{ readonly prev: { readonly labels: unknown }; readonly detail: unknown }>
      }
      assert.deepStrictEqual(
        data.map(({ prev, detail }) => [prev.labels, detail]),
        [
          [["b", "c"], { changed: ["labels"] }],
          [["a"], { changed: ["labels"] }],
          [["a"], { changed: ["title"] }],
          [["a"], { changed: ["title"] }],
          [null, null]
        ]
      )
    })
  )

  it.effect("sent by a key are rejected, with nothing written: 403 session_required; tools have no such argument", () =>
    Effect.gen(function* () {
      const { person, api_key } = yield* aTeam
      const { etag } = written(yield* send({ as: person, path: at("cart"), json: { key: "deploys", ...note } }))
      const headers = { "if-match": etag }
      const calls = [
        { path: at("cart"), json: { key: "new", ...note, labels: ["a"] } },
        { path: at("cart", "/new"), method: "PUT", headers: { "if-none-match": "*" }, json: { ...note, labels: [] } },
        { path: at("cart", "/deploys"), method: "PUT", headers, json: { ...note, labels: ["a"] } },
        { path: at("cart", "/deploys"), method: "PATCH", headers, json: { labels: ["a"] } }
      ]
      for (const call of calls) {
        const response = yield* send({ ...call, as: api_key })
        const { code, param } = errorOf(response)
        assert.deepStrictEqual([response.status, code, param], [403, "session_required", "labels"])
      }
      assert.strictEqual((yield* read(api_key, at("cart", "/deploys"))).etag, etag)
      assert.strictEqual(yield* outcome({ as: api_key, path: at("cart", "/new") }), "404 not_found")
      for (const name of ["create_context_entry", "upsert_context_entry", "update_context_entry"]) {
        const args = { project: "cart", key: "new", ...note, labels: ["a"], expected_etag: etag }
        const { result } = yield* rpc(api_key, "tools/call", { name, arguments: args })
        assert.match(JSON.stringify(result?.content), /\[invalid_payload\]/, name)
      }
    })
  )

  it.effect("have the limits of tags, and no credentials", () =>
    Effect.gen(function* () {
      const { person } = yield* aTeam
      const attempt = (key: string, labels: ReadonlyArray<string>) =>
        outcome({ as: person, path: at("cart"), json: { key, ...note, labels } })
      const most = Array.from({ length: 20 }, (_, i) => `${i}`.padStart(64, "x"))
      const secret = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].join("")
      assert.deepStrictEqual(
        yield* Effect.forEach([most, [...most, "more"], ["a", "a"], [" "], ["x".repeat(65)], [secret]], (labels, i) =>
          attempt(`k${i}`, labels)
        ),
        [
          "201",
          "422 labels_invalid",
          "422 labels_invalid",
          "422 labels_invalid",
          "422 field_too_large",
          "422 secret_detected"
        ]
      )
    })
  )
})
