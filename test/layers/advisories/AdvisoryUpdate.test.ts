import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { hostname } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Advisories } from "../../../src/engine/index.ts"
import { type UpdateOptions, updateAdvisories } from "../../../src/layers/advisories/AdvisoryUpdate.ts"
import { readUpdateRecord } from "../../../src/layers/advisories/UpdateRecord.ts"
import * as OutboundHttp from "../../../src/layers/OutboundHttp.ts"
import { aFolder } from "../../support/gitRepository.ts"
import { aServer } from "../../support/gitServer.ts"
import { outboundOptions } from "../../support/outbound.ts"
import { zipOf } from "../../support/zip.ts"

const dumpOf = (fixed: string, ecosystem = "npm", padding = 0) => {
  const content = JSON.stringify({
    id: "GHSA-acme",
    modified: "2026-01-02T00:00:00Z",
    summary: "Acme is broken",
    details: createHash("shake256", { outputLength: padding }).update("padding").digest("base64"),
    affected: [
      { package: { ecosystem, name: "acme" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed }] }] },
      {
        package: { ecosystem: "RubyGems", name: "acme" },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }] }]
      }
    ]
  })
  const own = JSON.stringify({
    id: "GHSA-own",
    modified: "2026-01-01T00:00:00Z",
    summary: "A record of this ecosystem alone",
    affected: [{ package: { ecosystem, name: "own" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }] }] }]
  })
  return zipOf([
    { name: "GHSA-acme.json", content },
    { name: "GHSA-own.json", content: own }
  ])
}

interface Served {
  body: Buffer
  etag: string
  /** Ends the connection of the next answer after as many bytes. */
  breakAt: number | null
  digest: string | null
}

const answerWith = (served: Served, request: IncomingMessage, response: ServerResponse) => {
  const { headers } = request
  if (headers["if-none-match"] === served.etag) {
    response.writeHead(304).end()
    return
  }
  const isSame = headers["if-range"] === served.etag
  const [, from = "0"] = /^bytes=(\d+)-$/.exec(isSame ? (headers.range ?? "") : "") ?? []
  const rest = served.body.subarray(Number(from))
  const range = `bytes ${from}-${served.body.length - 1}/${served.body.length}`
  response.writeHead(from === "0" ? 200 : 206, {
    etag: served.etag,
    "content-length": rest.length,
    ...(from === "0" ? {} : { "content-range": range })
  })
  if (served.breakAt === null) response.end(rest)
  else response.write(rest.subarray(0, served.breakAt), () => response.destroy())
  served.breakAt = null
}

const aMirror = Effect.gen(function* () {
  const served: Served = { body: dumpOf("2.0.0"), etag: '"one"', breakAt: null, digest: null }
  const requests: Array<string> = []
  const answer: RequestListener = (request, response) => {
    const { url = "", headers } = request
    if (!url.endsWith(".sha256")) {
      requests.push(`${url} ${headers.range ?? headers["if-none-match"] ?? "whole"}`)
      answerWith(served, request, response)
    } else if (served.digest === null) response.writeHead(404).end()
    else response.end(`${served.digest}  all.zip\n`)
  }
  return { served, requests, base: new URL(`http://127.0.0.1:${yield* aServer(answer)}/osv`) }
})

const { open } = OutboundHttp.make(outboundOptions)

const update = (folder: string, base: URL, more: Partial<UpdateOptions> = {}) =>
  updateAdvisories({ base, ecosystems: ["npm"], folder, open, pauses: [], ...more }).pipe(
    Effect.map(([only]) => (only?.status === "failed" ? only.message : only?.status))
  )

const fixedIn = (folder: string) =>
  Advisories.openAdvisoryFile(folder, "npm")?.advisoriesOf("acme")[0]?.ranges[0]?.fixed ?? null

const answering = (answer: RequestListener) =>
  Effect.map(aServer(answer), (port) => new URL(`http://127.0.0.1:${port}/osv`))

