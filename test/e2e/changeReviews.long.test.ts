// Held in the short form by: test/services/change_reviews (changeReviews.test.ts; checks), test/web/work.test.ts (a change review
// over the whole program).
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { changeReviewWorld, type Refs, scriptedCriteria } from "../support/changeReviewWorld.ts"
import {
  aServer,
  aTemporaryFolder,
  call,
  keysOf,
  ownerSession,
  type RunningServer,
  readEvents
} from "../support/server.ts"

interface Criterion {
  readonly text: string
  readonly check: { readonly kind: string } | null
  readonly verdict: string
  readonly reason: string
  readonly evidence: ReadonlyArray<{
    readonly repository: string
    readonly commit: string
    readonly file_path: string
    readonly line_start: number
    readonly line_end: number
  }>
}
interface Review {
  readonly name: string
  readonly readiness: string
  readonly stale: boolean
  readonly job_id: string
  readonly criteria: ReadonlyArray<Criterion>
}
interface Observations {
  readonly data: ReadonlyArray<{
    readonly ref: string
    readonly rule_id: string
    readonly repo_name: string
    readonly locations: ReadonlyArray<{ readonly file_path: string }>
  }>
}

const scopes = ["view_jobs", "view_repositories", "view_observations", "submit_audit_jobs", "register_repo"]

const audited = (server: RunningServer, key: string, name: string, clone_url: string) =>
  Effect.gen(function* () {
    yield* call(server, key, "POST", "/api/repos", { github_org: "acme", github_repo: name, clone_url })
    const { body: job } = yield* call<{ readonly id: string }>(
      server,
      key,
      "POST",
      `/api/repos/acme/${name}/main/jobs`,
      {
        workflow: "audit"
      }
    )
    yield* readEvents(server, key, job.id)
  })

const refsOf = (server: RunningServer, key: string) =>
  Effect.map(
    call<Observations>(server, key, "GET", "/api/observations?status=new&include=locations&limit=100"),
    ({ body }): Refs =>
      (repository, path) => {
        const found = body.data.find(
          ({ rule_id, repo_name, locations }) =>
            rule_id.includes("injection") && repo_name.includes(repository) && locations[0]?.file_path === path
        )
        if (found === undefined) throw new Error(`No injection of ${repository} in ${path}.`)
        return found.ref
      }
  )

it.scopedLive(
  "A change of three branches in two repositories is judged right on thirty criteria, with evidence that exists",
  () =>
    Effect.gen(function* () {
      const { repositories, branches } = changeReviewWorld()
      const folder = yield* aTemporaryFolder
      const env = {
        ASSAY_LOCAL_REPO_ROOTS: Object.values(repositories)
          .map(({ path }) => path)
          .join(":")
      }
      const server = yield* aServer({ dataDir: folder, env })
      const owner = yield* ownerSession(server)
      const [key = ""] = yield* keysOf(server, owner, { scopes, count: 1 })
      for (const [name, { path }] of Object.entries(repositories)) yield* audited(server, key, name, path)
      const criteria = scriptedCriteria(yield* refsOf(server, key))
      const set = [
        "workspace",
        "set",
        "Workspace",
        "--plan",
        "paid",
        "--credit",
        "unmetered",
        "--feature",
        "change_reviews=on"
      ]
      const switched = yield* assay(set, { env: { ASSAY_DATA_DIR: `${folder}/data` } })
      assert.strictEqual(switched.status, 0, switched.stderr)

      const started = yield* call<Review>(server, key, "POST", "/api/change-reviews", {
        title: "Retry payments",
        branches: branches.map((one) => ({ ...one, repository: `acme/${one.repository}` })),
        criteria: criteria.map(({ text, check }) => ({ text, ...(check === undefined ? {} : { check }) }))
      })
      assert.strictEqual(started.status, 201, JSON.stringify(started.body))
      yield* readEvents(server, key, started.body.job_id)
      const { body: review } = yield* call<Review>(server, key, "GET", `/api/change-reviews/${started.body.name}`)

      assert.deepStrictEqual(
        review.criteria.map(({ text, verdict }) => `${verdict}: ${text}`),
        criteria.map(({ text, verdict }) => `${verdict}: ${text}`),
        JSON.stringify(review.criteria, null, 1)
      )
      assert.deepStrictEqual([review.readiness, review.stale], ["not_ready", false])
      const shown = ({ evidence }: Criterion) =>
        evidence.map(
          ({ repository, file_path, line_start }) => `${/\/(\w+)@/.exec(repository)?.[1]} ${file_path}:${line_start}`
        )
      for (const [index, { shows }] of criteria.entries()) {
        if (shows !== undefined) assert.include(shown(review.criteria[index]!), shows)
      }
      for (const { reason, evidence } of review.criteria) {
        assert.match(reason, /\.$/)
        for (const { repository, commit, file_path, line_end } of evidence) {
          const { git } = repository.includes("shop") ? repositories.shop : repositories.ledger
          assert.isAtLeast(Number(git("grep", "-h", "--count", "", commit, "--", file_path)), line_end)
        }
      }
    }),
  600_000
)
