import { Agent, type IncomingHttpHeaders, request } from "node:http"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ErrorBody } from "../../src/schema/ApiError.ts"
import { App } from "./TestApp.ts"

/** A signed-in browser. */
export interface Cookie {
  readonly cookie: string
  readonly csrf: string
}

export interface Call {
  readonly method?: string
  /** Sent as it is: nothing is normalised. */
  readonly path: string
  /** An API key, or a browser's session. */
  readonly as?: string | Cookie | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is, chunked when it has parts. */
  readonly body?: string | Buffer | ReadonlyArray<Buffer>
  readonly address?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const agent = new Agent({ keepAlive: false })

const credentials = (as: Call["as"]): Record<string, string> =>
  as === undefined
    ? {}
    : typeof as === "string"
      ? { authorization: `Bearer ${as}` }
      : { cookie: `assay_session=${as.cookie}`, "x-assay-csrf": as.csrf }

/** One request, byte for byte as a test wants it. */
export const send = (call: Call) =>
  Effect.flatMap(App, ({ url }) =>
    Effect.async<Answer>((resume) => {
      const { hostname, port } = new URL(url)
      const body = call.json === undefined ? call.body : JSON.stringify(call.json)
      const chunked = Array.isArray(body)
      const outgoing = request({
        agent,
        hostname,
        port,
        path: call.path,
        method: call.method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          "x-forwarded-for": call.address ?? "203.0.113.7",
          ...credentials(call.as),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(body === undefined || chunked ? {} : { "content-length": Buffer.byteLength(body as string | Buffer) }),
          ...call.headers
        }
      })
      outgoing.on("error", (error) => resume(Effect.die(error)))
      outgoing.on("response", (incoming) => {
        const parts: Array<Buffer> = []
        incoming.on("data", (part) => parts.push(part))
        incoming.on("error", (error) => resume(Effect.die(error)))
        incoming.on("end", () =>
          resume(
            Effect.succeed({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(parts).toString()
            })
          )
        )
      })
      if (chunked) for (const part of body) outgoing.write(part)
      outgoing.end(chunked ? undefined : body)
      return Effect.sync(() => outgoing.destroy())
    })
  )

export const jsonOf = (answer: Answer): Record<string, unknown> => JSON.parse(answer.text)

/** The error of an envelope, after a check of its form and of the request id in the header. */
export const errorOf = (answer: Answer): ErrorBody => {
  assert.include(String(answer.headers["content-type"]), "application/json", answer.text)
  const { error, ...rest } = JSON.parse(answer.text)
  assert.deepStrictEqual(rest, {})
  assert.match(error.request_id, /^req_[0-9a-f]{32}$/)
  assert.strictEqual(answer.headers["x-request-id"], error.request_id)
  return error
}

/** Status and code of an error; the status alone of any other response. */
export const outcomeOf = (answer: Answer): string =>
  answer.status < 400 ? String(answer.status) : `${answer.status} ${errorOf(answer).code}`

export const outcome = (call: Call) => Effect.map(send(call), outcomeOf)
