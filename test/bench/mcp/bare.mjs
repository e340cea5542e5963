import { createServer } from "node:http"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js"

// The protocol's library alone, as its documentation shows a stateless server: no database, no key, nothing decided. It
// answers every tool with the structure it is given at the start.

const answers = JSON.parse(process.argv[2])

const answering = () => {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const structuredContent = answers[params.name]
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent }
  })
  return server
}

const http = createServer(async (request, response) => {
  const server = answering()
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  response.on("close", () => {
    void transport.close()
    void server.close()
  })
  await server.connect(transport)
  await transport.handleRequest(request, response)
})

http.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ api: `http://127.0.0.1:${http.address().port}` })}\n`)
})
