import { createServer, type RequestListener, type ServerOptions, STATUS_CODES } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { noObserver } from "../../src/http/observedServer.ts"
import { withProtocolErrors } from "../../src/http/protocolErrors.ts"
import { App, TestApp } from "../support/TestApp.ts"

interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Everything that a connection returns to these bytes, each piece sent at once, until the server closes it. */
const exchange = (url: string, ...pieces: ReadonlyArray<string>) =>
  Effect.async<string>((resume) => {
    const { hostname, port } = new URL(url)
    let received = ""
    const socket = connect(Number(port), hostname)
    socket.setEncoding("utf8")
    for (const piece of pieces) socket.write(piece)
    socket.on("data", (text) => {
      received += text
    })
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

/** The responses of a connection, one after another. */
const responsesOf = (text: string): ReadonlyArray<RawResponse> => {
  if (text === "") return []
  const [head = "", ...rest] = text.split("\r\n\r\n")
  const [start = "", ...lines] = head.split("\r\n")
  const [, status = "", reason] = /^HTTP\/1\.1 (\d{3}) (.+)$/.exec(start) ?? []
  assert.strictEqual(reason, STATUS_CODES[status], text)
  const headers = new Map(lines.map((line) => [line.replace(/:.*/, "").toLowerCase(), line.replace(/^[^:]+: ?/, "")]))
  const after = rest.join("\r\n\r\n")
  const length = Number(headers.get("content-length"))
  assert.isNotNaN(length, text)
  const body = Buffer.from(after).subarray(0, length).toString()
  return [{ status: Number(status), headers, body }, ...responsesOf(after.slice(body.length))]
}

const codeOf = ({ status, headers, body }: RawResponse) => {
  const { error } = JSON.parse(body)
  assert.strictEqual(headers.get("content-type"), "application/json")
  assert.match(error.request_id, /^req_[0-9a-f]{32}$/)
  assert.strictEqual(headers.get("x-request-id"), error.request_id)
  assert.isString(error.message)
  return `${status} ${error.type} ${error.code}`
}

const chunked = (path: string, chunks: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`

/** Paths whose handler reads the body before anything else: the sign-in. */
const session = "/api/session"

layer(TestApp)("a request that is rejected below HTTP", (it) => {
  const cases: ReadonlyArray<readonly [name: string, bytes: string, outcome: string]> = [
    ["no HTTP at all", "hello\r\n\r\n", "400 invalid_request_error bad_request"],
    ["an unknown version", "GET / HTTP/3.7\r\nHost: localhost\r\n\r\n", "400 invalid_request_error bad_request"],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n", "400 invalid_request_error bad_request"],
    [
      "a header without a name",
      "GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n",
      "400 invalid_request_error bad_request"
    ],
    ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400 invalid_request_error bad_request"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
      "400 invalid_request_error bad_request"
    ],
    ["a chunk without a size", chunked(session, "zz\r\n"), "400 invalid_request_error bad_request"],
    [
      "endless chunk extensions",
      chunked(session, `2;${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
      "413 invalid_request_error payload_too_large"
    ],
    [
      "an unknown expectation",
      "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}",
      "417 invalid_request_error expectation_failed"
    ],
    [
      "headers that are too large",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(200_000)}\r\n\r\n`,
      "431 invalid_request_error headers_too_large"
    ],
    [
      "an address that is too long",
      `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      "431 invalid_request_error headers_too_large"
    ],
    [
      "a tunnel",
      "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n",
      "405 invalid_request_error method_not_allowed"
    ]
  ]
  for (const [name, bytes, outcome] of cases) {
    it.effect(`has the envelope and a request id: ${name}`, () =>
      Effect.gen(function* () {
        const { url } = yield* App
        const responses = responsesOf(yield* exchange(url, bytes))
        assert.deepStrictEqual(responses.map(codeOf), [outcome])
        assert.strictEqual(responses[0]?.headers.get("connection"), "close")
      })
    )
  }

  it.effect("leaves the requests before it on the same connection their responses", () =>
    Effect.gen(function* () {
      const { url } = yield* App
      const get = "GET /api/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n"
      const responses = responsesOf(yield* exchange(url, `${get}${get}BROKEN\r\n\r\n`))
      assert.deepStrictEqual(responses.map(codeOf), [
        "401 authentication_error missing_api_key",
        "401 authentication_error missing_api_key",
        "400 invalid_request_error bad_request"
      ])
    })
  )

  it.effect("is not an upgrade: that is served as if it had not been asked for", () =>
    Effect.gen(function* () {
      const { url } = yield* App
      for (const upgrade of ["websocket", "h2c"]) {
        const bytes =
          `POST ${session} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n` +
          "Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{"
        assert.deepStrictEqual(responsesOf(yield* exchange(url, bytes)).map(codeOf), [
          "400 invalid_request_error bad_request"
        ])
      }
    })
  )

  it.effect("is not TRACE, which is 405 and names what is served", () =>
    Effect.gen(function* () {
      const { url } = yield* App
      for (const [path, allow] of [
        ["/", "GET, HEAD"],
        ["/api/jobs", "GET, HEAD"],
        ["/mcp/", "POST"]
      ] as const) {
        const [response] = responsesOf(
          yield* exchange(url, `TRACE ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
        )
        assert.isDefined(response, path)
        assert.strictEqual(codeOf(response), "405 invalid_request_error method_not_allowed", path)
        assert.strictEqual(response.headers.get("allow"), allow, path)
      }
    })
  )
})

const aNodeServer = (options: ServerOptions, listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = withProtocolErrors(createServer(options, listener), noObserver)
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))

const impatient = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 }

it.scopedLive("a request that does not arrive in time is 408, whether its headers or its body are late", () =>
  Effect.gen(function* () {
    const url = yield* aNodeServer(impatient, (request, response) =>
      request.on("end", () => response.end("read")).resume()
    )
    for (const bytes of [
      "GET / HTTP/1.1\r\nHo",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc"
    ]) {
      assert.deepStrictEqual(responsesOf(yield* exchange(url, bytes)).map(codeOf), [
        "408 invalid_request_error request_timeout"
      ])
    }
  })
)

it.scopedLive("nothing is written into a response under way, and nothing after one that ended early", () =>
  Effect.gen(function* () {
    const url = yield* aNodeServer({}, (_, response) => {
      response.writeHead(200, { "content-length": "4" }).write("ab")
      setImmediate(() => response.end("cd"))
    })
    const body = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    const [only, ...more] = responsesOf(yield* exchange(url, body))
    assert.deepStrictEqual([only?.status, only?.body, more.length], [200, "abcd", 0])
    const [first, second] = responsesOf(yield* exchange(url, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nBROKEN\r\n\r\n"))
    assert.deepStrictEqual(
      [first?.body, second === undefined ? null : codeOf(second)],
      ["abcd", "400 invalid_request_error bad_request"]
    )
  })
)
