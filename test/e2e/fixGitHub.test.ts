import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { asOwner, Database, TestDatabase } from "../support/Database.ts"
import {
  endedJob,
  findingOfUnsafeLoader,
  killedAfterEach,
  type LoopJob,
  type ObservationDetail,
  unsafeLoader
} from "../support/fixLoop.ts"
import { inForm } from "../support/forms.ts"
import { aGitHub, type GitHubServer } from "../support/GitHubServer.ts"
import { grantedPermissions } from "../support/github/app.ts"
import { headOf } from "../support/github/state.ts"
import { formsOf, inFiles, inTables, inTexts, watchProcesses } from "../support/secretHunt.ts"
import { aServer, aTemporaryFolder, call, type RunningServer, signIn } from "../support/server.ts"

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
const aWorld = Effect.gen(function* () {
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

const deliver = ({ api }: RunningServer, body: string, headers: Readonly<Record<string, string>>) =>
  Effect.promise(async () => (await fetch(`${api}/api/webhooks/github`, { method: "POST", body, headers })).status)

/** The app's secrets, in the forms in which they are sent. */
const secretsOf = ({ privateKey, webhookSecret, state }: GitHubServer) => [
  ...formsOf(privateKey),
  ...formsOf(webhookSecret),
  ...formsOf(state.tokenStart, "x-access-token"),
  // What the app signs begins so.
  `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString("base64url")}.`
]

/** The operator gives the webhook's secret to the service in its environment. */
const isOfService = (place: string) => /^environ of \S*node \S*\/bin\/assay serve /.test(place)

/** Registers the repository, audits it, and asks for the fix of what was found. */
const submittedFix = (server: RunningServer, key: string) =>
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

const detailOf = (server: RunningServer, key: string, ref: string) =>
  Effect.map(call<ObservationDetail>(server, key, "GET", `/api/observations/${ref}`), ({ body }) => body)

type World = Effect.Effect.Success<typeof aWorld>

/** A person merges the only pull request, GitHub says so, and the observation is closed. */
const mergedAndClosed = ({ github, hosted }: World, server: RunningServer, key: string, ref: string) =>
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

const stagesToPush = inForm({ short: ["push"], long: ["prepare", "still_present", "edit", "check", "push"] })

layer(Database, { excludeTestServices: true })("a fix on GitHub", (it) => {
  it.scoped(
    "killed up to its push, and while its pull request is opened, comes to one pull request, whose merge closes the observation",
    () =>
      Effect.gen(function* () {
        const world = yield* aWorld
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

layer(Database, { excludeTestServices: true })("the secrets of the app", (it) => {
  it.scoped("are seen in no process, table, log, event or file while a finding becomes a merged pull request", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const { github, hosted, start, dataFolder } = world
      const forms = secretsOf(github)
      const watch = yield* watchProcesses(forms)
      const server = yield* start
      const key = yield* signIn(server, scopes)
      const { ref, job_id } = yield* submittedFix(server, key)
      const job = yield* endedJob(server, key, job_id)
      assert.strictEqual(job.status, "completed", job.error ?? "")
      assert.lengthOf(hosted.pulls, 1)
      yield* mergedAndClosed(world, server, key, ref)
      const events = yield* call<object>(server, key, "GET", `/api/jobs/${job_id}/events?limit=200`)
      const { found, programs } = yield* watch.end
      assert.deepStrictEqual([...new Set(found.map(isOfService))], [true], found.join("\n"))
      assert.isNotEmpty(programs.filter((program) => program.includes("git-remote-http")))
      assert.isAbove(github.state.tokens.size, 0)
      const texts = { log: server.log(), events: JSON.stringify(events.body), job: JSON.stringify(job) }
      assert.deepStrictEqual(inTexts(texts, forms), [])
      assert.deepStrictEqual(inFiles(dataFolder, forms), [])
      assert.deepStrictEqual(yield* asOwner(inTables(forms)), [])
    })
  )
})
