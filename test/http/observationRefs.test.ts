import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { rpc, textOf } from "../support/mcp.ts"
import { aWorld, repositoryArgs, samples, toolSamples } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, outcome, send } from "../support/wire.ts"

/** Beyond every column that could hold them, at its edge, and plainly absent. */
const absent = ["OBS-2147483647", "OBS-2147483648", "OBS-4294967297", "OBS-9999999999"]
const jobs = "/api/repos/acme/api/main/jobs"

layer(TestApp)("a reference that no observation has", (it) => {
  it.effect("is 404 not_found on every route and in every tool that takes one", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const found: Array<string> = []
      for (const ref of absent) {
        const named = { ...world, open: world.open.map(() => ref), closed: ref }
        const routes = Object.entries(samples(named)).filter(([, { call }]) => call.path.includes(ref))
        const tools = Object.entries(toolSamples(named)).filter(([, args]) => args.ref === ref)
        assert.isAtLeast(routes.length, 10)
        assert.isAtLeast(tools.length, 10)
        // Another key for each reference: its buckets are full.
        const { api_key: as } = yield* aKey(world.owner)
        for (const [name, { call }] of routes) found.push(`${name} ${yield* outcome({ ...call, as })}`)
        for (const [name, args] of tools) {
          const { result } = yield* rpc(as, "tools/call", { name, arguments: args })
          const code = /^\[\w+\]/.exec(textOf(result!))?.[0]
          found.push(`${name} ${code === "[not_found]" ? "404 not_found" : code}`)
        }
      }
      assert.deepStrictEqual(
        found.filter((line) => !line.endsWith(" 404 not_found")),
        []
      )
    })
  )

  it.effect("is 422 in the params of revalidate, which names every such reference", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      const known = yield* anObservation(owner, yield* aRegisteredRepository(owner))
      const elsewhere = yield* anObservation(owner, yield* aRegisteredRepository(owner, "web"))
      const submit = (refs: ReadonlyArray<string>) =>
        send({ as, path: jobs, json: { workflow: "revalidate", params: { refs } } })
      const rejected = yield* submit([known, ...absent, elsewhere])
      const { code, message, param, errors, details } = errorOf(rejected)
      assert.deepStrictEqual([rejected.status, code, param, errors], [422, "invalid_payload", "params", undefined])
      assert.deepStrictEqual(details, { unknown_refs: [...absent, elsewhere] })
      for (const ref of [...absent, elsewhere]) assert.include(message, ref)
      assert.notMatch(message, new RegExp(`${known}\\b`))
      const many = yield* submit(Array.from({ length: 200 }, (_, i) => `OBS-${5000 + i}`))
      assert.isBelow(errorOf(many).message.length, 500)
      assert.strictEqual((yield* submit([known])).status, 201)
      const { result } = yield* rpc(as, "tools/call", {
        name: "submit_job",
        arguments: { ...repositoryArgs, workflow: "revalidate" }
      })
      assert.isUndefined(result?.isError)
    })
  )

  it.effect("does not keep an Idempotency-Key from returning the job that it stands for", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      const known = yield* anObservation(owner, yield* aRegisteredRepository(owner))
      const submit = (ref: string) =>
        send({
          as,
          path: jobs,
          json: { workflow: "revalidate", params: { refs: [ref] } },
          headers: { "idempotency-key": "once" }
        })
      const first = yield* submit(known)
      const again = yield* submit("OBS-9999999999")
      assert.deepStrictEqual([first.status, again.status], [201, 200])
      assert.strictEqual(JSON.parse(again.text).id, JSON.parse(first.text).id)
    })
  )
})
