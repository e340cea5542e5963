import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { emptyDiscovery } from "../../src/schema/Discovery.ts"
import { Discoveries } from "../../src/services/discovery/Discoveries.ts"
import { aJob, aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { rpc, structureOf, textOf } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"

layer(TestApp)("get_repository_knowledge", (it) => {
  it.effect("stays within the size limit of a result, however much the discovery wrote", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const repository = yield* aRegisteredRepository(owner)
      const job = yield* aJob(owner, repository)
      const discoveries = yield* Discoveries
      const long = "Say it once. ".repeat(10_000)
      yield* discoveries.record({
        workspace_id: owner.workspace_id,
        repository_id: repository.id,
        job_id: job.id,
        commit: "c0ffee",
        output: {
          ...emptyDiscovery,
          principles_md: long,
          patterns_md: long,
          guides: Array.from({ length: 40 }, (_, n) => ({
            slug: `guide-${n}`,
            title: null,
            description: null,
            content: long
          }))
        }
      })
      for (let n = 0; n < 25; n++) yield* anObservation(owner, repository, { priority: "P0" })
      const { result } = yield* rpc(api_key, "tools/call", {
        name: "get_repository_knowledge",
        arguments: { github_org: "acme", github_repo: "api", github_base_branch: "main" }
      })
      assert.isBelow(textOf(result!).length, 32_000)
      const { directives, directives_truncated, conventions } = structureOf<{
        readonly directives: ReadonlyArray<unknown>
        readonly directives_truncated: boolean
        readonly conventions: ReadonlyArray<unknown>
      }>(result)
      assert.deepStrictEqual([directives.length, directives_truncated, conventions.length], [20, true, 10])
    })
  )
})
