import { Effect } from "effect"
import { type Dispatcher, request } from "undici"

/** One call, for either interface. */
export interface Attempt {
  readonly tool: string
  readonly method: "POST" | "PUT" | "DELETE"
  /** Below the issue. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Arguments that the tool takes and that REST has in its path. */
  readonly inPath?: Readonly<Record<string, unknown>>
}

/** What the service responded; `null` when no response came. */
export interface Outcome {
  /** `ok`, or the code of the error. */
  readonly code: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface Target {
  readonly api: string
  readonly headers: Readonly<Record<string, string>>
  readonly issue: string
  readonly overMcp: boolean
  readonly dispatcher: Dispatcher
}

interface Response {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

const contentHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" }

const sent = (
  { headers, dispatcher }: Target,
  method: Attempt["method"],
  url: string,
  body: unknown
): Effect.Effect<Response | null> =>
  Effect.tryPromise(async () => {
    const { statusCode, body: answer } = await request(url, {
      method,
      dispatcher,
      headers: { ...contentHeaders, ...headers },
      body: JSON.stringify(body)
    })
    return { status: statusCode, json: (await answer.json()) as Response["json"] }
  }).pipe(Effect.orElseSucceed(() => null))

const errorOf = (json: Response["json"]) => (json.error as { readonly code?: string } | undefined)?.code

const outcomeOf = (response: Response | null, json: Response["json"] | undefined): Outcome | null => {
  // A database that is lost or too slow leaves open what became of the call.
  if (response === null || response.status === 503 || json === undefined) return null
  const code = errorOf(json)
  if (code === "database_unavailable") return null
  return { code: code ?? "ok", body: json }
}

const overRest = (target: Target, { method, path, body }: Attempt) =>
  Effect.map(sent(target, method, `${target.api}/api/issues/${target.issue}${path}`, body), (response) =>
    outcomeOf(response, response?.json)
  )

const overMcp = (target: Target, { tool, body, inPath }: Attempt) => {
  const params = { name: tool, arguments: { ref: target.issue, ...inPath, ...body } }
  return Effect.map(
    sent(target, "POST", `${target.api}/mcp/`, { jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    (response) => {
      const result = response?.json.result as { readonly structuredContent?: Response["json"] } | undefined
      return outcomeOf(response, result?.structuredContent ?? response?.json)
    }
  )
}

export const attempted = (target: Target, attempt: Attempt): Effect.Effect<Outcome | null> =>
  target.overMcp ? overMcp(target, attempt) : overRest(target, attempt)
