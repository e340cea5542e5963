import { keys as createKeys } from "./api/fill.mjs"
import { withFilledAssay } from "./api/servers.mjs"

const scopes = ["view_observations", "triage_observations"]
/** Each has a key of its own: a key has a budget of calls. */
const rounds = 10
const many = 1000

const dismissal = { dismissal_category: "wont_fix", dismissal_note: "Accepted for this release." }

const facetQueries = {
  "no filter": "",
  "open ones": "?status=new",
  "four filters": "?status=new&kind=finding&priority=P0,P1&domain=security"
}

const caller = (api) => async (key, method, path, json) => {
  const start = performance.now()
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) })
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`)
  return { answer, ms: performance.now() - start }
}

const print = (what, times) => {
  const sorted = [...times].sort((a, b) => a - b)
  const [median, slowest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  console.log(`  ${what.padEnd(44)} median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`)
}

/**
 * Claim: 1,000 of 1,000,000 observations are dismissed in one call within 2 seconds, and put back within 2 seconds more.
 * The facets are measured beside it. `npm run bench -- triage [--observations=1000000] [--data=folder]`.
 */
export const run = (args) =>
  withFilledAssay(args, async ({ workspace, owner, client, count, assay }) => {
    const call = caller(assay.api)
    const keys = await createKeys(client, workspace, owner, rounds, scopes)
    const times = { dismiss: [], undo: [], preview: [] }
    const facets = Object.fromEntries(Object.keys(facetQueries).map((name) => [name, []]))
    for (const key of keys) {
      const refs = await openRefs(client, workspace)
      times.preview.push(
        (await call(key, "POST", "/api/observations/bulk", { action: "dismiss", refs, preview: true })).ms
      )
      const { answer, ms } = await call(key, "POST", "/api/observations/bulk", {
        action: "dismiss",
        refs,
        ...dismissal
      })
      times.dismiss.push(ms)
      const undone = await call(key, "POST", `/api/observations/bulk/${answer.operation_id}/undo`)
      times.undo.push(undone.ms)
      const failed = [...answer.results, ...undone.answer.results].filter(({ ok }) => !ok)
      if (failed.length > 0 || answer.results.length !== many) throw new Error(`${failed.length} were rejected`)
      for (const [name, query] of Object.entries(facetQueries)) {
        facets[name].push((await call(key, "GET", `/api/observations/facets${query}`)).ms)
      }
    }
    console.log(`\ntriage of ${many} of ${count} observations in one call (aim 2000 ms), ${rounds} rounds`)
    for (const [name, measured] of Object.entries(times)) print(name, measured)
    console.log(`\nfacets of ${count} observations`)
    for (const [name, measured] of Object.entries(facets)) print(name, measured)
  })

const openRefs = async (client, workspace) => {
  const { rows } = await client.query(
    `SELECT 'OBS-' || number AS ref FROM observations TABLESAMPLE SYSTEM (50)
      WHERE workspace_id = $1 AND status = 'new' LIMIT $2`,
    [workspace, many]
  )
  return rows.map(({ ref }) => ref)
}
