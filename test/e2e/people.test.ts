import { request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { assay } from "../support/assayCommand.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, type RunningServer } from "../support/server.ts"

const password = "a password for tests"

/** A person in a browser, with an API key and an open event stream at one of the servers. */
interface Guest {
  readonly user_id: string
  readonly email: string
  readonly headers: Readonly<Record<string, string>>
  readonly key: string
}

interface Response {
  readonly status: number
  readonly cookie: string
  readonly body: Record<string, unknown>
}

const call = (
  server: RunningServer,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown
): Effect.Effect<Response> =>
  Effect.promise(async () => {
    const response = await fetch(`${server.api}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
      body: text === "" ? {} : JSON.parse(text)
    }
  })

const browser = ({ cookie, body }: Response) => ({ cookie, "x-assay-csrf": String(body.csrf_token) })

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** An open event stream; `ended` is done when the server closes it. */
const aStream = (server: RunningServer, path: string, key: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly ended: Effect.Effect<void> }>((resolve, reject) => {
        const { hostname, port } = new URL(server.api)
        const headers = { ...bearer(key), accept: "text/event-stream" }
        const outgoing = request({ hostname, port, path, headers }, (incoming) => {
          if (incoming.statusCode !== 200) reject(new Error(`The stream is ${incoming.statusCode}.`))
          const end = new Promise<void>((done) => {
            incoming.on("close", done)
          })
          incoming.resume()
          resolve({ ended: Effect.promise(() => end) })
        })
        outgoing.on("error", reject)
        outgoing.end()
      })
  )

/** Asks again until the answer is the expected one; a test that never sees it runs into its time limit. */
const until = (answer: Effect.Effect<Response>, isExpected: (response: Response) => boolean): Effect.Effect<void> =>
  Effect.flatMap(answer, (response) => (isExpected(response) ? Effect.void : until(answer, isExpected)))

const codeOf = ({ body }: Response) => (body.error as { readonly code?: string } | undefined)?.code

layer(Database)("in two API processes on one database", (it) => {
  it.scoped(
    "who is demoted, disabled, suspended or removed in one is so in the other: sessions, keys and streams",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const dataDir = yield* aTemporaryFolder
        const repository = aRepository({ "src/a.js": "export const one = 1\n" })
        const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
        const first = yield* aServer({ dataDir, env, role: "api" })
        const second = yield* aServer({ dataDir, env, role: "api" })
        const command = (...args: ReadonlyArray<string>) =>
          Effect.tap(assay(args, { env: { ...env, HOME: dataDir } }), ({ status, stderr }) =>
            assert.strictEqual(status, 0, stderr)
          )

        const token = /#token=(\w+)/.exec(first.log())?.[1]
        const owner = browser(yield* call(first, "POST", "/api/session/link", {}, { token, password }))

        const aGuest = (role: string) =>
          Effect.gen(function* () {
            const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`
            const invited = yield* call(first, "POST", "/api/workspace/invitations", owner, { email, role })
            const link = String(invited.body.url).split("#invitation=")[1]
            const joined = yield* call(second, "POST", "/api/session/invitation", {}, { token: link, password })
            const headers = browser(joined)
            const scopes = ["view_jobs", "view_observations"]
            const { body } = yield* call(second, "POST", "/api/keys", headers, { name: "ci", scopes })
            const user_id = (joined.body.user as { readonly id: string }).id
            return { user_id, email, headers, key: String(body.api_key) } satisfies Guest
          })

        const repo = { github_org: "test", github_repo: "people", clone_url: repository.path }
        assert.strictEqual((yield* call(first, "POST", "/api/repos", owner, repo)).status, 201)
        const submitted = yield* call(first, "POST", "/api/repos/test/people/main/jobs", owner, { workflow: "audit" })
        const events = `/api/jobs/${submitted.body.id}/events`

        const withKey = ({ key }: Guest) => call(second, "GET", "/api/jobs", bearer(key))
        const withSession = ({ headers }: Guest) => call(second, "GET", "/api/workspace/members", headers)
        const measured = (what: string, change: Effect.Effect<unknown>, ...seen: ReadonlyArray<Effect.Effect<void>>) =>
          Effect.gen(function* () {
            yield* change
            const started = performance.now()
            yield* Effect.all(seen, { concurrency: "unbounded" })
            yield* Effect.sync(() => process.stdout.write(`${what}: ${Math.round(performance.now() - started)} ms\n`))
          })

        const members = "/api/workspace/members"
        const admin = yield* aGuest("admin")
        const settings = call(second, "PUT", "/api/workspace/guidance", admin.headers, { text: "Deploy on Tuesdays." })
        assert.strictEqual((yield* settings).status, 200)
        yield* measured(
          "demoted",
          call(first, "PATCH", `${members}/${admin.user_id}`, owner, { role: "viewer" }),
          until(settings, (response) => codeOf(response) === "insufficient_scope")
        )

        const removed = yield* aGuest("member")
        assert.strictEqual((yield* withKey(removed)).status, 200)
        const removedStream = yield* aStream(second, events, removed.key)
        yield* measured(
          "removed",
          call(first, "DELETE", `${members}/${removed.user_id}`, owner),
          until(withSession(removed), (response) => codeOf(response) === "invalid_session"),
          until(withKey(removed), (response) => codeOf(response) === "revoked_api_key"),
          removedStream.ended
        )

        const disabled = yield* aGuest("member")
        assert.strictEqual((yield* withKey(disabled)).status, 200)
        const disabledStream = yield* aStream(second, events, disabled.key)
        yield* measured(
          "disabled",
          command("user", "disable", disabled.email),
          until(withSession(disabled), (response) => codeOf(response) === "invalid_session"),
          until(withKey(disabled), (response) => codeOf(response) === "revoked_api_key"),
          disabledStream.ended
        )
        const signIn = call(second, "POST", "/api/session", {}, { email: disabled.email, password })
        assert.strictEqual(codeOf(yield* signIn), "invalid_credentials")
        yield* command("user", "enable", disabled.email)
        assert.strictEqual((yield* signIn).status, 200)
        yield* until(withKey(disabled), ({ status }) => status === 200)

        const suspended = yield* aGuest("member")
        assert.strictEqual((yield* withKey(suspended)).status, 200)
        const suspendedStream = yield* aStream(second, events, suspended.key)
        yield* measured(
          "suspended",
          command("workspace", "suspend", "Workspace"),
          until(withSession(suspended), (response) => codeOf(response) === "workspace_suspended"),
          until(withKey(suspended), (response) => codeOf(response) === "workspace_suspended"),
          suspendedStream.ended
        )
        assert.strictEqual((yield* call(second, "GET", "/api/session", suspended.headers)).status, 200)
      }),
    600_000
  )
})
