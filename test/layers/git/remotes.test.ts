import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { PlainGitCodeHost, type PlainGitOptions } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { aFolder, aRepository } from "../../support/gitRepository.ts"
import { aListener, aServer, servesGit } from "../../support/gitServer.ts"

const codeHost = (options: Partial<PlainGitOptions> = {}) =>
  Effect.provide(
    CodeHost,
    PlainGitCodeHost.layer({ dataDir: aFolder(), localRoots: [], allowPrivateNetwork: true, ...options })
  )

const rejection = (url: string, options: Partial<PlainGitOptions> = {}) =>
  Effect.flatMap(codeHost(options), (code) =>
    Effect.flip(code.fetch({ repositoryId: "r", remote: { url }, branch: "main" }))
  )

describe.concurrent("PlainGitCodeHost over the network", () => {
  it.scopedLive("fetches over http from the address it checked, not from the name", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const repository = aRepository({ "a.ts": "a" }, { path: join(folder, "acme/api.git"), bare: true })
      const port = yield* aServer(servesGit(folder))
      // Nothing but the pin knows this host.
      const code = yield* codeHost({ resolve: () => Promise.resolve(["127.0.0.1"]) })
      const remote = { url: `http://code.invalid:${port}/acme/api.git` }
      assert.strictEqual((yield* code.inspect(remote)).default_branch, "main")
      const first = yield* code.fetch({ repositoryId: "r", remote, branch: "main" })
      assert.strictEqual(first.commit, repository.git("rev-parse", "main"))
      const next = repository.commit({ "b.ts": "b" })
      assert.strictEqual((yield* code.fetch({ repositoryId: "r", remote, branch: "main" })).commit, next)
    })
  )

  it.scopedLive("sends credentials of the address once the server asks, and never repeats them", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      aRepository({ "a.ts": "a" }, { path: join(folder, "api"), bare: true })
      const serve = servesGit(folder)
      const expected = `Basic ${Buffer.from("user:s3cret").toString("base64")}`
      const port = yield* aServer((request, response) =>
        request.headers.authorization === expected
          ? serve(request, response)
          : response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end("s3cret")
      )
      const code = yield* codeHost()
      const fetch = (login: string) =>
        code.fetch({ repositoryId: "r", remote: { url: `http://${login}127.0.0.1:${port}/api` }, branch: "main" })
      yield* fetch("user:s3cret@")
      const wrong = yield* Effect.flip(fetch("user:other-s3cret@"))
      assert.strictEqual(wrong.reason, "authentication")
      assert.notInclude(JSON.stringify(wrong), "s3cret")
      assert.strictEqual((yield* Effect.flip(fetch(""))).reason, "authentication")
    })
  )

  it.scopedLive("names what a server answers", () =>
    Effect.gen(function* () {
      const port = yield* aServer((request, response) => {
        const answer = /\/status\/(\d+)/.exec(request.url ?? "")?.[1]
        if (answer === undefined) response.end("<html>\n<p>hello\n</html>\n")
        else response.writeHead(Number(answer), { location: "http://169.254.169.254/x" }).end()
      })
      const reasons = { 401: "authentication", 403: "authentication", 404: "not_found", 500: "unreachable" }
      for (const [status, reason] of Object.entries({ ...reasons, 301: "unreachable", 302: "unreachable" })) {
        const rejected = yield* rejection(`http://127.0.0.1:${port}/status/${status}`)
        assert.strictEqual(rejected.reason, reason, status)
      }
      assert.strictEqual((yield* rejection(`http://127.0.0.1:${port}/page`)).reason, "not_found")
    })
  )

  it.scopedLive("does not follow a redirect", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const inner = yield* aServer((request, response) => {
        seen.push(request.url ?? "")
        response.end()
      })
      const outer = yield* aServer((_, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${inner}/info/refs` }).end()
      )
      yield* rejection(`http://127.0.0.1:${outer}/x`)
      assert.deepStrictEqual(seen, [])
    })
  )

  it.scopedLive("gives up on a server that does not answer, and lets go when interrupted", () =>
    Effect.gen(function* () {
      const port = yield* aServer(() => {})
      const url = `http://127.0.0.1:${port}/x`
      assert.strictEqual((yield* rejection(url, { timeout: "300 millis" })).reason, "timeout")
      const slow = { lowSpeed: { bytesPerSecond: 1000, seconds: 1 } }
      assert.strictEqual((yield* rejection(url, slow)).reason, "timeout")
      const fiber = yield* Effect.fork(rejection(url))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
    })
  )

  it.live("rejects addresses that are not public before anything is sent", () =>
    Effect.gen(function* () {
      const closed = { allowPrivateNetwork: false, allowHttp: true }
      const hosts = ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "10.1.2.3", "169.254.169.254", "[::ffff:10.0.0.1]"]
      for (const host of hosts) {
        for (const url of [`https://${host}/x`, `http://${host}/x`, `ssh://git@${host}/x`]) {
          const { reason, message } = yield* rejection(url, closed)
          assert.strictEqual(reason, "address_refused", url)
          assert.include(message, "ASSAY_ALLOW_PRIVATE_NETWORK")
        }
      }
      const rebinding = { ...closed, resolve: () => Promise.resolve(["93.184.216.34", "192.168.0.1"]) }
      assert.strictEqual((yield* rejection("git@code.example:x", rebinding)).reason, "address_refused")
    })
  )

  it.scopedLive("names a host that is not there and a port that is closed", () =>
    Effect.gen(function* () {
      const gone = { resolve: () => Promise.reject(new Error("ENOTFOUND")) }
      assert.strictEqual((yield* rejection("https://code.invalid/x", gone)).reason, "unreachable")
      const port = yield* Effect.scoped(aServer(() => {}))
      assert.strictEqual((yield* rejection(`http://127.0.0.1:${port}/x`)).reason, "unreachable")
      assert.strictEqual((yield* rejection(`ssh://git@127.0.0.1:${port}/x`)).reason, "unreachable")
    })
  )

  it.scopedLive("connects with ssh to the address it checked", () =>
    Effect.gen(function* () {
      const greeting = yield* Deferred.make<string>()
      const port = yield* aListener((socket) => {
        socket.once("data", (bytes) => {
          Deferred.unsafeDone(greeting, Effect.succeed(bytes.toString()))
          socket.destroy()
        })
      })
      const pinned = { resolve: () => Promise.resolve(["127.0.0.1"]) }
      assert.strictEqual((yield* rejection(`ssh://git@code.invalid:${port}/x`, pinned)).reason, "unreachable")
      assert.match(yield* Deferred.await(greeting), /^SSH-2/)
    })
  )

  it.scopedLive("starts over cleanly after a fetch that was killed in the middle of a pack", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const noise = createHash("shake256", { outputLength: 500_000 }).update("x").digest("hex")
      const repository = aRepository({ noise }, { path: join(folder, "api"), bare: true })
      const halfway = yield* Deferred.make<void>()
      const serve = servesGit(folder)
      let broken = true
      const port = yield* aServer((request, response) => {
        if (broken) stallAfter(65_536, response, () => Deferred.unsafeDone(halfway, Effect.void))
        serve(request, response)
      })
      const dataDir = aFolder()
      const code = yield* codeHost({ dataDir })
      const fetch = code.fetch({ repositoryId: "r", remote: { url: `http://127.0.0.1:${port}/api` }, branch: "main" })
      const fiber = yield* Effect.fork(fetch)
      yield* Deferred.await(halfway)
      yield* Fiber.interrupt(fiber)
      broken = false
      assert.deepStrictEqual(readdirSync(join(dataDir, "mirrors")), ["README"])
      assert.strictEqual((yield* fetch).commit, repository.git("rev-parse", "main"))
    })
  )

  it.scopedLive("does not mistake another protocol for git", () =>
    Effect.gen(function* () {
      const port = yield* aServer((_, response) => response.end())
      assert.strictEqual((yield* rejection(`ssh://git@127.0.0.1:${port}/x`)).reason, "unreachable")
      assert.strictEqual((yield* rejection(`https://127.0.0.1:${port}/x`)).reason, "unreachable")
    })
  )
})

/** Lets only the beginning of a long response through. */
const stallAfter = (limit: number, response: ServerResponse, onStall: () => void) => {
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  let sent = 0
  response.write = (chunk: Uint8Array) => {
    sent += chunk.length
    if (sent > limit) onStall()
    return sent > limit || write(chunk)
  }
  response.end = () => (sent > limit ? response : end())
}
