import type { RequestListener } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { PlainGitCodeHost, type PlainGitOptions } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost, type Remote } from "../../../src/services/ports/CodeHost.ts"
import { aCertificateAuthority } from "../../support/certificateAuthority.ts"
import { aConnectProxy } from "../../support/connectProxy.ts"
import { aFolder, aRepository } from "../../support/gitRepository.ts"
import { aSecureServer, aServer, servesGit } from "../../support/gitServer.ts"
import { aVault, keepLogin, registered, type Vault } from "../../support/remoteCredentials.ts"
import { formsOf, inFiles, watchProcesses } from "../../support/secretHunt.ts"

const authority = aCertificateAuthority()
const certificate = authority.certify("DNS:git.example.test", "DNS:other.example.test", "IP:127.0.0.1")

const codeHost = (vault: Vault, options: Partial<PlainGitOptions> = {}) =>
  Effect.provide(
    CodeHost,
    PlainGitCodeHost.layer({
      dataDir: aFolder(),
      localRoots: [],
      allowPrivateNetwork: true,
      extraAuthorities: authority.pem,
      resolve: () => Promise.resolve(["127.0.0.1"]),
      ...options
    })
  ).pipe(Effect.provide(vault.layer))

const basic = (user: string, secret: string) => `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`

/** A repository that is served to who has the login, and what callers sent. */
const aPrivateHost = (user: string, secret: string) =>
  Effect.gen(function* () {
    const folder = aFolder()
    const repository = aRepository({ "a.ts": "a" }, { path: join(folder, "acme/api"), bare: true })
    repository.git("config", "http.receivepack", "true")
    const serve = servesGit(folder)
    const seen: Array<string | undefined> = []
    const answer: RequestListener = (request, response) => {
      const { authorization } = request.headers
      seen.push(authorization)
      if (authorization === basic(user, secret)) return serve(request, response)
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end(secret)
    }
    const port = yield* aSecureServer(certificate, answer)
    return {
      port,
      seen,
      repository,
      host: `git.example.test:${port}`,
      url: `https://git.example.test:${port}/acme/api`
    }
  })

const fetching = (remote: Remote) => ({ repositoryId: "r", remote, branch: "main" })

