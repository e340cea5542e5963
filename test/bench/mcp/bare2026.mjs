import { createServer } from "node:http"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, Server } from "@modelcontextprotocol/server"

// The protocol's second library line alone, as its documentation shows it on Node: the same structures as bare.mjs, in the
// revision of 2026.

const answers = JSON.parse(process.argv[2])

const answering = () => {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/call", ({ params }) => {
    const structuredContent = answers[params.name]
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent }
  })
  return server
}

const http = createServer(toNodeHandler(createMcpHandler(answering, { responseMode: "json" })))

http.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ api: `http://127.0.0.1:${http.address().port}` })}\n`)
})
