// Held in the short form by: test/services/change_reviews/changeReviews.test.ts (verdicts of two repositories, and what is left
// open), restart.test.ts and fixKill.test.ts (a job goes on at its last checkpoint after a kill).
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { asOwner, Database, TestDatabase } from "../support/Database.ts"
import { endedJob, killedAfterEach } from "../support/fixLoop.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, call, createKeys, readEvents, type ServerOptions } from "../support/server.ts"

/** Where a change review is after each of its checkpoints. */
const boundaries = ["prepare", "inspect", "ask"]

interface Review {
  readonly name: string
  readonly readiness: string
  readonly stale: boolean
  readonly job_id: string
  readonly criteria: ReadonlyArray<{ readonly text: string; readonly verdict: string; readonly reason: string }>
}

/** Its loop never ends. */
const limited = `export const mayRetry = (times: number) => {
  for (let left = 9; left > 0; left++) console.info(times)
  return false
}
`

/** Two repositories with a branch each. */
const twoRepositories = () => {
  const shop = aRepository({ "README.md": "# Shop\n", "src/db.ts": "export const db = 1\n" }, { bare: true })
  shop.git("branch", "pay/retry", "main")
  shop.commit({ "src/retries.ts": limited, "docs/retry.md": "Retries wait.\n" }, { branch: "pay/retry" })
  const site = aRepository({ "index.ts": "export const index = 1\n" }, { bare: true })
  site.git("branch", "pay/retry", "main")
  site.commit(
    { "logo.png": Buffer.from([137, 80, 78, 71, 0, 1]), "index.ts": "export const index = 2\n" },
    { branch: "pay/retry" }
  )
  return { shop, site }
}

const expected = [
  "not_met: No new P0/P1 observation",
  "met: Documentation mentions retries",
  "met: No secret",
  "cannot_tell: Support knows about retries"
]

layer(Database, { excludeTestServices: true })("a change review", (it) => {
  it.scoped(
    "killed after each of its stages gives every verdict once, and an image keeps none open",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const sql = yield* SqlClient.SqlClient
        const dataDir = yield* aTemporaryFolder
        const repositories = twoRepositories()
        const env = {
          DATABASE_URL: Redacted.value(url),
          ASSAY_LOCAL_REPO_ROOTS: Object.values(repositories)
            .map(({ path }) => path)
            .join(":")
        }
        const options: ServerOptions = { dataDir, env }
        const first = yield* aServer(options)
        const [key = ""] = yield* createKeys(first, scopes, 1)
        yield* asOwner(sql`UPDATE workspaces SET plan = 'paid', features = '{change_reviews}'`)
        for (const [github_repo, { path }] of Object.entries(repositories)) {
          yield* call(first, key, "POST", "/api/repos", { github_org: "acme", github_repo, clone_url: path })
        }
        const started = yield* call<Review>(first, key, "POST", "/api/change-reviews", {
          branches: [
            { repository: "acme/shop@main", branch: "pay/retry" },
            { repository: "acme/site@main", branch: "pay/retry" }
          ],
          criteria: expected.map((line) => ({ text: line.slice(line.indexOf(": ") + 2) }))
        })
        assert.strictEqual(started.status, 201, JSON.stringify(started.body))
        const { name, job_id } = started.body

        const server = yield* killedAfterEach(boundaries, key, job_id, first, aServer(options))
        const job = yield* endedJob(server, key, job_id)
        assert.strictEqual(job.status, "completed", job.error ?? "")
        const { body: review } = yield* call<Review>(server, key, "GET", `/api/change-reviews/${name}`)
        assert.deepStrictEqual(
          review.criteria.map(({ verdict, text }) => `${verdict}: ${text}`),
          expected,
          JSON.stringify(review.criteria)
        )
        assert.deepStrictEqual([review.readiness, review.stale, review.job_id], ["not_ready", false, job_id])

        const ends = (yield* readEvents(server, key, job_id))
          .filter(({ type }) => type === "stage_completed")
          .map(({ stage }) => stage)
        for (const stage of [...boundaries, "decide"]) {
          assert.lengthOf(
            ends.filter((one) => one === stage),
            1,
            stage
          )
        }
        const { body: jobs } = yield* call<{
          readonly data: ReadonlyArray<{ readonly id: string; readonly workflow: string }>
        }>(server, key, "GET", "/api/jobs")
        assert.deepStrictEqual(
          jobs.data.filter(({ workflow }) => workflow === "change_review").map(({ id }) => id),
          [job_id]
        )
        yield* server.stop
      }),
    600_000
  )
})