describe.concurrent("a stored login", () => {
  it.scopedLive("lets a private repository be inspected, fetched and pushed to", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, repository } = yield* aPrivateHost("assay", "p@ss: %wörd'\"$(x)")
      keepLogin(vault, host, "assay", "p@ss: %wörd'\"$(x)")
      const code = yield* codeHost(vault)
      const remote = registered(url)
      assert.strictEqual((yield* code.inspect(remote)).default_branch, "main")
      const { gitDir, commit } = yield* code.fetch(fetching(remote))
      assert.strictEqual(commit, repository.git("rev-parse", "main"))
      yield* code.push({ repositoryId: "r", remote, gitDir, commit, branch: "assay/fix", expected: null })
      assert.strictEqual(repository.git("rev-parse", "assay/fix"), commit)
      assert.deepStrictEqual([...new Set(vault.used)], [host])
      const request = vault.requests[0]
      assert.deepStrictEqual([request?.kind, request?.host, request?.access], ["https", host, remote.access])
    })
  )

  it.scopedLive(
    "is asked for by the host's own challenge, and for registered remotes that are not anonymous only",
    () =>
      Effect.gen(function* () {
        const vault = aVault()
        const { url, host, seen } = yield* aPrivateHost("assay", "s3cret-login")
        keepLogin(vault, host, "assay", "s3cret-login")
        const code = yield* codeHost(vault)
        for (const remote of [{ url }, registered(url, "anonymous")]) {
          assert.strictEqual((yield* Effect.flip(code.inspect(remote))).reason, "authentication")
        }
        assert.deepStrictEqual([...new Set(seen)], [undefined])
        assert.deepStrictEqual([vault.requests, vault.used], [[], []])
      })
  )

  it.scopedLive("that is wrong or revoked is an authentication error without it", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host } = yield* aPrivateHost("assay", "right")
      keepLogin(vault, host, "assay", "s3cret-wrong")
      const code = yield* codeHost(vault)
      const wrong = yield* Effect.flip(code.fetch(fetching(registered(url))))
      assert.strictEqual(wrong.reason, "authentication")
      assert.notInclude(JSON.stringify(wrong), "s3cret")
      assert.include(wrong.message, "/api/credentials")
      vault.stored.clear()
      assert.strictEqual((yield* Effect.flip(code.fetch(fetching(registered(url))))).reason, "authentication")
    })
  )

  it.scopedLive("is never offered to another host, another port or where a redirect leads", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { host } = yield* aPrivateHost("assay", "s3cret-login")
      keepLogin(vault, host, "assay", "s3cret-login")
      const seen: Array<string | undefined> = []
      const other = yield* aSecureServer(certificate, (request, response) => {
        seen.push(request.headers.authorization)
        response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end()
      })
      const redirecting = yield* aSecureServer(certificate, (request, response) => {
        seen.push(request.headers.authorization)
        response.writeHead(302, { location: `https://${host}${request.url}` }).end()
      })
      const code = yield* codeHost(vault)
      for (const url of [`https://other.example.test:${other}/x`, `https://git.example.test:${other}/x`]) {
        assert.strictEqual((yield* Effect.flip(code.inspect(registered(url)))).reason, "authentication")
      }
      const moved = yield* Effect.flip(code.inspect(registered(`https://git.example.test:${redirecting}/x`)))
      assert.strictEqual(moved.reason, "unreachable")
      assert.deepStrictEqual([...new Set(seen)], [undefined])
      assert.deepStrictEqual(vault.used, [])
    })
  )

  it.scopedLive("does not follow a redirect of its own host to another one", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const seen: Array<string | undefined> = []
      const other = yield* aSecureServer(certificate, (request, response) => {
        seen.push(request.headers.authorization)
        response.end()
      })
      const port = yield* aSecureServer(certificate, (request, response) => {
        if (request.headers.authorization === undefined) {
          response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end()
        } else response.writeHead(302, { location: `https://other.example.test:${other}/x` }).end()
      })
      keepLogin(vault, `git.example.test:${port}`, "assay", "s3cret-login")
      const code = yield* codeHost(vault)
      const moved = yield* Effect.flip(code.inspect(registered(`https://git.example.test:${port}/x`)))
      assert.strictEqual(moved.reason, "unreachable")
      assert.deepStrictEqual(seen, [])
    })
  )

  it.scopedLive("crosses no network in the clear", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const seen: Array<string | undefined> = []
      const port = yield* aServer((request, response) => {
        seen.push(request.headers.authorization)
        response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end()
      })
      keepLogin(vault, `git.example.test:${port}`, "assay", "s3cret-login")
      const code = yield* codeHost(vault)
      const rejected = yield* Effect.flip(code.inspect(registered(`http://git.example.test:${port}/x`)))
      assert.strictEqual(rejected.reason, "authentication")
      assert.deepStrictEqual([...new Set(seen)], [undefined])
    })
  )

  it.scopedLive("works through a proxy that has a login of its own, each offered to its own server", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, seen } = yield* aPrivateHost("assay", "s3cret-login")
      keepLogin(vault, host, "assay", "s3cret-login")
      const proxy = yield* aConnectProxy("proxy-user:pr0xy secret")
      const https = Redacted.make(proxy.url.replace("//", "//proxy-user:pr0xy%20secret@"))
      const options = { proxies: { https, http: null, except: [] }, resolve: () => Promise.reject(new Error("no DNS")) }
      const watch = yield* watchProcesses([
        ...formsOf("pr0xy secret", "proxy-user"),
        ...formsOf("s3cret-login", "assay")
      ])
      const code = yield* codeHost(vault, { ...options, allowPrivateNetwork: false })
      yield* code.fetch(fetching(registered(url)))
      assert.include(seen, basic("assay", "s3cret-login"))
      assert.include(
        proxy.requests.map(({ authorization }) => authorization),
        basic("proxy-user", "pr0xy secret")
      )
      assert.deepStrictEqual((yield* watch.end).found, [])
      const address = yield* Effect.flip(code.inspect(registered("https://10.0.0.1/x")))
      assert.strictEqual(address.reason, "address_refused")
    })
  )

  it.scopedLive("is in no process list, environment or file while git runs, nor after it", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host } = yield* aPrivateHost("assay", "s3cret-of-the-hunt")
      keepLogin(vault, host, "assay", "s3cret-of-the-hunt")
      const forms = formsOf("s3cret-of-the-hunt", "assay")
      const dataDir = aFolder()
      const code = yield* codeHost(vault, { dataDir })
      const watch = yield* watchProcesses(forms)
      for (let round = 0; round < 5; round++) yield* code.fetch(fetching(registered(url)))
      const { found, programs } = yield* watch.end
      assert.deepStrictEqual(found, [])
      assert.isNotEmpty(programs.filter((program) => program.includes("git-remote-http")))
      assert.deepStrictEqual(inFiles(dataDir, forms), [])
    })
  )

  it.scopedLive("given in the address at the command line takes the same way", () =>
    Effect.gen(function* () {
      const { url } = yield* aPrivateHost("assay", "s3cret-in-address")
      const code = yield* codeHost(aVault())
      const watch = yield* watchProcesses(formsOf("s3cret-in-address", "assay"))
      yield* code.fetch(fetching({ url: url.replace("//", "//assay:s3cret-in-address@") }))
      assert.deepStrictEqual((yield* watch.end).found, [])
    })
  )
})

describe.concurrent("an authority of the operator", () => {
  it.scopedLive("is trusted by git beside those of the machine", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host } = yield* aPrivateHost("assay", "right")
      keepLogin(vault, host, "assay", "right")
      const without = yield* codeHost(vault, { extraAuthorities: null })
      const untrusted = yield* Effect.flip(without.inspect(registered(url)))
      assert.strictEqual(untrusted.reason, "unreachable")
      assert.include(untrusted.message, "ASSAY_EXTRA_CA")
      assert.deepStrictEqual(vault.used, [])
      const trusting = yield* codeHost(vault)
      assert.strictEqual((yield* trusting.inspect(registered(url))).default_branch, "main")
    })
  )
})
