import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { BoundedServer, defaultLimits } from "../../src/http/BoundedServer.ts"
import { type EndedRequest } from "../../src/http/observedServer.ts"
import { factsOf } from "../../src/services/support/RequestFacts.ts"

interface Held {
  readonly url: string
  readonly open: Map<string, ServerResponse>
  readonly ended: Array<EndedRequest>
  readonly server: BoundedServer
}

/** A server of one slot and two that wait, whose requests stay in `open` by their addresses until the test ends them. */
const held = Effect.acquireRelease(
  Effect.async<Held>((resume) => {
    const open = new Map<string, ServerResponse>()
    const ended: Array<EndedRequest> = []
    const observer = { underWay: new Set<never>(), ended: (request: EndedRequest) => void ended.push(request) }
    const limits = { ...defaultLimits, slots: 1, slotMillis: 3_600_000, waiting: 2, burstMillis: 3_600_000 }
    const server = new BoundedServer({}, observer, limits)
    server.on("request", (request, response) => {
      factsOf(request).workspace = request.headers.authorization ?? null
      open.set(request.url!, response)
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

const arrivals = "http.server.request.start"

/** Sends a request and waits until the server has seen it, whether it starts or not. */
const send = ({ url, server }: Held, path: string, workspace: string) =>
  Effect.async<Promise<Response>>((resume) => {
    const seen = (message: unknown) => {
      if ((message as { readonly server: unknown }).server !== server) return
      unsubscribe(arrivals, seen)
      resume(Effect.succeed(response))
    }
    subscribe(arrivals, seen)
    const response = fetch(`${url}${path}`, { headers: { authorization: workspace } })
    // What is still open at the end of the test ends with the server.
    response.catch(() => undefined)
  })

const finish = ({ open }: Held, path: string) =>
  Effect.async<void>((resume) => {
    const response = open.get(path)!
    response.once("close", () => resume(Effect.void))
    response.end()
  })

describe("a server", () => {
  it.scoped(
    "starts a request of another workspace before more of the same, and rejects the newest of what is too much",
    () =>
      Effect.gen(function* () {
        const server = yield* held
        // A workspace is known once the guard has admitted its key.
        for (const workspace of ["noisy", "quiet"]) {
          yield* send(server, `/${workspace}`, workspace)
          yield* finish(server, `/${workspace}`)
        }
        yield* send(server, "/n1", "noisy")
        yield* send(server, "/n2", "noisy")
        const last = yield* send(server, "/n3", "noisy")
        yield* send(server, "/q1", "quiet")

        const rejected = yield* Effect.promise(() => last)
        assert.deepStrictEqual([rejected.status, rejected.headers.get("retry-after")], [503, "1"])
        const { error } = yield* Effect.promise(() => rejected.json() as Promise<{ error: Record<string, unknown> }>)
        assert.deepStrictEqual([error.code, error.request_id], ["server_busy", rejected.headers.get("x-request-id")])
        assert.deepStrictEqual(
          server.ended.map(({ status }) => status),
          [503]
        )

        assert.isFalse(server.open.has("/q1"))
        yield* finish(server, "/n1")
        assert.isTrue(server.open.has("/q1"))
        assert.isFalse(server.open.has("/n2"))
        yield* finish(server, "/q1")
        assert.isTrue(server.open.has("/n2"))
      })
  )
})
