import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { RepositoryBrief } from "../../src/schema/Overview.ts"
import { ContextEntries } from "../../src/services/context/ContextEntries.ts"
import { aKey, anObservation, aRegisteredRepository, as, aWorkspace } from "../support/builders.ts"
import { note } from "../support/context.ts"
import { rpc, structureOf, textOf } from "../support/mcp.ts"
import { repositoryArgs } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"

const briefWith = (api_key: string) =>
  Effect.map(rpc(api_key, "tools/call", { name: "get_repository_brief", arguments: repositoryArgs }), ({ result }) => {
    assert.notStrictEqual(result?.isError, true, textOf(result!))
    return { characters: textOf(result!).length, brief: structureOf<RepositoryBrief>(result) }
  })

layer(TestApp, { timeout: 600_000 })("the brief of a repository", (it) => {
  it.effect("has its state, its most severe findings and the team context that applies", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const ref = yield* anObservation(owner, repository, { priority: "P0" })
      yield* anObservation(owner, repository, { priority: "P3" })
      yield* Effect.flatMap(ContextEntries, (entries) => entries.create(null, note("money"))).pipe(as(owner))
      const { brief } = yield* briefWith((yield* aKey(owner)).api_key)
      assert.strictEqual(brief.repo_name, "api@main")
      assert.isFalse(brief.is_current)
      assert.strictEqual(brief.open.total, 2)
      assert.deepStrictEqual(
        brief.directives.map((directive) => directive.ref),
        [ref]
      )
      assert.deepStrictEqual(
        brief.context.map(({ key }) => key),
        ["money"]
      )
      assert.deepStrictEqual(brief.not_shown, [])
    })
  )

  it.effect("leaves out what the key may not read, and says so", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      yield* anObservation(owner, repository, { priority: "P0" })
      yield* Effect.flatMap(ContextEntries, (entries) => entries.create(null, note("money"))).pipe(as(owner))
      const { brief } = yield* briefWith((yield* aKey(owner, { scopes: ["view_repositories"] })).api_key)
      assert.deepStrictEqual([brief.directives, brief.context], [[], []])
      assert.deepStrictEqual(brief.not_shown, ["view_observations", "view_context"])
    })
  )
})
