import { fileURLToPath } from "node:url"
import { keys as createKeys } from "./api/fill.mjs"
import { compare, extentOf, option, refs, report, withFilledAssay } from "./api/servers.mjs"

/**
 * Claim: `tools/call` on a read tool over 1,000,000 observations makes at least 400 calls/s with p99 <= 60 ms for 50 callers
 * at once on 2 cores; beside servers of the protocol's libraries alone, without a database, that print the same answers: the
 * first library line for the revisions of 2025, the second for the one of 2026.
 * `npm run bench -- mcp [--seconds=5 | --requests=5000] [--warm=4000] [--rounds=2] [--connections=50] [--only=list_observations] [--data=folder]`; the data
 * folder of `bench -- api` will do.
 *
 * A key makes 60 calls a minute here, and nothing is switched off for the bench: every turn has keys of its own, as many as
 * that many agents would have, and each is used less than that.
 */
const callsOfAKey = 55
/** More than any turn reaches. */
const mostCallsPerSecond = 2500
const entries = 200

const mostCallsOf = ({ seconds, amount, warm = 0 }) =>
  Math.max(warm, amount === undefined ? mostCallsPerSecond * seconds : amount)

const scopes = ["view_observations", "view_jobs", "view_context"]

const fillContext = async (client, workspace) => {
  const { rows } = await client.query("SELECT count(*)::int AS count FROM context_entries WHERE workspace_id = $1", [
    workspace
  ])
  if (rows[0].count > 0) return
  await client.query(
    `INSERT INTO context_entries (id, workspace_id, key, status, kind, title, summary, body_md, data, scope, tags,
        created_by, updated_by, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'note-' || n, CASE WHEN n % 3 = 0 THEN 'proposed' ELSE 'live' END,
        (ARRAY['decision', 'convention', 'runbook', 'warning', 'note', 'flag'])[1 + n % 6], 'About part ' || n,
        'Part ' || n || ' of the service is changed in pairs, and only after its owners have been asked.',
        repeat('What else there is to know. ', 20), '{}', 'subtree', '{ops}', actor, actor, now(), now()
      FROM generate_series(1, $2::int) n, (SELECT '{"kind":"user","api_key":null,"label":"owner@example.org",
        "label_verified":true,"user_id":null}'::jsonb AS actor) a`,
    [workspace, entries]
  )
  await client.query("VACUUM ANALYZE context_entries")
}

const legacy = { "mcp-protocol-version": "2025-11-25" }
const newest = (tool) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": tool
})
const terms = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const calls = (tool, args, isNewest) =>
  args.map((given, id) => ({
    method: "POST",
    path: "/mcp/",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(isNewest ? newest(tool) : legacy)
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: tool, arguments: given, ...(isNewest ? { _meta: terms } : {}) }
    })
  }))

const answerOf = async (api, key, { path, ...request }) => {
  const response = await fetch(new URL(path, api), {
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${key}` }
  })
  const { result } = await response.json()
  if (result?.isError !== undefined || result?.structuredContent === undefined)
    throw new Error("The tool returned an error.")
  return result.structuredContent
}

export const run = (args) =>
  withFilledAssay(args, async ({ workspace, owner, count, client, assay, postmaster, startBeside }) => {
    const only = option(args, "only", "")
    const rounds = Number(option(args, "rounds", "2"))
    const extent = extentOf(args, "5")
    const connections = Number(option(args, "connections", "50"))
    await fillContext(client, workspace)
    const tools = {
      get_observation: refs(1000, count).map((ref) => ({ ref })),
      list_observations: [{ status: "new", priority: "P1" }, { repo: "service-3@main" }, {}],
      get_context_digest: [{}]
    }
    const keysOfATurn = connections * Math.ceil(mostCallsOf(extent) / callsOfAKey / connections)
    const first = await createKeys(client, workspace, owner, 10, scopes)
    const answers = {}
    for (const [tool, given] of Object.entries(tools)) {
      answers[tool] = await answerOf(assay.api, first.pop(), calls(tool, given)[0])
    }
    for (const isNewest of [false, true]) {
      const library = fileURLToPath(new URL(isNewest ? "mcp/bare2026.mjs" : "mcp/bare.mjs", import.meta.url))
      const servers = [
        { name: "assay", ...assay },
        { name: "bare SDK", ...(await startBeside(library, JSON.stringify(answers))) }
      ]
      for (const [tool, given] of Object.entries(tools)) {
        const name = isNewest ? `${tool}/2026` : tool
        if (only !== "" && only !== name) continue
        const turns = servers.length * (rounds + 1)
        const created = await createKeys(client, workspace, owner, turns * keysOfATurn, scopes)
        const settings = {
          ...extent,
          connections,
          keysOf: () => created.splice(0, keysOfATurn),
          requests: calls(tool, given, isNewest),
          rejection: '"isError":true'
        }
        const results = await compare(servers, postmaster, rounds, settings)
        report(`${tool}, revision ${isNewest ? "2026-07-28" : "2025-11-25"}`, " (aim 400 calls/s, p99 60 ms)", results)
      }
    }
  })
