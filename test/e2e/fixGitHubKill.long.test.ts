// Held in the short form by: fixGitHub.test.ts (the same loop without kills), fixKill.test.ts (a fix killed after its push comes to
// one branch and one attempt), test/layers/github/GitHubCodeHost.test.ts (a pull request is found again after a lost answer).
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { asOwner, Database } from "../support/Database.ts"
import { endedJob, killedAfterEach } from "../support/fixLoop.ts"
import { aGitHubWorld, detailOf, mergedAndClosed, submittedFix } from "../support/fixOnGitHub.ts"
import type { GitHubServer } from "../support/GitHubServer.ts"
import { headOf } from "../support/github/state.ts"
import { signIn } from "../support/server.ts"

const opening = "POST /repos/{owner}/{repo}/pulls"

/** Holds the first call that opens a pull request, until `release` lets it have its effect. */
const heldOpening = (github: GitHubServer) => {
  let release = () => {}
  let reach = () => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  github.misbehave({ operation: opening, times: 1, how: { kind: "held", until, reached: () => reach() } })
  return { reached: Effect.promise(() => reached), release: Effect.sync(() => release()) }
}

const stagesToPush = ["prepare", "still_present", "edit", "check", "push"]

layer(Database, { excludeTestServices: true })("a fix on GitHub", (it) => {
  it.scoped(
    "killed up to its push, and while its pull request is opened, comes to one pull request, whose merge closes the observation",
    () =>
      Effect.gen(function* () {
        const world = yield* aGitHubWorld
        const { github, hosted, start } = world
        const first = yield* start
        const key = yield* signIn(first, scopes)
        const held = heldOpening(github)
        const { ref, job_id } = yield* submittedFix(first, key)
        const pushed = yield* killedAfterEach(stagesToPush, key, job_id, first, start)
        yield* held.reached
        yield* pushed.kill
        yield* held.release
        const server = yield* killedAfterEach(["pull_request"], key, job_id, yield* start, start)
        const job = yield* endedJob(server, key, job_id)
        assert.strictEqual(job.status, "completed", job.error ?? "")

        const branch = `assay/fix-${ref.toLowerCase()}`
        assert.strictEqual(hosted.bare.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay"), branch)
        assert.strictEqual(hosted.bare.git("rev-list", "--count", `main..${branch}`), "1")
        assert.lengthOf(hosted.pulls, 1)
        const pull = hosted.pulls[0]!
        assert.deepInclude(pull, { state: "open", head: branch, base: "main" })
        assert.strictEqual(pull.headSha, headOf(hosted, branch))
        assert.strictEqual(job.pr_url, `${github.url}/acme/shop/pull/${pull.number}`)
        const { attempts } = yield* detailOf(server, key, ref)
        assert.lengthOf(attempts, 1)
        assert.deepInclude(attempts[0], { job_ids: [job_id], outcome: "started", status: "in_review" })
        yield* mergedAndClosed(world, server, key, ref)
        const sql = yield* SqlClient.SqlClient
        const deliveries = yield* asOwner(sql<{ event: string; error: string | null }>`
        SELECT event, error FROM github_deliveries WHERE processed_at IS NOT NULL`)
        assert.deepStrictEqual(deliveries, [{ event: "pull_request", error: null }])
      })
  )
})
