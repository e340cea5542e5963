import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { TestDatabase } from "./Database.ts"
import { endedJob, findingOfUnsafeLoader, type LoopJob, type ObservationDetail, unsafeLoader } from "./fixLoop.ts"
import { aGitHub } from "./GitHubServer.ts"
import { grantedPermissions } from "./github/app.ts"
import { aServer, aTemporaryFolder, call, type RunningServer } from "./server.ts"

/** A file of JSON: its types are those of a module. */
const examples: ReadonlyArray<{ readonly name: string; readonly examples: ReadonlyArray<object> }> = createRequire(
  import.meta.url
)("@octokit/webhooks-examples")

/** GitHub's own example of a pull request that is closed, of another repository. */
const closedPullRequest = (full_name: string) => {
  const ofPullRequests = examples.find(({ name }) => name === "pull_request")?.examples ?? []
  const example = ofPullRequests.find((one) => "action" in one && one.action === "closed")
  assert.isDefined(example)
  return JSON.stringify({ ...example, repository: { full_name } })
}

/** A private repository that the operator's app covers, and what starts the service. */
export const aGitHubWorld = Effect.gen(function* () {
  const github = yield* aGitHub
  const installation = github.state.install("acme", grantedPermissions)
  const hosted = github.state.host(
    "acme",
    "shop",
    { "app/settings.py": unsafeLoader },
    { isPrivate: true, installation }
  )
  const { url } = yield* TestDatabase
  const dataDir = yield* aTemporaryFolder
  const keyFile = join(dataDir, "app.pem")
  writeFileSync(keyFile, github.privateKey, { mode: 0o600 })
  const env = {
    DATABASE_URL: Redacted.value(url),
    ASSAY_ALLOW_PRIVATE_NETWORK: "true",
    ASSAY_LOG_LEVEL: "trace",
    ASSAY_GITHUB_APP_ID: github.appId,
    ASSAY_GITHUB_PRIVATE_KEY_FILE: keyFile,
    ASSAY_GITHUB_WEBHOOK_SECRET: github.webhookSecret,
    ASSAY_GITHUB_URL: github.url,
    ASSAY_GITHUB_API_URL: github.apiUrl
  }
  return { github, hosted, start: aServer({ dataDir, env }), dataFolder: join(dataDir, "data") }
})

const deliver = ({ api }: RunningServer, body: string, headers: Readonly<Record<string, string>>) =>
  Effect.promise(async () => (await fetch(`${api}/api/webhooks/github`, { method: "POST", body, headers })).status)

/** Registers the repository, audits it, and asks for the fix of what was found. */
export const submittedFix = (server: RunningServer, key: string) =>
  Effect.gen(function* () {
    const registration = { github_org: "acme", github_repo: "shop" }
    const registered = yield* call<object>(server, key, "POST", "/api/repos", registration)
    assert.strictEqual(registered.status, 201, JSON.stringify(registered.body))
    assert.deepInclude(registered.body, { access_mode: "installed" })
    const path = "/api/repos/acme/shop/main/jobs"
    const { body } = yield* call<LoopJob>(server, key, "POST", path, { workflow: "audit" })
    const audit = yield* endedJob(server, key, body.id)
    assert.strictEqual(audit.status, "completed", audit.error ?? "")
    const { ref } = yield* findingOfUnsafeLoader(server, key)
    const fix = yield* call<{ readonly job_id: string }>(server, key, "POST", `/api/observations/${ref}/fix`)
    return { ref, job_id: fix.body.job_id }
  })

export const detailOf = (server: RunningServer, key: string, ref: string) =>
  Effect.map(call<ObservationDetail>(server, key, "GET", `/api/observations/${ref}`), ({ body }) => body)

type GitHubWorld = Effect.Effect.Success<typeof aGitHubWorld>

/** A person merges the only pull request, GitHub says so, and the observation is closed. */
export const mergedAndClosed = ({ github, hosted }: GitHubWorld, server: RunningServer, key: string, ref: string) =>
  Effect.gen(function* () {
    github.state.merge(hosted, hosted.pulls[0]!, "squash")
    const body = closedPullRequest("acme/shop")
    const signed = github.delivery("pull_request", body)
    const forged = { ...signed, "x-hub-signature-256": `sha256=${"0".repeat(64)}` }
    assert.strictEqual(yield* deliver(server, body, forged), 401)
    assert.strictEqual(yield* deliver(server, body, signed), 202)
    yield* Effect.repeat(detailOf(server, key, ref), {
      until: ({ status }) => status === "closed",
      schedule: Schedule.spaced("200 millis")
    })
    const closed = yield* detailOf(server, key, ref)
    assert.strictEqual(closed.close_reason, "fixed")
    assert.deepInclude(closed.attempts[0], { status: "merged" })
  })
