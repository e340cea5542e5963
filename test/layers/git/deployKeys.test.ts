import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PlainGitCodeHost, type PlainGitOptions } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { inForm } from "../../support/forms.ts"
import { aFolder, aRepository } from "../../support/gitRepository.ts"
import { aVault, keepKey, registered, type Vault } from "../../support/remoteCredentials.ts"
import { formsOf, inFiles, watchProcesses } from "../../support/secretHunt.ts"
import { aKeyPair, anSshGitServer, type KeyPair } from "../../support/sshGitServer.ts"

const codeHost = (vault: Vault, options: Partial<PlainGitOptions> = {}) =>
  Effect.provide(
    CodeHost,
    PlainGitCodeHost.layer({
      dataDir: aFolder(),
      localRoots: [],
      allowPrivateNetwork: true,
      resolve: () => Promise.resolve(["127.0.0.1"]),
      ...options
    })
  ).pipe(Effect.provide(vault.layer))

const key = aKeyPair()
const other = aKeyPair()

/** A repository on a server that lets the key in. */
const aPrivateHost = (authorized: KeyPair) =>
  Effect.gen(function* () {
    const folder = aFolder()
    const repository = aRepository({ "a.ts": "a" }, { path: join(folder, "acme/api.git"), bare: true })
    const server = yield* anSshGitServer(folder, authorized.publicKey)
    const host = `git.example.test:${server.port}`
    const knownHosts = server.knownHosts("git.example.test")
    return { ...server, repository, host, known: knownHosts, url: `ssh://git@${host}/acme/api.git` }
  })

const fetching = (url: string) => ({ repositoryId: "r", remote: registered(url), branch: "main" })

describe.concurrent("a deploy key", () => {
  it.scopedLive("lets a private repository be inspected, fetched and pushed to", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, known, repository, offers } = yield* aPrivateHost(key)
      keepKey(vault, host, { privateKey: key.privateKey, knownHosts: known })
      const code = yield* codeHost(vault)
      const { gitDir, commit } = yield* code.fetch(fetching(url))
      assert.strictEqual(commit, repository.git("rev-parse", "main"))
      const remote = registered(url)
      yield* code.push({ repositoryId: "r", remote, gitDir, commit, branch: "assay/fix", expected: null })
      assert.strictEqual(repository.git("rev-parse", "assay/fix"), commit)
      assert.deepStrictEqual(
        [[...new Set(offers.map(({ user, key }) => `${user} ${key}`))], [...new Set(vault.used)]],
        [[`git ${key.publicKey}`], [host]]
      )
    })
  )

  const kinds = [
    ["rsa", "-t", "rsa", "-b", "2048"],
    ["rsa in PEM", "-t", "rsa", "-b", "2048", "-m", "PEM"],
    ["nistp256", "-t", "ecdsa", "-b", "256"],
    ["nistp384", "-t", "ecdsa", "-b", "384"],
    ["nistp521", "-t", "ecdsa", "-b", "521"]
  ] as const
  for (const [kind, ...args] of inForm<ReadonlyArray<(typeof kinds)[number]>>({
    short: kinds.slice(1, 3),
    long: kinds
  })) {
    it.scopedLive(`may be of kind ${kind}`, () =>
      Effect.gen(function* () {
        const vault = aVault()
        const pair = aKeyPair(...args)
        const { url, host, known, offers } = yield* aPrivateHost(pair)
        keepKey(vault, host, { privateKey: pair.privateKey, knownHosts: known })
        assert.strictEqual((yield* (yield* codeHost(vault)).inspect(registered(url))).default_branch, "main")
        if (kind.startsWith("rsa")) {
          // Signatures with SHA-1 are not made.
          assert.match(offers.map(({ hash }) => hash).join(), /^(?:,|sha256|sha512)+$/)
        }
      })
    )
  }

  it.scopedLive("is not offered to a host with another host key", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, port, offers } = yield* aPrivateHost(key)
      keepKey(vault, host, {
        privateKey: key.privateKey,
        knownHosts: `[git.example.test]:${port} ${other.publicKey}\n`
      })
      const rejected = yield* Effect.flip((yield* codeHost(vault)).inspect(registered(url)))
      assert.strictEqual(rejected.reason, "authentication")
      assert.include(rejected.message, "host key")
      assert.deepStrictEqual([offers, vault.used], [[], []])
    })
  )

  it.scopedLive("that the host no longer takes is an authentication error", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, known, authorized } = yield* aPrivateHost(key)
      keepKey(vault, host, { privateKey: key.privateKey, knownHosts: known })
      const code = yield* codeHost(vault)
      yield* code.inspect(registered(url))
      authorized.clear()
      assert.strictEqual((yield* Effect.flip(code.inspect(registered(url)))).reason, "authentication")
    })
  )

  it.scopedLive("is for its own host, and for registered remotes that are not anonymous only", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, known, offers, port } = yield* aPrivateHost(key)
      keepKey(vault, host, { privateKey: key.privateKey, knownHosts: known })
      const code = yield* codeHost(vault)
      const elsewhere = registered(`ssh://git@other.example.test:${port}/acme/api.git`)
      for (const remote of [{ url }, registered(url, "anonymous"), elsewhere]) {
        assert.strictEqual((yield* Effect.flip(code.inspect(remote))).reason, "authentication")
      }
      assert.deepStrictEqual([offers, vault.used], [[], []])
    })
  )

  it.scopedLive("signs in as the credential's user where the address names none", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, known, offers } = yield* aPrivateHost(key)
      keepKey(vault, host, { privateKey: key.privateKey, knownHosts: known, username: "deploy" })
      const code = yield* codeHost(vault)
      yield* code.inspect(registered(url.replace("git@", "")))
      yield* code.inspect(registered(url))
      assert.deepStrictEqual([...new Set(offers.map(({ user }) => user))], ["deploy", "git"])
    })
  )
})

// Beside the others it would see their sockets.
describe("a deploy key that is used", () => {
  it.scopedLive("is in no process list, environment or file while git runs, and its sockets are gone after it", () =>
    Effect.gen(function* () {
      const vault = aVault()
      const { url, host, known, port } = yield* aPrivateHost(key)
      keepKey(vault, host, { privateKey: key.privateKey, knownHosts: known })
      const forms = formsOf(key.privateKey)
      const dataDir = aFolder()
      const code = yield* codeHost(vault, { dataDir })
      const watch = yield* watchProcesses(forms)
      const sockets = new Set<string>()
      for (let round = 0; round < 3; round++) yield* code.fetch(fetching(url))
      const { found, programs } = yield* watch.end
      assert.deepStrictEqual(found, [])
      // Other files' programs run on this machine meanwhile.
      for (const program of programs.filter((one) => one.includes(` ${port} `))) {
        for (const [folder] of program.matchAll(/assay-git-\w{6}(?=\/)/g)) sockets.add(folder)
      }
      assert.isNotEmpty([...sockets])
      assert.deepStrictEqual(inFiles(dataDir, forms), [])
      const left = readdirSync(tmpdir())
      assert.deepStrictEqual(
        [...sockets].filter((folder) => left.includes(folder)),
        []
      )
    })
  )
})
