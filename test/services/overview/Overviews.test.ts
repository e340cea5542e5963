import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ContextEntries } from "../../../src/services/context/ContextEntries.ts"
import { Overviews } from "../../../src/services/overview/Overviews.ts"
import { Todo } from "../../../src/services/overview/Todo.ts"
import { Repositories } from "../../../src/services/repositories/Repositories.ts"
import { jsonb } from "../../../src/services/support/statements.ts"
import { aJob, anObservation, aRegisteredRepository, as, aWorkspace, type Person } from "../../support/builders.ts"
import { aKeyOf, note } from "../../support/context.ts"
import { TestApp } from "../../support/TestApp.ts"

const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }

/** A repository with an audit that ended like this. */
const audited = (owner: Person, end: { readonly status: "completed" | "failed"; readonly result?: unknown }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const repository = yield* aRegisteredRepository(owner)
    const { id } = yield* aJob(owner, repository)
    const { status, result = null } = end
    yield* sql`UPDATE jobs SET status = ${status}, finished_at = '1970-01-01T00:00:00Z', result = ${jsonb(result)},
        error = ${status === "failed" ? "It took too long." : null},
        failure_kind = ${status === "failed" ? "timeout" : null}
      WHERE id = ${id}`
    yield* sql`UPDATE repositories SET last_audit_at = '1969-12-30T00:00:00Z', last_audit_sha = head_sha
      WHERE id = ${repository.id}`
    return { repository, job_id: id }
  }).pipe(Effect.orDie)

layer(TestApp)((it) => {
  describe("the overview of a repository", () => {
    it.effect("counts what is open, and scores the domains whose tools have run", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const result = {
          inventory: { lines: 2000 },
          tools: { domains: { security: ["secret_detection", "regex_dos"] } }
        }
        const { repository } = yield* audited(owner, { status: "completed", result })
        yield* anObservation(owner, repository, { priority: "P0" })
        yield* anObservation(owner, repository, { priority: "P2", kind: "advisory" })
        yield* anObservation(owner, repository, { priority: "P0", closed: true })
        const overview = yield* Effect.flatMap(Overviews, (overviews) => overviews.ofRepository(path)).pipe(as(owner))
        assert.strictEqual(overview.lines, 2000)
        assert.deepStrictEqual(overview.open.by_priority, { P0: 1, P1: 0, P2: 1, P3: 0 })
        assert.deepStrictEqual(overview.open.by_kind, { finding: 1, suggestion: 0, advisory: 1 })
        assert.deepStrictEqual([overview.open.total, overview.open.by_domain.security], [2, 2])
        const [security, quality] = overview.benchmark
        assert.strictEqual(security?.score, 50)
        assert.deepStrictEqual(security?.strengths, ["regex_dos has nothing open."])
        assert.isNull(quality?.score)
        const whole = yield* Effect.flatMap(Overviews, (overviews) => overviews.ofWorkspace()).pipe(as(owner))
        assert.deepStrictEqual([whole.repositories, whole.never_audited, whole.open.total], [1, 0, 2])
        assert.deepStrictEqual(
          whole.worst.map(({ repo_name, open_observations }) => [repo_name, open_observations.P0]),
          [["api@main", 1]]
        )
      })
    )

    it.effect("says whether the newest commit was audited", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const sql = yield* SqlClient.SqlClient
        const overviews = yield* Overviews
        const { repository } = yield* audited(owner, { status: "completed" })
        const fresh = yield* overviews.freshness(path).pipe(as(owner))
        assert.deepInclude(fresh, { head_verified: true, is_current: true, age_days: 2, active_audit_job_id: null })
        yield* sql`UPDATE repositories SET last_audit_sha = 'c0ffee' WHERE id = ${repository.id}`
        const stale = yield* overviews.freshness(path).pipe(as(owner))
        assert.deepInclude(stale, {
          is_current: false,
          advice: "There are commits that no audit has seen; submit an audit."
        })
        yield* sql`UPDATE repositories SET clone_url = '/nowhere', last_audit_sha = head_sha WHERE id = ${repository.id}`
        const unknown = yield* overviews.freshness(path).pipe(as(owner))
        assert.deepInclude(unknown, { head_verified: false, is_current: null })
      })
    )
  })

  describe("the to-do list", () => {
    it.effect("has grave findings, failed jobs and proposals, as far as the caller may read them", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const key = yield* aKeyOf(owner, "agent")
        const { repository, job_id } = yield* audited(owner, { status: "failed" })
        const grave = yield* anObservation(owner, repository, { priority: "P0" })
        const next = yield* anObservation(owner, repository, { priority: "P1" })
        yield* anObservation(owner, repository, { priority: "P2" })
        yield* Effect.flatMap(ContextEntries, (entries) => entries.create(null, note("deploys"))).pipe(as(key))
        const todo = yield* Todo
        const { items, totals, not_shown } = yield* todo.list().pipe(as(owner))
        assert.deepStrictEqual(
          items.map(({ ref, job_id, context_key }) => ref ?? job_id ?? context_key),
          [grave, job_id, next, "deploys"]
        )
        assert.deepStrictEqual(totals, { observation: 2, failed_job: 1, context_entry: 1, fix_pr: 0 })
        assert.deepStrictEqual(not_shown, [])
        const narrow = yield* aKeyOf(owner, "narrow", ["view_repositories"])
        const little = yield* todo.list().pipe(as(narrow))
        assert.deepStrictEqual(little.items, [])
        assert.deepStrictEqual(little.not_shown, ["view_observations", "view_jobs", "view_context"])
      })
    )
  })

  describe("a repository's record", () => {
    it.effect("is previewed without being registered, and changed only to what can be read", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const repositories = yield* Repositories
        const { clone_url } = yield* aRegisteredRepository(owner)
        const preview = (github_repo: string) =>
          repositories.preview({ github_org: "acme", github_repo, clone_url }).pipe(as(owner))
        assert.deepInclude(yield* preview("api"), {
          registered: true,
          github_base_branch: "main",
          branches: ["feature/x", "feature/y", "main"]
        })
        assert.deepInclude(yield* preview("new"), { registered: false, branch_count: 3 })
        const { data } = yield* repositories.list({}).pipe(as(owner))
        assert.strictEqual(data.length, 1)
        const renamed = yield* repositories.update(path, { display_name: "The API", description: "x" }).pipe(as(owner))
        assert.deepInclude(renamed, { display_name: "The API", description: "x", clone_url })
        const cleared = yield* repositories.update(path, { display_name: "" }).pipe(as(owner))
        assert.deepInclude(cleared, { display_name: null, description: "x" })
        const rejected = yield* Effect.flip(repositories.update(path, { clone_url: "/nowhere" }).pipe(as(owner)))
        assert.strictEqual(rejected._tag, "RepositoryUnusable")
        assert.strictEqual((yield* repositories.find(path).pipe(as(owner))).clone_url, clone_url)
      })
    )
  })
})
