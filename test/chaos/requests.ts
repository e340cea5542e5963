import { Effect } from "effect"
import { type Dispatcher, request } from "undici"

/** One call, for either interface. */
export interface Attempt {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The same over MCP; without one REST is used. */
  readonly tool?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
}

type Json = Readonly<Record<string, unknown>>

/** What became of a call, as its caller knows it. */
export interface Reply {
  /** `ok`, the code of the error, or `none` when no response came. */
  readonly code: string
  /** Whether the call may have taken effect although its caller has no acknowledgement. */
  readonly isOpen: boolean
  readonly json: Json
  readonly seconds: number
}

export interface Target {
  readonly api: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
}

// A call that takes longer than this has hung: it is given up so that the run ends, and counts as that long.
const hangSeconds = 60

const contentHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" }

interface Response {
  readonly status: number
  readonly json: Json
}

const sent = ({ api, headers, dispatcher }: Target, method: string, path: string, more: Json, body: unknown) =>
  Effect.tryPromise(async (): Promise<Response> => {
    const { statusCode, body: answer } = await request(`${api}${path}`, {
      method,
      dispatcher,
      headers: { ...contentHeaders, ...headers, ...(more as Readonly<Record<string, string>>) },
      headersTimeout: hangSeconds * 1000,
      bodyTimeout: hangSeconds * 1000,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: statusCode, json: (text === "" ? {} : JSON.parse(text)) as Json }
  }).pipe(Effect.orElseSucceed(() => null))

const errorOf = (json: Json | undefined) => (json?.error as { readonly code?: string } | undefined)?.code

/** Codes after which the change may be there or not. */
const openCodes: ReadonlySet<string> = new Set(["none", "database_unavailable", "internal_error"])

const replyOf = (response: Response | null, json: Json | undefined): Omit<Reply, "seconds"> => {
  if (response === null || json === undefined) return { code: "none", isOpen: true, json: {} }
  const code = errorOf(json) ?? (response.status < 400 ? "ok" : `status_${response.status}`)
  return { code, isOpen: openCodes.has(code) || response.status >= 500, json }
}

const overMcp = (target: Target, tool: NonNullable<Attempt["tool"]>) => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }
  return Effect.map(sent(target, "POST", "/mcp/", {}, message), (response) => {
    const result = response?.json.result as { readonly structuredContent?: Json } | undefined
    return replyOf(response, result?.structuredContent ?? response?.json)
  })
}

const overRest = (target: Target, { method, path, headers = {}, body }: Attempt) =>
  Effect.map(sent(target, method, path, headers, body), (response) => replyOf(response, response?.json))

/** Makes the call, over MCP where that is asked for and the call has a tool. */
export const attempted = (target: Target, attempt: Attempt, viaMcp: boolean): Effect.Effect<Reply> =>
  Effect.suspend(() => {
    const startedAt = performance.now()
    const reply = viaMcp && attempt.tool !== undefined ? overMcp(target, attempt.tool) : overRest(target, attempt)
    return Effect.map(reply, (of) => ({ ...of, seconds: (performance.now() - startedAt) / 1000 }))
  })
