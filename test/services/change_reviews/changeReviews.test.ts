import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { ChangeReview } from "../../../src/schema/ChangeReview.ts"
import { RepositoryId } from "../../../src/schema/Ids.ts"
import { ChangeReviews } from "../../../src/services/change_reviews/ChangeReviews.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { aRepository, type Files } from "../../support/gitRepository.ts"
import { as, type Tenant, until } from "../../support/jobs.ts"
import { aWorkplace, localRoot, Workshop } from "../../support/workflows.ts"

/** A route that runs what its caller sends. */
const injectable = (name: string) => `import { exec } from "node:child_process"
import express from "express"
const app = express()
app.get("/${name}", (request, response) => exec("report " + request.query.name, () => response.end()))
app.listen(3000)
`

const switchedOn = (tenant: Tenant) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE workspaces SET plan = 'paid', features = ARRAY['change_reviews']
      WHERE id = ${tenant.caller.workspace_id}`
  })

let counter = 0

/** Another repository of the tenant: `acme/<name>@main`. */
const beside = (tenant: Tenant, name: string, files: Files) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const repository = aRepository(files, { path: `${localRoot}/beside${counter++}`, bare: true })
    const id = yield* newId(RepositoryId)
    yield* sql`
      INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url,
        head_sha, created_at)
      VALUES (${id}, ${tenant.caller.workspace_id}, 'acme', ${name}, 'main', 'anonymous', ${repository.path},
        'c0ffee', '2026-01-01T00:00:00Z')`
    return { repository, id }
  })

const settled = (tenant: Tenant, name: string) =>
  Effect.flatMap(ChangeReviews, (reviews) =>
    until(reviews.get(name), ({ readiness }) => readiness !== "running").pipe(as(tenant))
  )

/** How many branches the review's job scanned. */
const inspectedBy = ({ job_id }: ChangeReview) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const stages = yield* sql<{ readonly output: object }>`
      SELECT output FROM job_stages WHERE job_id = ${job_id} AND stage = 'inspect'`
    return stages[0]?.output
  })

const verdicts = ({ criteria }: ChangeReview) =>
  Object.fromEntries(criteria.map(({ text, verdict, reason }) => [text, `${verdict}: ${reason}`]))

layer(Workshop, { timeout: "10 minutes" })("a change review", (it) => {
  it.effect(
    "judges branches of two repositories by built-in checks, and leaves open what no check decides",
    () =>
      Effect.gen(function* () {
        const reviews = yield* ChangeReviews
        const { repository, tenant } = yield* aWorkplace({
          "src/old.js": injectable("old"),
          "docs/guide.md": "# Guide\n"
        })
        yield* switchedOn(tenant)
        const { repository: web } = yield* beside(tenant, "web", { "index.js": "export const a = 1\n" })
        repository.git("branch", "feature/retry", "main")
        const head = repository.commit(
          { "src/added.js": injectable("added"), "docs/guide.md": "# Guide\n\nSet RETRY_LIMIT.\n" },
          { branch: "feature/retry" }
        )
        web.git("branch", "feature/retry", "main")
        web.commit({ "index.js": "export const a = 2\n" }, { branch: "feature/retry" })
        const { review, created } = yield* reviews
          .start({
            branches: [
              { repository: "api@main", branch: "feature/retry" },
              { repository: "acme/web@main", branch: "feature/retry" }
            ],
            criteria: [
              { text: "no new observation" },
              { text: "documentation mentions RETRY_LIMIT" },
              { text: "the button feels right" },
              { text: "Small", check: { kind: "max_size", files: 2 } }
            ]
          })
          .pipe(as(tenant))
        assert.isTrue(created)
        assert.match(review.name, /^hx-\d+$/)
        assert.strictEqual(review.readiness, "running")
        const done = yield* settled(tenant, review.name)
        const found = verdicts(done)
        assert.match(found["no new observation"] ?? "", /^not_met: /, JSON.stringify(found))
        assert.match(found["documentation mentions RETRY_LIMIT"] ?? "", /^met: /)
        assert.match(found["the button feels right"] ?? "", /^cannot_tell: .*ASSAY_AGENT_COMMAND/)
        assert.match(found.Small ?? "", /^not_met: /)
        assert.strictEqual(done.readiness, "not_ready")
        const [finding] = done.criteria[0]?.evidence ?? []
        assert.deepStrictEqual(finding, {
          repository: "acme/api@main",
          commit: head,
          file_path: "src/added.js",
          line_start: 4,
          line_end: 4
        })
        assert.isFalse(done.stale)

        // The same branches are the same review, and what has its verdict keeps it.
        const again = yield* reviews
          .start({
            branches: [
              { repository: "acme/web@main", branch: "feature/retry" },
              { repository: "acme/api@main", branch: "feature/retry" }
            ]
          })
          .pipe(as(tenant))
        assert.isFalse(again.created)
        assert.strictEqual(again.review.name, review.name)
        yield* settled(tenant, review.name)

        // A push makes it stale; refreshed, it is about the new commit.
        const newer = repository.commit({ "src/added.js": "export const added = 1\n" }, { branch: "feature/retry" })
        // Readers ask the remotes again after a while.
        yield* TestClock.adjust("20 seconds")
        const stale = yield* until(reviews.get(review.name), (one) => one.stale).pipe(as(tenant))
        assert.strictEqual(stale.branches.find(({ repository }) => repository === "acme/api@main")?.latest_sha, newer)
        yield* reviews.refresh(review.name).pipe(as(tenant))
        const fresh = yield* settled(tenant, review.name)
        assert.isFalse(fresh.stale)
        assert.strictEqual(fresh.criteria[0]?.verdict, "met", fresh.criteria[0]?.reason)

        // The branch without a push is not scanned again.
        assert.deepStrictEqual(yield* inspectedBy(fresh), { scanned: 1, reused: 1, problems: [] })

        // A refresh asks for the newest commits, however short ago they were asked for.
        yield* reviews.setCriteria(review.name, { criteria: [{ text: "no new observation" }] }).pipe(as(tenant))
        yield* settled(tenant, review.name)
        const idle = yield* reviews.refresh(review.name).pipe(as(tenant))
        assert.notStrictEqual(idle.readiness, "running")
        web.commit({ "index.js": "export const a = 3\n" }, { branch: "feature/retry" })
        const asked = yield* reviews.refresh(review.name).pipe(as(tenant))
        assert.strictEqual(asked.readiness, "running")
        yield* settled(tenant, review.name)
      }),
    600_000
  )
})
