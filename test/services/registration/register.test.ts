import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Ref, TestClock } from "effect"
import type { RegisterRepository } from "../../../src/schema/Repository.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { OverviewsRepo } from "../../../src/services/overview/OverviewsRepo.ts"
import { CodeHostError, type CodeHostReason } from "../../../src/services/ports/CodeHost.ts"
import { RepositoryLifecycle } from "../../../src/services/registration/RepositoryLifecycle.ts"
import { Repositories } from "../../../src/services/repositories/Repositories.ts"
import { as, aTenant, aWorkflow, ended, type Tenant } from "../../support/jobs.ts"
import { RemoteAnswer, servicesWith } from "../../support/services.ts"

const web: RegisterRepository = { github_org: "acme", github_repo: "web", access_mode: "anonymous" }

const register = (tenant: Tenant, request: RegisterRepository = web) =>
  Effect.flatMap(RepositoryLifecycle, (lifecycle) => lifecycle.register(request)).pipe(as(tenant))

const jobsOf = (tenant: Tenant) =>
  Effect.flatMap(Jobs, (jobs) => jobs.list({})).pipe(
    Effect.map(({ data }) => data.map(({ workflow, repo_name, status }) => [workflow, repo_name, status])),
    as(tenant)
  )

/** The remote fails for this one effect. */
const whileRemote =
  (reason: CodeHostReason) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const answer = yield* RemoteAnswer
      const before = yield* Ref.getAndSet(answer, Effect.fail(new CodeHostError({ reason, message: "It said no." })))
      return yield* Effect.ensuring(effect, Ref.set(answer, before))
    })

const services = OverviewsRepo.Default.pipe(
  Layer.provideMerge(servicesWith(aWorkflow("standard_audit"), aWorkflow("discover")))
)

