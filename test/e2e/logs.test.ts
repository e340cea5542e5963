import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, call, readEvents, signIn } from "../support/server.ts"

interface Line {
  readonly message: string
  readonly logLevel: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** The JSON lines of a log; the banner between them is prose. */
const linesOf = (log: string): ReadonlyArray<Line> =>
  log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))

it.scopedLive(
  "away from a terminal, every request, job and sign-in has its line, and no address or secret is in one",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const repository = aRepository({ "src/index.js": "export const one = 1\n" })
      const { url } = yield* TestDatabase
      const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
      const server = yield* aServer({ dataDir, env })
      const key = yield* signIn(server, ["view_jobs", "submit_audit_jobs", "register_repo"])
      yield* call(server, key, "POST", "/api/repos", {
        github_org: "test",
        github_repo: "logged",
        clone_url: repository.path
      })
      const { body: job } = yield* call<{ readonly id: string }>(
        server,
        key,
        "POST",
        "/api/repos/test/logged/main/jobs",
        {
          workflow: "audit"
        }
      )
      yield* readEvents(server, key, job.id)
      const { headers } = yield* call(server, key, "GET", `/api/jobs/${job.id}?secret=hunter2`)
      yield* call(server, "wrong", "GET", "/api/nothing/hunter2?token=hunter2")
      yield* server.stop
      const lines = linesOf(server.log())
      const requests = lines.filter(({ message }) => message === "request").map(({ annotations }) => annotations)
      const read = requests.find(({ request_id }) => request_id === headers.get("x-request-id"))
      assert.deepStrictEqual(
        { ...read, ms: typeof read?.ms, actor: String(read?.actor).replace(/\(\w+\)/, "(prefix)") },
        {
          method: "GET",
          route: "/api/jobs/:job_id",
          status: 200,
          ms: "number",
          request_id: headers.get("x-request-id"),
          actor: "key test 0 (prefix)"
        }
      )
      assert.deepInclude(
        requests.find(({ status }) => status === 404),
        { method: "GET", route: "unmatched", actor: null }
      )
      assert.deepInclude(
        requests.find(({ route }) => route === "/api/jobs/:job_id/events"),
        { status: 200, stream: true }
      )
      assert.lengthOf(
        requests.filter(({ route, method }) => route === "/api/session/link" && method === "POST"),
        1
      )
      const ofJob = lines.filter(({ annotations }) => annotations.job_id === job.id)
      assert.includeMembers(
        ofJob.map(({ message }) => message),
        ["Job queued.", "Job started.", "Job completed."]
      )
      const completed = ofJob.find(({ message }) => message === "Job completed.")?.annotations
      assert.isNumber(completed?.cost_usd)
      assert.isNumber(completed?.seconds)
      assert.deepInclude(lines.find(({ message }) => message === "Signed in.")?.annotations, { method: "link" })
      assert.notInclude(server.log(), "hunter2")
      assert.notInclude(server.log(), key)
    }).pipe(Effect.provide(Database))
)

const launcher = fileURLToPath(new URL("../../bin/assay", import.meta.url))

/** What a person sees who starts the service on a terminal, or null where none can be made (`script` is missing). */
const onTerminal = (dataDir: string, databaseUrl: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn("script", ["-qefc", `"${process.execPath}" "${launcher}" serve`, "/dev/null"], {
        cwd: dataDir,
        env: {
          PATH: process.env.PATH ?? "",
          DATABASE_URL: databaseUrl,
          ASSAY_DATA_DIR: join(dataDir, "data"),
          ASSAY_PORT: "0",
          ASSAY_DOCS_PORT: "0",
          ASSAY_ADMIN_PORT: "0"
        },
        stdio: ["pipe", "pipe", "pipe"]
      })
    ),
    (child) =>
      Effect.promise(async () => {
        let seen = ""
        child.stdout.on("data", (chunk: Buffer) => {
          seen += chunk.toString()
        })
        const missing = once(child, "error").then(() => null)
        while (!/\/readyz\r?\n/.test(seen)) {
          if ((await Promise.race([once(child.stdout, "data"), missing])) === null) return null
        }
        const api = /Web app {2}(\S+)\//.exec(seen)?.[1]
        await fetch(`${api}/api/jobs`)
        // Ctrl+C, as a person stops it.
        child.stdin.write("\x03")
        await once(child, "close")
        return seen
      }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

it.scopedLive("on a terminal there is prose only, without a line for programs or for each request", () =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const seen = yield* onTerminal(yield* aTemporaryFolder, Redacted.value(url))
    if (seen === null) return console.warn("No terminal can be made here: the program `script` is missing.")
    assert.include(seen, "Assay is ready.")
    assert.notMatch(seen, /^\s*[{[]/m)
    assert.notInclude(seen, "route")
  }).pipe(Effect.provide(Database))
)
