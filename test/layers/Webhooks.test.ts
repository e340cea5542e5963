import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as OutboundHttp from "../../src/layers/OutboundHttp.ts"
import { transportWith } from "../../src/layers/Webhooks.ts"
import { WebhookTransport } from "../../src/services/ports/WebhookTransport.ts"
import { aServer } from "../support/gitServer.ts"
import { outboundOptions } from "../support/outbound.ts"

const transportOver = (options: Partial<OutboundHttp.OutboundHttpOptions>) =>
  Layer.provide(transportWith(400), OutboundHttp.layer({ ...outboundOptions, ...options }))

const post = (url: string, options: Partial<OutboundHttp.OutboundHttpOptions> = {}) =>
  Effect.flatMap(WebhookTransport, (transport) => transport.post({ url, headers: {}, body: "{}" })).pipe(
    Effect.provide(transportOver(options))
  )

const check = (url: string, options: Partial<OutboundHttp.OutboundHttpOptions> = {}) =>
  Effect.flatMap(WebhookTransport, (transport) => transport.check(url)).pipe(
    Effect.as("admitted" as const),
    Effect.catchAll(({ reason }) => Effect.succeed(reason)),
    Effect.provide(transportOver(options))
  )

const local = (port: number) => `http://127.0.0.1:${port}/hook`

/** A server that writes what it likes, not necessarily HTTP. */
const aRawServer = (serve: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket.on("error", () => undefined))
        serve(socket)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          for (const socket of sockets) socket.destroy()
          server.close()
        }
        resume(Effect.succeed({ port, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ port }) => port))

const guarded = { allowPrivateNetwork: false }

describe.concurrent("a post to an endpoint", () => {
  it.scopedLive("returns the status without reading a body that never ends", () =>
    Effect.gen(function* () {
      const port = yield* aServer((_, response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        }
        response.on("drain", more)
        more()
      })
      assert.strictEqual(yield* post(local(port)), 200)
    })
  )

  it.scopedLive("is given up on an endpoint that hangs, drips, or does not speak HTTP", () =>
    Effect.gen(function* () {
      const hanging = yield* aServer(() => undefined)
      const dripping = yield* aRawServer((socket) => {
        const drip = setInterval(() => socket.write("HTTP/1.1 200 OK\r\nx".slice(0, 1)), 50)
        socket.on("close", () => clearInterval(drip))
      })
      const junk = yield* aRawServer((socket) => {
        socket.end("what is this?\r\n\r\n")
      })
      for (const port of [hanging, dripping, junk]) {
        const { reason, message } = yield* Effect.flip(post(local(port)))
        assert.strictEqual(reason, "unanswered")
        assert.include(message, `127.0.0.1:${port}`)
      }
    })
  )

  it.scopedLive("follows no redirect, and sends nothing to where it leads", () =>
    Effect.gen(function* () {
      let visits = 0
      const inside = yield* aServer((_, response) => {
        visits++
        response.end()
      })
      for (const status of [301, 302, 307, 308]) {
        const port = yield* aServer((_, response) => {
          response.writeHead(status, { location: local(inside) }).end()
        })
        const { reason, message } = yield* Effect.flip(post(local(port)))
        assert.strictEqual(reason, "unanswered")
        assert.include(message, "redirect")
      }
      assert.strictEqual(visits, 0)
    })
  )

  it.scopedLive("goes to no address inside the network, whatever a name resolves to when it is sent", () =>
    Effect.gen(function* () {
      const answers = ["93.184.216.34", "127.0.0.1"]
      const resolve = () => Promise.resolve([answers.shift() ?? "127.0.0.1"])
      const options = { ...guarded, resolve }
      assert.strictEqual(yield* check("https://hooks.example.test/", options), "admitted")
      const { reason } = yield* Effect.flip(post("https://hooks.example.test/", options))
      assert.strictEqual(reason, "address_refused")
    })
  )
})

describe("the address of an endpoint", () => {
  it.effect("is rejected where it is inside the network, a cloud's metadata service or not https", () =>
    Effect.gen(function* () {
      for (const url of [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://0x7f.1/",
        "https://169.254.169.254/latest",
        "https://10.1.2.3/",
        "http://hooks.example.test/"
      ]) {
        assert.strictEqual(yield* check(url, guarded), "address_refused", url)
      }
      assert.strictEqual(yield* check("https://169.254.169.254/"), "address_refused")
    })
  )

  it.effect("may be one that no name server knows yet", () =>
    Effect.gen(function* () {
      const resolve = () => Promise.reject(new Error("ENOTFOUND"))
      assert.strictEqual(yield* check("https://hooks.example.test/", { ...guarded, resolve }), "admitted")
    })
  )
})