describe("an update of the advisories", { timeout: 600_000 }, () => {
  it.scopedLive("imports the dump of the ecosystem it asks for, and nothing of others", () =>
    Effect.gen(function* () {
      const [folder, { base, requests }] = [aFolder(), yield* aMirror]
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.strictEqual(fixedIn(folder), "2.0.0")
      assert.deepStrictEqual(requests, ["/osv/npm/all.zip whole"])
      assert.deepStrictEqual(readdirSync(folder).sort(), ["downloads", "npm.advisories", "updates.json"])
      assert.deepStrictEqual(readdirSync(join(folder, "downloads")), [])
    })
  )

  it.scopedLive("fetches an unchanged dump once, until other advisories take its place", () =>
    Effect.gen(function* () {
      const [folder, { base, requests, served }] = [aFolder(), yield* aMirror]
      yield* update(folder, base)
      assert.strictEqual(yield* update(folder, base), "unchanged")
      Object.assign(served, { body: dumpOf("3.0.0"), etag: '"two"' })
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.strictEqual(fixedIn(folder), "3.0.0")
      const other = join(folder, "other.zip")
      writeFileSync(other, dumpOf("9.0.0"))
      yield* Effect.promise(() =>
        Advisories.importOsv({ paths: [other], folder, add: false, importedAt: "2026-02-01T00:00:00.000Z" })
      )
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.deepStrictEqual(
        requests.map((line) => line.split(" ")[1]),
        ["whole", '"one"', '"one"', "whole"]
      )
    })
  )

  it.scopedLive("goes on where the connection broke, and starts again when the dump has changed since", () =>
    Effect.gen(function* () {
      const [folder, { base, requests, served }] = [aFolder(), yield* aMirror]
      Object.assign(served, { body: dumpOf("2.0.0", "npm", 600_000), breakAt: 400_000 })
      assert.include(yield* update(folder, base), "broke off after")
      assert.isNull(fixedIn(folder))
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.match(requests[1] ?? "", /^\/osv\/npm\/all\.zip bytes=[1-9]\d*-$/)
      Object.assign(served, { body: dumpOf("3.0.0", "npm", 600_000), etag: '"two"', breakAt: 400_000 })
      yield* update(folder, base)
      Object.assign(served, { body: dumpOf("4.0.0", "npm", 40_000), etag: '"three"' })
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.strictEqual(fixedIn(folder), "4.0.0")
    })
  )

  it.scopedLive("tries again by itself after a broken connection", () =>
    Effect.gen(function* () {
      const [folder, { base, requests, served }] = [aFolder(), yield* aMirror]
      Object.assign(served, { body: dumpOf("2.0.0", "npm", 600_000), breakAt: 400_000 })
      assert.strictEqual(yield* update(folder, base, { pauses: [1] }), "updated")
      assert.lengthOf(requests, 2)
    })
  )

  it.scopedLive("keeps what is in force when the new dump is damaged, foreign or not what its digest says", () =>
    Effect.gen(function* () {
      const [folder, { base, served }] = [aFolder(), yield* aMirror]
      yield* update(folder, base)
      const whole = dumpOf("3.0.0", "npm", 1_000)
      const flipped = Buffer.from(whole)
      flipped[200] = flipped[200]! ^ 0xff
      const broken = zipOf([
        { name: "a.json", content: "{}" },
        { name: "b.json", content: "[" }
      ])
      const cases: ReadonlyArray<readonly [Buffer, string | null, RegExp]> = [
        [whole.subarray(0, 500), null, /is not a whole dump: /],
        [flipped, null, /is not a whole dump: 1 of its files are damaged/],
        [broken, null, /is not a whole dump: 2 of its records are no OSV advisories/],
        [dumpOf("3.0.0", "PyPI"), null, /It has no advisory for npm/],
        [Buffer.from("<html>sign in</html>"), null, /is no zip file/],
        [whole, "0".repeat(64), /does not have the digest that/],
        [whole, "no digest", /does not have the digest that/]
      ]
      for (const [index, [body, digest, message]] of cases.entries()) {
        Object.assign(served, { body, digest, etag: `"bad ${index}"` })
        assert.match((yield* update(folder, base)) ?? "", message)
        assert.strictEqual(fixedIn(folder), "2.0.0")
        assert.deepStrictEqual(readdirSync(join(folder, "downloads")), [])
      }
      assert.deepStrictEqual(Object.keys(readUpdateRecord(folder).failures), ["npm"])
      const digest = createHash("sha256").update(whole).digest("hex")
      Object.assign(served, { body: whole, etag: '"good"', digest })
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.deepStrictEqual(readUpdateRecord(folder).failures, {})
    })
  )

  it.scopedLive("names what the mirror does wrong", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const absent = yield* answering((_, response) => response.writeHead(404).end())
      assert.match((yield* update(folder, absent)) ?? "", /npm\/all\.zip answers with status 404\.$/)
      const elsewhere = yield* answering((_, response) => response.writeHead(302, { location: "/other" }).end())
      assert.match((yield* update(folder, elsewhere)) ?? "", /answers with a redirect/)
      const page = yield* answering((_, response) =>
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html></html>")
      )
      assert.match((yield* update(folder, page)) ?? "", /is no zip file, but text\/html\.$/)
      const huge = yield* answering((_, response) => response.writeHead(200, { "content-length": 10_000 }).end())
      assert.match((yield* update(folder, huge, { maxBytes: 999 })) ?? "", /has more than 999 bytes/)
      const endless = yield* answering((_, response) => response.writeHead(200).end(Buffer.alloc(10_000)))
      assert.match((yield* update(folder, endless, { maxBytes: 999 })) ?? "", /has more than 999 bytes/)
      assert.deepStrictEqual(readdirSync(join(folder, "downloads")), [])
    })
  )

  it.scopedLive("reaches a private network only where the operator allows it", () =>
    Effect.gen(function* () {
      const { base } = yield* aMirror
      const careful = OutboundHttp.make({ ...outboundOptions, allowPrivateNetwork: false })
      const rejected = yield* update(aFolder(), base, { open: careful.open })
      assert.include(rejected, "ASSAY_ALLOW_PRIVATE_NETWORK=true")
      assert.strictEqual(yield* update(aFolder(), base, { open: careful.openConfigured }), "updated")
    })
  )

  it.scopedLive("reads a folder, and what has not changed there once", () =>
    Effect.gen(function* () {
      const [folder, mirror] = [aFolder(), aFolder()]
      const base = pathToFileURL(mirror)
      assert.match((yield* update(folder, base)) ?? "", /all\.zip does not exist/)
      mkdirSync(join(mirror, "npm"))
      writeFileSync(join(mirror, "npm", "all.zip"), dumpOf("2.0.0"))
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.strictEqual(yield* update(folder, base), "unchanged")
      assert.isAbove(readFileSync(join(mirror, "npm", "all.zip")).length, 0)
      writeFileSync(join(mirror, "npm", "all.zip.sha256"), "0".repeat(64))
      writeFileSync(join(mirror, "npm", "all.zip"), dumpOf("3.0.0-rc.1"))
      assert.match((yield* update(folder, base)) ?? "", /does not have the digest/)
    })
  )

  it.scopedLive("is done by one process at a time, and one that was killed holds nothing up", () =>
    Effect.gen(function* () {
      const [folder, { base }] = [aFolder(), yield* aMirror]
      writeFileSync(join(folder, "update.lock"), `${process.pid} ${hostname()} x`)
      const taken = yield* Effect.flip(update(folder, base))
      assert.strictEqual(taken._tag, "FolderTaken")
      writeFileSync(join(folder, "update.lock"), `4194999 ${hostname()} x`)
      assert.strictEqual(yield* update(folder, base), "updated")
      assert.notInclude(readdirSync(folder), "update.lock")
    })
  )
})
