import type { ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { BoundedServer, mostInFlight } from "../../src/http/BoundedServer.ts"
import { type EndedRequest } from "../../src/http/observedServer.ts"
import { factsOf } from "../../src/services/support/RequestFacts.ts"

interface Held {
  readonly url: string
  readonly open: Array<ServerResponse>
  readonly ended: Array<EndedRequest>
  readonly server: BoundedServer
}

/** A server whose requests wait in `open` until the test ends them; `/stream` is an event stream. */
const held = Effect.acquireRelease(
  Effect.async<Held>((resume) => {
    const open: Array<ServerResponse> = []
    const ended: Array<EndedRequest> = []
    const server = new BoundedServer({}, { underWay: new Set(), ended: (request) => void ended.push(request) })
    server.on("request", (request, response) => {
      factsOf(request).isStream = request.url === "/stream"
      open.push(response)
      response.writeHead(200).flushHeaders()
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, open, ended, server }))
    })
  }),
  ({ server }) =>
    Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
)

const ask = (url: string) => Effect.promise(() => fetch(url))

describe("a server", () => {
  it.scoped(
    "rejects with 503 and Retry-After what is too much at once, and takes requests again once one has ended",
    () =>
      Effect.gen(function* () {
        const { url, open, ended } = yield* held
        const streams = yield* Effect.forEach(Array(5).fill(`${url}/stream`), ask, { concurrency: "unbounded" })
        const served = yield* Effect.forEach(Array(mostInFlight).fill(url), ask, { concurrency: "unbounded" })
        assert.deepStrictEqual(new Set([...streams, ...served].map(({ status }) => status)), new Set([200]))

        const rejected = yield* ask(url)
        assert.deepStrictEqual([rejected.status, rejected.headers.get("retry-after")], [503, "1"])
        const { error } = yield* Effect.promise(() => rejected.json() as Promise<{ error: Record<string, unknown> }>)
        assert.deepStrictEqual([error.code, error.request_id], ["server_busy", rejected.headers.get("x-request-id")])
        assert.deepStrictEqual(
          ended.map(({ status }) => status),
          [503]
        )

        const last = open.at(-1)!
        const closed = Effect.async<void>((resume) => void last.once("close", () => resume(Effect.void)))
        last.end()
        yield* closed
        assert.strictEqual((yield* ask(url)).status, 200)
      })
  )
})
