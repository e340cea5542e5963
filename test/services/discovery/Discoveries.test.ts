import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema, TestClock } from "effect"
import { DiscoveryFiles, emptyDiscovery, RepositoryKnowledge } from "../../../src/schema/Discovery.ts"
import { Discoveries } from "../../../src/services/discovery/Discoveries.ts"
import { Repositories } from "../../../src/services/repositories/Repositories.ts"
import { as, aTenant, aWorkflow, ended, submitted, type Tenant } from "../../support/jobs.ts"
import { observationsIn, servicesWith } from "../../support/services.ts"

const files = (tenant: Tenant) =>
  Effect.flatMap(Discoveries, (discoveries) => discoveries.files(tenant.path)).pipe(
    as(tenant),
    Effect.tap((found) => Effect.orDie(Schema.encode(DiscoveryFiles)(found)))
  )

const knowledge = (tenant: Tenant, limit?: number) =>
  Effect.flatMap(Discoveries, (discoveries) => discoveries.knowledge(tenant.path, limit)).pipe(
    as(tenant),
    Effect.tap((found) => Effect.orDie(Schema.encode(RepositoryKnowledge)(found)))
  )

const output = {
  ...emptyDiscovery,
  hyrax_md: "Read this first.",
  principles_md: "Be plain.",
  patterns_md: "Repos hold SQL.",
  guides: [{ slug: "routes", title: "Add a route", description: null, content: "Start at the schema.\u0000" }],
  skills: [{ name: "review", content: "…", description: null, extends: "base" }],
  profile: { languages: { TypeScript: 0.9 } },
  guidance_slots: { tests: { runner: "vitest" } },
  stage_metrics: { survey: { files: 12 } },
  unknown_skill_extends: ["base"],
  unverified_symbols_skipped_time: { guides: ["handler"] }
}

const recorded = (tenant: Tenant, given: typeof output | typeof emptyDiscovery = output) =>
  Effect.gen(function* () {
    const discoveries = yield* Discoveries
    const job = yield* submitted(tenant, "discover", { depth: Math.ceil(Math.random() * 1e9) })
    yield* ended(job.id, "completed")
    yield* discoveries.record({
      workspace_id: tenant.caller.workspace_id,
      repository_id: tenant.repository_id,
      job_id: job.id,
      commit: "c0ffee",
      output: given
    })
  })

layer(servicesWith(aWorkflow("discover")))("discovery", (it) => {
  it.effect("that never ran answers every field, empty", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      assert.deepStrictEqual(yield* files(tenant), {
        ...emptyDiscovery,
        last_discovery_at: null,
        last_failure: null
      })
      assert.deepStrictEqual(yield* knowledge(tenant), {
        repo_name: "api@main",
        last_discovery_at: null,
        commit_sha: null,
        profile: null,
        principles: null,
        conventions: [],
        patterns: [],
        directives: [],
        directives_truncated: false
      })
    })
  )

  it.effect("answers the newest output, with what the database cannot hold replaced", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* TestClock.setTime(Date.UTC(2026, 5, 1))
      yield* recorded(tenant, emptyDiscovery)
      yield* TestClock.setTime(Date.UTC(2026, 5, 2))
      yield* recorded(tenant)
      const stored = { ...output, guides: [{ ...output.guides[0]!, content: "Start at the schema.\ufffd" }] }
      const last_discovery_at = "2026-06-02T00:00:00.000Z"
      assert.deepStrictEqual(yield* files(tenant), { ...stored, last_discovery_at, last_failure: null })
      const repository = yield* as(tenant)(Effect.flatMap(Repositories, (service) => service.find(tenant.path)))
      assert.strictEqual(repository.last_discovery_at, last_discovery_at)
    })
  )

  it.effect("that failed last is reported, and the previous output stays", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* recorded(tenant)
      yield* TestClock.setTime(Date.UTC(2026, 5, 3))
      const job = yield* submitted(tenant, "discover")
      yield* ended(job.id, "failed")
      const found = yield* files(tenant)
      assert.strictEqual(found.principles_md, "Be plain.")
      assert.deepStrictEqual(found.last_failure, {
        job_id: job.id,
        status: "failed",
        error: "Too slow.",
        failed_at: "2026-06-03T00:00:00.000Z"
      })
    })
  )

  it.effect("of another workspace's repository is not there", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* aTenant(), yield* aTenant()]
      const sql = yield* SqlClient.SqlClient
      yield* recorded(tenant)
      yield* sql`UPDATE repositories SET deleted_at = created_at WHERE id = ${stranger.repository_id}`
      assert.strictEqual((yield* Effect.flip(files(stranger)))._tag, "RepositoryNotFound")
      assert.strictEqual((yield* Effect.flip(knowledge(stranger)))._tag, "RepositoryNotFound")
    })
  )

  it.effect("and open P0 and P1 observations make the knowledge of a repository, the most severe first", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      yield* recorded(tenant)
      const refs = yield* observationsIn(tenant, [
        { priority: "P1", confidence: 0.5 },
        { priority: "P0", confidence: 0.5 },
        { priority: "P0", confidence: 0.9 },
        { priority: "P2" },
        { priority: "P0", close_reason: "fixed" },
        { priority: "P0" }
      ])
      yield* sql`UPDATE observations SET open_fix_pr = true
        WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${Number(refs[5]!.slice(4))}`
      const found = yield* knowledge(tenant)
      assert.deepStrictEqual(
        found.directives.map(({ ref }) => ref),
        [refs[2], refs[1], refs[0]]
      )
      assert.deepStrictEqual(
        [found.directives[0]?.file_path, found.directives[0]?.line_start, found.directives_truncated],
        ["src/index.ts", 3, false]
      )
      assert.deepStrictEqual(
        found.conventions.map(({ slug }) => slug),
        ["overview", "patterns", "routes"]
      )
      assert.deepStrictEqual([found.principles, found.commit_sha], ["Be plain.", "c0ffee"])
      const cut = yield* knowledge(tenant, 2)
      assert.deepStrictEqual([cut.directives.length, cut.directives_truncated], [2, true])
    })
  )
})
