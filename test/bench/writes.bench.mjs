import { keys as createKeys } from "./api/fill.mjs"
import { cpuOf, cpuOfPostgres, machineLoad, option, withFilledAssay } from "./api/servers.mjs"

/** What a key is used for, at most: its bucket holds sixty calls, and its budget of writes is not switched off here. */
const callsOfAKey = 50

const dismissal = { dismissal_category: "wont_fix", dismissal_note: "Accepted for this release." }
const reopening = { reopen_reason: "It is used for passwords after all." }

const send = async (api, key, path, json) => {
  const response = await fetch(`${api}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(json)
  })
  const text = await response.text()
  // What waits too long for others is rejected; anything else is a fault of this bench.
  if (response.ok || response.status === 503) return response.ok
  throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
}

const openRefs = async (client, workspace, limit) => {
  const { rows } = await client.query(
    `SELECT 'OBS-' || number AS ref FROM observations WHERE workspace_id = $1 AND status = 'new' ORDER BY number LIMIT $2`,
    [workspace, limit]
  )
  return rows.map(({ ref }) => ref)
}

const loads = {
  triage: {
    scopes: ["view_observations", "triage_observations"],
    aim: 600,
    // An observation is dismissed and reopened, so that the next run finds it as this one did.
    writes: async (client, workspace, count) =>
      (await openRefs(client, workspace, Math.ceil(count / 2))).flatMap((ref) => [
        { path: `/api/observations/${ref}/dismiss`, json: dismissal },
        { path: `/api/observations/${ref}/reopen`, json: reopening }
      ])
  },
  context: {
    scopes: ["view_context", "manage_context", "manage_projects"],
    aim: 300,
    writes: async (_, __, count) => {
      const run = Date.now().toString(36)
      return Array.from({ length: count }, (_, n) => ({
        path: "/api/context/entries",
        json: {
          key: `bench-${run}/note-${n}`,
          kind: "note",
          title: `Note ${n}`,
          summary: "Part of the service is changed in pairs, and only after its owners have been asked.",
          body_md: "What else there is to know.",
          tags: ["ops"]
        }
      }))
    }
  }
}

/** All writes by so many callers at once, each in the order of its own; the times in ms of those that were not rejected. */
const perform = async (api, keys, writes, callers) => {
  const times = []
  const share = Math.ceil(writes.length / callers / 2) * 2
  const caller = async (own) => {
    for (const { path, json, at } of own) {
      const start = performance.now()
      const isWritten = await send(api, keys[Math.floor(at / callsOfAKey)], path, json)
      if (isWritten) times.push(performance.now() - start)
    }
  }
  const numbered = writes.map((write, at) => ({ ...write, at }))
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(numbered.slice(n * share, (n + 1) * share))))
  return times.sort((a, b) => a - b)
}

/**
 * Claim: 600 changes of single observations and 300 new entries of the context are written a second, each with its audit
 * log, by 32 callers at once.
 * `npm run bench -- writes [--only=triage] [--writes=4000] [--warm=1000] [--callers=32] [--observations=1000000] [--data=folder]`.
 */
export const run = (args) =>
  withFilledAssay(args, async ({ workspace, owner, client, assay, postmaster }) => {
    const only = option(args, "only", "")
    const callers = Number(option(args, "callers", "32"))
    const timed = Number(option(args, "writes", "4000"))
    const warm = Number(option(args, "warm", "1000"))
    for (const [name, { scopes, aim, writes }] of Object.entries(loads)) {
      if (only !== "" && only !== name) continue
      for (const count of [warm, timed]) {
        const requests = await writes(client, workspace, count)
        const keys = await createKeys(client, workspace, owner, Math.ceil(requests.length / callsOfAKey), scopes)
        const [own, database, start] = [cpuOf(assay.child.pid), cpuOfPostgres(postmaster), performance.now()]
        const times = await perform(assay.api, keys, requests, callers)
        const seconds = (performance.now() - start) / 1000
        if (count === warm) continue
        const each = (cpu) => ((cpu / times.length) * 1000).toFixed(2)
        const at = (share) => times[Math.floor((times.length - 1) * share)].toFixed(0)
        console.log(
          `\n${name}: ${(times.length / seconds).toFixed(0)} writes/s (aim ${aim})   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   ` +
            `CPU ${each(cpuOf(assay.child.pid) - own)} ms + PostgreSQL ${each(cpuOfPostgres(postmaster) - database)} ms a write; ` +
            `${requests.length - times.length} rejected; load ${machineLoad()}`
        )
      }
    }
  })