/** Time passes while the database answers at its own pace. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* Effect.raceFirst(effect, Effect.forever(Effect.zipRight(TestClock.adjust("1 second"), sql`SELECT 1`)))
  })

layer(services)("a registration", (it) => {
  it.effect("from a host that never answers is rejected in less than ten seconds", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const answer = yield* RemoteAnswer
      const before = yield* Ref.getAndSet(answer, Effect.never)
      const error = yield* whileTimePasses(Effect.flip(register(tenant, { ...web, github_repo: "silent" }))).pipe(
        Effect.ensuring(Ref.set(answer, before))
      )
      assert.strictEqual(error._tag, "RepositoryUnverified")
    })
  )

  it.effect("queues a discovery of the commit it saw", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const repository = yield* register(tenant)
      assert.deepStrictEqual([repository.repo_name, repository.head_sha], ["web@main", "c0ffee"])
      const { data } = yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.list({})))
      assert.deepStrictEqual(
        data.map(({ workflow, repo_name, status, commit_sha }) => [workflow, repo_name, status, commit_sha]),
        [["discover", "web@main", "pending", "c0ffee"]]
      )
      assert.deepStrictEqual(data[0]?.requested_by, tenant.caller.actor)
    })
  )

  it.effect("queues none over the agent server, which registers and nothing more", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* as(tenant)(Effect.flatMap(Repositories, (repositories) => repositories.register(web)))
      assert.deepStrictEqual(yield* jobsOf(tenant), [])
    })
  )

  it.effect("queues none while automatic discovery is paused, when limits reject it, or when one was completed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const paused = yield* aTenant()
      yield* sql`UPDATE workspaces SET discovery_paused = true WHERE id = ${paused.caller.workspace_id}`
      yield* register(paused)
      assert.deepStrictEqual(yield* jobsOf(paused), [])

      for (const limit of ["max_queued = 0", "credit_usd = 0", "spend_paused = true", "job_cap_usd = 0.000000001"]) {
        const limited = yield* aTenant()
        yield* sql.unsafe(`UPDATE workspaces SET ${limit} WHERE id = '${limited.caller.workspace_id}'`)
        assert.strictEqual((yield* register(limited)).repo_name, "web@main")
        assert.deepStrictEqual(yield* jobsOf(limited), [], limit)
      }

      const again = yield* aTenant()
      const lifecycle = yield* RepositoryLifecycle
      const repository = yield* register(again)
      yield* sql`UPDATE repositories SET last_discovery_at = '2026-01-01T00:00:00Z' WHERE id = ${repository.id}`
      yield* as(again)(lifecycle.remove(repository))
      assert.strictEqual((yield* register(again)).id, repository.id)
      assert.deepStrictEqual(yield* jobsOf(again), [["discover", "web@main", "cancelled"]])
    })
  )

  it.effect("of a repository that is there is rejected with its name; one that was deleted comes back", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const first = yield* register(tenant)
      const rejection = yield* Effect.flip(register(tenant))
      assert.strictEqual(rejection._tag, "RepositoryAlreadyRegistered")
      assert.deepStrictEqual(rejection.details, { repo_name: "web@main", github_org: "acme" })
      const lifecycle = yield* RepositoryLifecycle
      yield* as(tenant)(lifecycle.remove(first))
      assert.strictEqual((yield* register(tenant)).id, first.id)
    })
  )

  it.effect("that is undone takes its jobs out of the lists, not out of reach; made again, it brings them back", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const repository = yield* register(tenant)
      const jobs = yield* Jobs
      const overviews = yield* OverviewsRepo
      const failed = Effect.map(
        overviews.workspace({
          workspace_id: tenant.caller.workspace_id,
          since: "1969-01-01T00:00:00.000Z",
          hiddenLevels: []
        }),
        (totals) => totals.failed
      )
      const { data } = yield* as(tenant)(jobs.list({}))
      const { id } = data[0]!
      yield* ended(id, "failed")
      const before = yield* as(tenant)(jobs.get(id))
      assert.strictEqual(yield* failed, 1)
      yield* as(tenant)(Effect.flatMap(RepositoryLifecycle, (lifecycle) => lifecycle.remove(repository)))
      assert.deepStrictEqual(yield* jobsOf(tenant), [])
      assert.deepStrictEqual((yield* as(tenant)(jobs.listActive({}))).data, [])
      assert.strictEqual(yield* failed, 0)
      assert.deepStrictEqual(yield* as(tenant)(jobs.get(id)), before)
      yield* register(tenant)
      assert.include(
        (yield* as(tenant)(jobs.list({}))).data.map((job) => job.id),
        id
      )
    })
  )

  it.effect("at the same time as another of the same repository: one of them wins", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const outcomes = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.either(register(tenant))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Right").length, 1)
      assert.strictEqual((yield* jobsOf(tenant)).length, 1)
    })
  )

  it.effect("fails by what the remote reports", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const rejection = (reason: CodeHostReason, access_mode: "anonymous" | "installed") =>
        Effect.map(
          Effect.flip(register(tenant, { ...web, access_mode })).pipe(whileRemote(reason)),
          ({ _tag, spec }) => `${spec.status} ${spec.code} ${_tag}`
        )
      assert.strictEqual(
        yield* rejection("not_found", "anonymous"),
        "400 repo_no_longer_public RepositoryNoLongerPublic"
      )
      assert.strictEqual(
        yield* rejection("authentication", "anonymous"),
        "400 repo_no_longer_public RepositoryNoLongerPublic"
      )
      assert.strictEqual(yield* rejection("not_found", "installed"), "400 bad_request RepositoryUnusable")
      assert.strictEqual(yield* rejection("unreachable", "anonymous"), "503 repo_unverified RepositoryUnverified")
      assert.strictEqual(yield* rejection("timeout", "installed"), "503 repo_unverified RepositoryUnverified")
      assert.deepStrictEqual(yield* jobsOf(tenant), [])
    })
  )

  it.effect("of a branch that is not there, or of a repository without commits, is rejected", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const missing = yield* Effect.flip(register(tenant, { ...web, github_base_branch: "dev" }))
      assert.deepStrictEqual(
        [missing._tag, missing.message],
        ["RepositoryUnusable", "The repository has no branch dev."]
      )
      const answer = yield* RemoteAnswer
      const before = yield* Ref.getAndSet(answer, Effect.succeed({ default_branch: null, heads: new Map() }))
      const empty = yield* Effect.ensuring(Effect.flip(register(tenant)), Ref.set(answer, before))
      assert.deepStrictEqual([empty._tag, empty.message], ["RepositoryUnusable", "The repository has no commits."])
    })
  )

  it.effect("is found by each form of its slug; a name that two owners have names both", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const answer = yield* RemoteAnswer
      const heads = new Map(["main", "feat/one", "a@b", "v1/x@y/z"].map((branch) => [branch, "c0ffee"]))
      const before = yield* Ref.getAndSet(answer, Effect.succeed({ default_branch: "main", heads }))
      const repositories = yield* Repositories
      const resolve = (slug: string) => as(tenant)(repositories.resolveSlug(slug))
      const added = (github_org: string, github_base_branch: string) =>
        register(tenant, { github_org, github_repo: "lib", github_base_branch })
      yield* Effect.gen(function* () {
        for (const branch of heads.keys()) {
          const { id } = yield* added("acme", branch)
          assert.strictEqual(yield* resolve(`lib@${branch}`), id)
          assert.strictEqual(yield* resolve(`acme/lib@${branch}`), id)
          assert.strictEqual((yield* Effect.flip(resolve(`other/lib@${branch}`)))._tag, "RepositoryNotFound")
        }
        const duplicate = yield* added("beta", "feat/one")
        const rejection = yield* Effect.flip(resolve("lib@feat/one"))
        assert.deepStrictEqual(
          [rejection._tag, rejection.spec.status, rejection.spec.code, rejection.details],
          ["AmbiguousRepository", 400, "bad_request", { candidates: ["acme/lib@feat/one", "beta/lib@feat/one"] }]
        )
        assert.strictEqual(yield* resolve("beta/lib@feat/one"), duplicate.id)
        for (const slug of ["", "lib", "lib@", "@main", "acme/lib", "/", "lib@nothing", "acme/lib@main/"]) {
          assert.strictEqual((yield* Effect.flip(resolve(slug)))._tag, "RepositoryNotFound", slug)
        }
      }).pipe(Effect.ensuring(Ref.set(answer, before)))
    })
  )
})

layer(servicesWith(aWorkflow("standard_audit")))("a registration where no discovery is served", (it) => {
  it.effect("queues none and says nothing of it", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      assert.strictEqual((yield* register(tenant)).repo_name, "web@main")
      assert.deepStrictEqual(yield* jobsOf(tenant), [])
    })
  )
})
