import type { RequestListener } from "node:http"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { aCertificateAuthority } from "../support/certificateAuthority.ts"
import { asOwner, Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aSecureServer, servesGit } from "../support/gitServer.ts"
import { formsOf, inFiles, inTables, inTexts, watchProcesses } from "../support/secretHunt.ts"
import { aServer, aTemporaryFolder, type RunningServer } from "../support/server.ts"
import { aKeyPair, anSshGitServer } from "../support/sshGitServer.ts"

const authority = aCertificateAuthority()
const certificate = authority.certify("IP:127.0.0.1")

const [user, secret, wrong] = ["assay", "t0ken-of-the-private-host", "an-0ther-token-of-before"]
const deployKey = aKeyPair()
const forms = [...formsOf(secret, user), ...formsOf(wrong, user), ...formsOf(deployKey.privateKey)]

/** Calls as the first owner, signed in by the link of the log; everything that came back is kept. */
const asOwnerOf = (server: RunningServer, answers: Array<string>) =>
  Effect.promise(async () => {
    const token = /#token=(\w+)/.exec(server.log())?.[1] ?? ""
    const json = { "content-type": "application/json" }
    const session = await fetch(`${server.api}/api/session/link`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ token, password: "a password for tests" })
    })
    const { csrf_token } = (await session.json()) as { csrf_token: string }
    const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    return (method: string, path: string, body?: object) =>
      Effect.promise(async () => {
        const response = await fetch(`${server.api}${path}`, {
          method,
          headers: { ...json, cookie, "x-assay-csrf": csrf_token },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const text = await response.text()
        answers.push(text)
        return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> }
      })
  })

type Call = Effect.Effect.Success<ReturnType<typeof asOwnerOf>>

const audited = (call: Call, repo: string) =>
  Effect.gen(function* () {
    const { body } = yield* call("POST", `/api/repos/acme/${repo}/main/jobs`, { workflow: "standard_audit" })
    const job = call("GET", `/api/jobs/${body.id}`).pipe(Effect.map((answer) => String(answer.body.status)))
    yield* Effect.repeat(job, {
      until: (status) => !["pending", "running"].includes(status),
      schedule: Schedule.spaced("200 millis")
    })
    return yield* job
  })

it.scopedLive(
  "private repositories are registered and audited with a stored login or deploy key, which is found nowhere but sealed",
  () =>
    Effect.gen(function* () {
      const [folder, dataDir] = [yield* aTemporaryFolder, yield* aTemporaryFolder]
      for (const name of ["api.git", "web.git"]) {
        aRepository({ "src/a.ts": "export const a = 1\n" }, { path: join(folder, "acme", name), bare: true })
      }
      const serve = servesGit(folder)
      const expected = `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`
      const answer: RequestListener = (request, response) =>
        request.headers.authorization === expected
          ? serve(request, response)
          : response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end(request.headers.authorization)
      const port = yield* aSecureServer(certificate, answer)
      const ssh = yield* anSshGitServer(folder, deployKey.publicKey)
      const { url } = yield* TestDatabase
      const env = {
        DATABASE_URL: Redacted.value(url),
        ASSAY_EXTRA_CA: authority.file,
        ASSAY_ALLOW_PRIVATE_NETWORK: "true",
        ASSAY_LOG_LEVEL: "trace"
      }
      const watch = yield* watchProcesses(forms)
      const server = yield* aServer({ dataDir, env })
      const answers: Array<string> = []
      const call = yield* asOwnerOf(server, answers)
      const api = { github_org: "acme", github_repo: "api", clone_url: `https://127.0.0.1:${port}/acme/api.git` }

      const unknown = yield* call("POST", "/api/repos", api)
      assert.deepInclude(unknown, { status: 400 })
      const inAddress = api.clone_url.replace("//", `//${user}:${secret}@`)
      const withSecret = yield* call("POST", "/api/repos", { ...api, clone_url: inAddress })
      assert.strictEqual(withSecret.status, 400)
      assert.include(JSON.stringify(withSecret.body), "POST /api/credentials")

      const login = { kind: "https", host: `127.0.0.1:${port}`, username: user }
      const first = yield* call("POST", "/api/credentials", { ...login, secret: wrong })
      assert.strictEqual((yield* call("POST", "/api/repos", api)).status, 400)
      assert.strictEqual((yield* call("POST", "/api/credentials", { ...login, secret })).status, 201)
      assert.strictEqual((yield* call("DELETE", `/api/credentials/${first.body.id}`)).status, 204)
      assert.strictEqual((yield* call("POST", "/api/repos", api)).status, 201)

      const key = {
        kind: "ssh",
        host: `127.0.0.1:${ssh.port}`,
        private_key: deployKey.privateKey,
        known_hosts: ssh.knownHosts("127.0.0.1")
      }
      assert.strictEqual((yield* call("POST", "/api/credentials", key)).status, 201)
      const web = {
        github_org: "acme",
        github_repo: "web",
        clone_url: `ssh://git@127.0.0.1:${ssh.port}/acme/web.git`
      }
      assert.strictEqual((yield* call("POST", "/api/repos", web)).status, 201)
      for (const repo of ["api", "web"]) assert.strictEqual(yield* audited(call, repo), "completed", repo)

      const listed = yield* call("GET", "/api/credentials")
      const rows = listed.body.data as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        rows.map(({ kind, fingerprint, last_used_at }) => [kind, fingerprint, typeof last_used_at]),
        [
          ["ssh", deployKey.fingerprint, "string"],
          ["https", null, "string"]
        ]
      )
      const { found, programs } = yield* watch.end
      assert.deepStrictEqual(found, [])
      assert.isNotEmpty(programs.filter((program) => program.includes("git-remote-http")))
      assert.deepStrictEqual(inTexts({ log: server.log(), answers: answers.join("\n") }, forms), [])
      assert.deepStrictEqual(inFiles(dataDir, forms), [])
      assert.deepStrictEqual(yield* asOwner(inTables(forms)), [])
      const sql = yield* SqlClient.SqlClient
      const stored = yield* asOwner(sql<{ n: number }>`SELECT count(*)::int AS n FROM credentials`)
      assert.deepStrictEqual(stored, [{ n: 2 }])
    }).pipe(Effect.provide(Database)),
  600_000
)
