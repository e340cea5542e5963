import { classifyInboundRequest, createMcpHandler, Server } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { type Called, instructions, type McpMethods, serverInfo } from "./McpMethods.ts"

export const revision2026 = "2026-07-28"

/** The catalogue changes with a release only; who may call what differs by key, so no shared cache may keep it. */
const cacheHint = { ttlMs: 300_000, cacheScope: "private" } as const

interface Headers {
  readonly [name: string]: string | undefined
}

/** Whether a message speaks the revision without a handshake, or tries to: it is answered in that revision's terms. */
export const speaks2026 = (headers: Headers, body: unknown): boolean =>
  !Array.isArray(body) &&
  classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: headers["mcp-protocol-version"],
    mcpMethodHeader: headers["mcp-method"],
    mcpNameHeader: headers["mcp-name"],
    body
  } as Parameters<typeof classifyInboundRequest>[0]).kind !== "legacy"

/** Answers one message of revision 2026-07-28: each carries its own terms, and a server of its own answers it. */
export const openHandler2026 = (methods: McpMethods) => {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const called = (authInfo?.extra ?? {}) as unknown as Called
      const server = new Server(serverInfo, {
        capabilities: { tools: {}, prompts: {} },
        instructions,
        cacheHints: { "server/discover": cacheHint, "tools/list": cacheHint, "prompts/list": cacheHint }
      })
      server.setRequestHandler("tools/list", methods.listTools)
      server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
        methods.callTool(params, called, mcpReq.signal)
      )
      server.setRequestHandler("prompts/list", methods.listPrompts)
      server.setRequestHandler("prompts/get", ({ params }) => methods.getPrompt(params))
      return server
    },
    { legacy: "reject" }
  )
  return (headers: Headers, body: unknown, called: Called) =>
    Effect.promise(async (signal) => {
      const request = new Request("http://localhost/mcp/", {
        method: "POST",
        headers: Object.entries(headers).flatMap(([name, value]) =>
          value === undefined || name === "content-length" ? [] : [[name, value] as [string, string]]
        ),
        signal
      })
      const answer = await handler.fetch(request, {
        parsedBody: body,
        authInfo: { token: "", clientId: called.identity.budgetKey, scopes: [], extra: { ...called } }
      })
      return { status: answer.status, text: await answer.text() }
    })
}
