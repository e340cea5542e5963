import type { Snippet } from "../../parts/secret_once/Snippets.tsx"

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** Set-up of the common clients, with the address of this service and a key filled in. */
export const snippetsFor = (origin: string, key: string): ReadonlyArray<Snippet> => {
  const url = `${origin}/mcp/`
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      where: "In a terminal, in your project",
      text: `claude mcp add --transport http assay ${url} --header "Authorization: Bearer ${key}"`
    },
    {
      id: "codex",
      name: "Codex",
      where: "In a terminal; Codex reads the variable when it starts",
      text: `export AUDIT_KEY=${key}\ncodex mcp add assay --url ${url} --bearer-token-env-var AUDIT_KEY`
    },
    {
      id: "cursor",
      name: "Cursor",
      where: "~/.cursor/mcp.json",
      text: json({ mcpServers: { assay: { url, headers } } })
    },
    {
      id: "vs-code",
      name: "VS Code",
      where: "The file that “MCP: Open User Configuration” opens",
      text: json({ servers: { assay: { type: "http", url, headers } } })
    },
    {
      id: "json",
      name: "Other",
      where: "Clients that read mcpServers",
      text: json({ mcpServers: { assay: { type: "http", url, headers } } })
    },
    {
      id: "rest",
      name: "REST",
      where: "In a terminal",
      text: `curl -H "Authorization: Bearer ${key}" "${origin}/api/repos"`
    }
  ]
}
