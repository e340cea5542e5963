import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect } from "effect"

/** An agent that is connected to the MCP server with a key; it calls tools, whose text comes back. */
export const anAgent = (api: string, key: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ name: "an agent", version: "1" })
        await client.connect(
          new StreamableHTTPClientTransport(new URL("/mcp/", api), {
            requestInit: { headers: { authorization: `Bearer ${key}` } }
          })
        )
        return client
      }),
      (client) => Effect.promise(() => client.close())
    ),
    (client) =>
      (name: string, args: Record<string, unknown> = {}): Effect.Effect<string> =>
        Effect.promise(async () => {
          const { content } = await client.callTool({ name, arguments: args })
          return content.map((part) => (part.type === "text" ? part.text : "")).join("")
        })
  )
