import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, call, createKeys, type RunningServer, readEvents } from "../support/server.ts"

const scopes = ["view_jobs", "view_observations", "submit_audit_jobs", "register_repo"]

/** Two processes serve the API and one works, on one database. */
const anInstallation = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const dataDir = yield* aTemporaryFolder
  const repository = aRepository({ "src/a.js": 'export const isMissing = (x) => typeof x === "undefind"\n' })
  const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
  const first = yield* aServer({ dataDir, env, role: "api" })
  const second = yield* aServer({ dataDir, env, role: "api" })
  return { first, second, env, dataDir, repository }
})

layer(Database)("processes that share a database", (it) => {
  it.scoped(
    "serve the same workspace, limit a key together exactly, and jobs run in the workers",
    () =>
      Effect.gen(function* () {
        const { first, second, env, dataDir, repository } = yield* anInstallation
        yield* aServer({ dataDir, env: { ...env, ASSAY_WORKER_ADDRESS: "127.0.0.1:4871" }, role: "worker" })
        const [key = "", limited = ""] = yield* createKeys(first, scopes, 2, { requests_per_minute: 20 })
        const registered = yield* call<{ readonly head_sha: string }>(second, key, "POST", "/api/repos", {
          github_org: "test",
          github_repo: "shared",
          clone_url: repository.path
        })
        assert.strictEqual(registered.status, 201)
        const { body: job } = yield* call<{ readonly id: string }>(
          first,
          key,
          "POST",
          "/api/repos/test/shared/main/jobs",
          {
            workflow: "audit"
          }
        )
        const events = yield* readEvents(second, key, job.id)
        assert.strictEqual(events.at(-1)?.detail, "Completed.")
        const found = yield* call<{ readonly data: ReadonlyArray<unknown> }>(second, key, "GET", "/api/observations")
        assert.strictEqual(found.body.data.length, 1)

        // 20 calls at once, then one more every 3 seconds, whichever process they reach.
        const started = performance.now()
        const burst = (server: RunningServer) =>
          Effect.forEach(
            Array.from({ length: 30 }),
            () => call(server, limited, "GET", "/api/repos/test/shared/main/jobs"),
            { concurrency: 10 }
          )
        const answers = (yield* Effect.all([burst(first), burst(second)], { concurrency: 2 })).flat()
        const refilled = Math.ceil((performance.now() - started) / 3000)
        const passed = answers.filter(({ status }) => status === 200).length
        assert.strictEqual(answers.filter(({ status }) => status === 429).length, answers.length - passed)
        assert.isAtLeast(passed, 20)
        assert.isAtMost(passed, 20 + refilled)
      }),
    600_000
  )
})
