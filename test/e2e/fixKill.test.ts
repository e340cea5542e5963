import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import {
  endedJob,
  findingOfUnsafeLoader,
  killedAfterEach,
  type LoopJob,
  type ObservationDetail,
  unsafeLoader
} from "../support/fixLoop.ts"
import { inForm } from "../support/forms.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, call, createKeys, type ServerOptions } from "../support/server.ts"

/** Where a fix is after each of its checkpoints. */
const boundaries = ["prepare", "still_present", "edit", "check", "check_2", "check_3", "push", "pull_request"]
/** After the one that changes the repository. */
const killedAt = inForm({ short: ["push"], long: boundaries })

interface Event {
  readonly stage: string
  readonly type: string
  readonly data: { readonly cost_usd?: number } | null
}

layer(Database, { excludeTestServices: true })("a fix on plain git", (it) => {
  it.scoped(`killed after ${killedAt.join(", ")} comes to one branch, one attempt and a cost that counts once`, () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const dataDir = yield* aTemporaryFolder
      const repository = aRepository({ "app/settings.py": unsafeLoader }, { bare: true })
      const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
      const options: ServerOptions = { dataDir, env }
      const first = yield* aServer(options)
      const [key = ""] = yield* createKeys(first, scopes, 1)
      yield* call(first, key, "POST", "/api/repos", {
        github_org: "acme",
        github_repo: "shop",
        clone_url: repository.path
      })
      const audit = yield* call<LoopJob>(first, key, "POST", "/api/repos/acme/shop/main/jobs", { workflow: "audit" })
      yield* endedJob(first, key, audit.body.id)
      const { ref } = yield* findingOfUnsafeLoader(first, key)
      const { body } = yield* call<{ readonly job_id: string }>(first, key, "POST", `/api/observations/${ref}/fix`)
      const { job_id } = body

      const server = yield* killedAfterEach(killedAt, key, job_id, first, aServer(options))
      const job = yield* endedJob(server, key, job_id)
      assert.strictEqual(job.status, "completed", job.error ?? "")

      const branch = `assay/fix-${ref.toLowerCase()}`
      assert.strictEqual(repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay"), branch)
      assert.strictEqual(repository.git("rev-list", "--count", `main..${branch}`), "1")
      const { body: detail } = yield* call<ObservationDetail>(server, key, "GET", `/api/observations/${ref}`)
      assert.lengthOf(detail.attempts, 1)
      assert.deepInclude(detail.attempts[0], { job_ids: [job_id], outcome: "started", status: "in_review" })
      const events = yield* call<{ readonly data: ReadonlyArray<Event> }>(
        server,
        key,
        "GET",
        `/api/jobs/${job_id}/events?limit=200`
      )
      const ends = events.body.data.filter(({ type }) => type === "stage_completed").map(({ stage }) => stage)
      assert.strictEqual(new Set(ends.filter((stage) => boundaries.includes(stage))).size, boundaries.length)
      const reported = events.body.data.reduce((sum, { data }) => sum + (data?.cost_usd ?? 0), 0)
      assert.closeTo(job.cost_usd, reported, 1e-6)
      yield* server.stop
    })
  )
})
