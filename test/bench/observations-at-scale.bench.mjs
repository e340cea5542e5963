import { keys as createKeys } from "./api/fill.mjs"
import { heading, laterPage, machineLoad, measure, statementsFile } from "./api/requests.mjs"
import { option, withFilledAssay } from "./api/servers.mjs"

/** A key has a budget of calls a minute. */
const callsOfKey = 40

const queue = "/api/observations?status=new&kind=finding,advisory&order=display_rank&include=locations&limit=100"
const facets = "/api/observations/facets?status=new&kind=finding,advisory"
const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString()

/** With what the triage view can set beside the queue's own filters. */
const filters = () => ({
  "of no other filter": "",
  priority: "&priority=P0",
  "category and domain": "&category=security&domain=security",
  "a rule that reports much": "RULE",
  "a rule that reports little": "RARE",
  repository: "&repo=service-3@main",
  "repository, priority, domain": "&repo=service-3@main&priority=P0,P1&domain=security",
  "first seen this week": `&first_seen_since=${daysAgo(7)}`,
  "first seen more than a month ago": `&first_seen_until=${daysAgo(30)}`
})

const rulesOf = async (client, workspace) => {
  const { rows } = await client.query(
    `SELECT rule_id FROM observations WHERE workspace_id = $1 AND status = 'new' AND kind <> 'suggestion'
      GROUP BY rule_id ORDER BY count(*) DESC`,
    [workspace]
  )
  return [rows[0].rule_id, rows.at(-1).rule_id]
}

/**
 * Claim: at 1,000,000 observations in 20 repositories a page of the triage queue takes at most 30 ms, its facets at most
 * 250 ms, and the trends of 90 days at most 300 ms.
 * `npm run bench -- observations-at-scale [--observations=1000000] [--rounds=30] [--only=facets] [--data=folder]`; the data
 * folder of `bench -- api` will do.
 */
export const run = (args) =>
  withFilledAssay(
    args,
    async (running) => {
      const { workspace, owner, client, assay, count } = running
      const [rounds, only] = [Number(option(args, "rounds", "30")), option(args, "only", "")]
      const [frequent, rare] = await rulesOf(client, workspace)
      const filled = Object.entries(filters()).map(([name, query]) => [
        name,
        query.replace("RULE", `&rule=${frequent}`).replace("RARE", `&rule=${rare}`)
      ])
      const scopes = ["view_observations", "view_repositories", "view_jobs"]
      const [walker] = await createKeys(client, workspace, owner, 1, scopes)
      const scenarios = [
        ...filled.map(([name, query]) => [`queue: ${name}`, `${queue}${query}`]),
        ["queue: the second page", await laterPage(assay.api, queue, walker, 2)],
        ["queue: the twentieth page", await laterPage(assay.api, queue, walker, 20)],
        ["facets: of everything", "/api/observations/facets"],
        ...filled.map(([name, query]) => [`facets: ${name}`, `${facets}${query}`]),
        ["trends of 90 days", `/api/workspace/trends?from=${daysAgo(90)}`],
        ["trends of 90 days, one repository", `/api/workspace/trends?from=${daysAgo(90)}&repo=service-3@main`],
        ["workspace overview", "/api/workspace/overview"],
        ["repositories", "/api/repos"]
      ].filter(([name]) => name.startsWith(only))
      const callers = Math.ceil((rounds + 10) / callsOfKey)
      const keys = await createKeys(client, workspace, owner, scenarios.length * callers, scopes)
      console.log(`\n${count} observations, one caller at a time (aims 30 ms a page, 250 ms facets, 300 ms trends)`)
      heading()
      for (const [index, [name, path]] of scenarios.entries()) {
        await measure(running, { name, path, keys: keys.slice(index * callers, (index + 1) * callers), rounds })
      }
      console.log(`load of the machine at the end ${machineLoad()}`)
    },
    { statements: statementsFile() }
  )
