import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS
} from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { Exchange } from "./Exchange.ts"
import { type Called, instructions, type McpMethods, serverInfo } from "./McpMethods.ts"

/** The revisions with a handshake, up to 2025-11-25: one server of the SDK answers every request. */
export const revisions2025 = SUPPORTED_PROTOCOL_VERSIONS

export const openExchange2025 = (methods: McpMethods) =>
  Effect.gen(function* () {
    const server = new Server(serverInfo, {
      capabilities: { tools: {}, prompts: {} },
      instructions,
      // Elicitation is not used; the default would build a validator that nobody calls.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined })
      }
    })
    server.setRequestHandler(ListToolsRequestSchema, methods.listTools)
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { authInfo, signal }) =>
      methods.callTool(params, calledOf(authInfo?.extra), signal)
    )
    server.setRequestHandler(ListPromptsRequestSchema, methods.listPrompts)
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => methods.getPrompt(params))
    const exchange = new Exchange()
    yield* Effect.promise(() => server.connect(exchange))
    return (message: JSONRPCRequest, called: Called) =>
      exchange.request(message, {
        token: "",
        clientId: called.identity.budgetKey,
        scopes: [],
        extra: { ...called }
      })
  })

const calledOf = (extra: Record<string, unknown> | undefined) => (extra ?? {}) as unknown as Called
