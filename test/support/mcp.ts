import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { App } from "./TestApp.ts"
import { type Call, send } from "./wire.ts"

/** A client of the protocol's own library, connected to a server with an API key. */
export const aClientOf = (server: string | URL, apiKey: string, path = "/mcp/") =>
  Effect.gen(function* () {
    const client = new Client({ name: "test", version: "1" })
    const transport = new StreamableHTTPClientTransport(new URL(path, server), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } }
    })
    yield* Effect.acquireRelease(
      // The library's own declaration of the transport is looser than its interface.
      Effect.promise(() => client.connect(transport as unknown as Parameters<typeof client.connect>[0])),
      () => Effect.promise(() => client.close())
    )
    return client
  })

/** The same, connected to the server of the test. */
export const aClient = (apiKey: string, path?: string) => Effect.flatMap(App, ({ url }) => aClientOf(url, apiKey, path))

export const callTool = (client: Client, name: string, args?: Record<string, unknown>) =>
  Effect.promise(
    () => client.callTool({ name, ...(args === undefined ? {} : { arguments: args }) }) as Promise<CallToolResult>
  )

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("")

/** What the protocol asks every request to carry. */
export const mcpHeaders = { accept: "application/json, text/event-stream", "content-type": "application/json" }

/** One message, byte for byte. */
export const post = (as: string | undefined, json: unknown, more: Partial<Call> = {}) =>
  send({ path: "/mcp/", method: "POST", as, json, ...more, headers: { ...mcpHeaders, ...more.headers } })

/** One request; the result or the error of its response. */
export const rpc = <Result = CallToolResult>(
  as: string,
  method: string,
  params: Record<string, unknown> = {},
  id: string | number = 1
) =>
  Effect.map(
    post(as, { jsonrpc: "2.0", id, method, params }),
    (
      response
    ): {
      readonly id: unknown
      readonly result?: Result
      readonly error?: { readonly code: number; readonly message: string }
    } => JSON.parse(response.text)
  )

/** The structured content of a result, in the type that the test expects. */
export const structureOf = <A>(result: CallToolResult | undefined): A => {
  const structure: unknown = result?.structuredContent
  return structure as A
}
