import type { RequestListener } from "node:http"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { aCertificateAuthority } from "../support/certificateAuthority.ts"
import { asOwner, Database, TestDatabase } from "../support/Database.ts"
import { unsafeLoader } from "../support/fixLoop.ts"
import { inForm } from "../support/forms.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aSecureServer, servesGit } from "../support/gitServer.ts"
import { formsOf, inFiles, inTables, inTexts, watchProcesses } from "../support/secretHunt.ts"
import { aServer, aTemporaryFolder, ownerSession, type RunningServer } from "../support/server.ts"
import { aKeyPair, anSshGitServer } from "../support/sshGitServer.ts"

const authority = aCertificateAuthority()
const certificate = authority.certify("IP:127.0.0.1")

const [user, secret, wrong] = ["assay", "t0ken-of-the-private-host", "an-0ther-token-of-before"]
const deployKey = aKeyPair()
const forms = [...formsOf(secret, user), ...formsOf(wrong, user), ...formsOf(deployKey.privateKey)]

/** Calls as the first owner, signed in by the link of the log; everything that came back is kept. */
const asOwnerOf = (server: RunningServer, answers: Array<string>) =>
  Effect.map(
    ownerSession(server),
    (headers) => (method: string, path: string, body?: object) =>
      Effect.promise(async () => {
        const response = await fetch(`${server.api}${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const text = await response.text()
        answers.push(text)
        return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> }
      })
  )

type Call = Effect.Effect.Success<ReturnType<typeof asOwnerOf>>

/** The status that the job ends with. */
const endOf = (call: Call, id: unknown) => {
  const status = call("GET", `/api/jobs/${id}`).pipe(Effect.map(({ body }) => String(body.status)))
  const ended = Effect.repeat(status, {
    until: (now) => !["pending", "running"].includes(now),
    schedule: Schedule.spaced("200 millis")
  })
  return Effect.zipRight(ended, status)
}

const audited = (call: Call, repo: string) =>
  Effect.gen(function* () {
    const { body } = yield* call("POST", `/api/repos/acme/${repo}/main/jobs`, { workflow: "standard_audit" })
    return yield* endOf(call, body.id)
  })

/** Fixes the unsafe loader of the repository; gives how the job ended, and the branch that it should have pushed. */
const fixed = (call: Call, repo: string) =>
  Effect.gen(function* () {
    const { body } = yield* call("GET", "/api/observations?limit=200")
    const rows = body.data as ReadonlyArray<{ ref: string; rule_id: string; repo_name: string }>
    const found = rows.find(({ rule_id, repo_name }) => /unsafe_yaml_load$/.test(rule_id) && repo_name.includes(repo))
    const ref = found?.ref ?? ""
    const answer = yield* call("POST", `/api/observations/${ref}/fix`)
    return { status: yield* endOf(call, answer.body.job_id), branch: `assay/fix-${ref.toLowerCase()}` }
  })

it.scopedLive(
  "private repositories are registered, audited and fixed with a stored login or deploy key, found nowhere but sealed",
  () =>
    Effect.gen(function* () {
      const [folder, dataDir] = [yield* aTemporaryFolder, yield* aTemporaryFolder]
      const repositories = ["api", "web"].map((name) => {
        const path = join(folder, "acme", `${name}.git`)
        return { name, ...aRepository({ "app/settings.py": unsafeLoader }, { path, bare: true }) }
      })
      for (const { git } of repositories) git("config", "http.receivepack", "true")
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
      // credentials.test.ts and deployKeys.test.ts of test/layers/git hold both kinds for fetches and pushes.
      for (const { name, git } of inForm({ short: repositories.slice(0, 1), long: repositories })) {
        assert.strictEqual(yield* audited(call, name), "completed", name)
        const { status, branch } = yield* fixed(call, name)
        assert.strictEqual(status, "completed", name)
        assert.strictEqual(git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay"), branch)
      }

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
