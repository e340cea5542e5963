import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { emptyDiscovery } from "../../../src/schema/Discovery.ts"
import { Discoveries } from "../../../src/services/discovery/Discoveries.ts"
import { aRecordedDiscovery } from "../../support/discovery.ts"
import { as, aTenant, aWorkflow, submitted } from "../../support/jobs.ts"
import { servicesWith } from "../../support/services.ts"

const aKnownRepository = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const job = yield* submitted(tenant, "discover")
  yield* aRecordedDiscovery({
    workspace_id: tenant.caller.workspace_id,
    repository_id: tenant.repository_id,
    job_id: job.id
  })
  return tenant
})

layer(servicesWith(aWorkflow("discover")))("guidance", (it) => {
  it.effect("returns the guidance for a file, the narrowest first, and whether it deviates", () =>
    Effect.gen(function* () {
      const tenant = yield* aKnownRepository
      const discoveries = yield* Discoveries
      const guidanceFor = (path: string) =>
        Effect.map(as(tenant)(discoveries.rules(tenant.path, path)), ({ rules, patterns }) => [
          ...rules.map(({ text, deviates }) => (deviates ? `not ${text}` : text)),
          ...patterns.map(({ name }) => name)
        ])
      const everywhere = "Spaces."
      assert.deepStrictEqual(yield* guidanceFor("./src/routes/new.ts"), ["8 of 9 call `guard`.", everywhere, "route"])
      assert.deepStrictEqual(yield* guidanceFor("src/routes/open.ts"), [
        "not 8 of 9 call `guard`.",
        everywhere,
        "route"
      ])
      assert.deepStrictEqual(yield* guidanceFor("src/routes/deep/new.ts"), [everywhere, "route"])
      assert.deepStrictEqual(yield* guidanceFor("src/orders/OrdersRepo.ts"), [
        "5 of 5 call `sql`.",
        everywhere,
        "route"
      ])
      assert.deepStrictEqual(yield* guidanceFor("src/routes/new.test.ts"), [everywhere])
      assert.deepStrictEqual(yield* guidanceFor("README.md"), [everywhere])
    })
  )

  it.effect("shows a pattern by its name, and names those there are when there is no such one", () =>
    Effect.gen(function* () {
      const tenant = yield* aKnownRepository
      const discoveries = yield* Discoveries
      const { file_path, snippet, support } = yield* as(tenant)(discoveries.pattern(tenant.path, "route"))
      assert.deepStrictEqual(
        [file_path, snippet, support],
        ["src/routes/orders.ts", "router.get(…)", { count: 8, of: 9 }]
      )
      const { patterns } = yield* as(tenant)(discoveries.knowledge(tenant.path))
      assert.deepStrictEqual(
        patterns.map(({ name }) => name),
        ["route"]
      )
      const rejection = yield* Effect.flip(as(tenant)(discoveries.pattern(tenant.path, "constructor")))
      assert.include(rejection.message, "it has route")
      const fresh = yield* aTenant()
      const none = yield* Effect.flip(as(fresh)(discoveries.pattern(fresh.path, "route")))
      assert.include(none.message, "has run yet; submit the workflow `discover` first")
      const { id: job_id } = yield* submitted(fresh, "discover")
      const { workspace_id } = fresh.caller
      const { repository_id } = fresh
      yield* discoveries.record({ workspace_id, repository_id, job_id, commit: "c0ffee", output: emptyDiscovery })
      const empty = yield* Effect.flip(as(fresh)(discoveries.pattern(fresh.path, "route")))
      assert.match(empty.message, /^The discovery of \S+ found no recurring pattern in /)
      assert.deepStrictEqual(empty.details, { patterns: [] })
    })
  )

  it.effect("hands out guides and recipes", () =>
    Effect.gen(function* () {
      const tenant = yield* aKnownRepository
      const { guides, skills, commit_sha } = yield* as(tenant)(
        Effect.flatMap(Discoveries, (discoveries) => discoveries.guides(tenant.path))
      )
      assert.deepStrictEqual([guides.map(({ slug }) => slug), skills, commit_sha], [["test"], [], "c0ffee"])
    })
  )
})
