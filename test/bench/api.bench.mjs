import { fileURLToPath } from "node:url"
import { compare, extentOf, option, refs, report, withFilledAssay } from "./api/servers.mjs"

/** Two a connection are seen many times in half a second; of many, hardly one is seen twice. */
const fewKeys = 64
const manyKeys = 4096

/**
 * Claim: with 1,000,000 observations the API answers a list of 50 and an observation with at least as many, a job with 0.8
 * of the requests a second of a bare Fastify and pg, with keys, scopes, rate limits and encoding on. The guard believes a
 * key for half a second, so each load has keys that it has just seen and, once more, keys that it has to look up.
 * `npm run bench -- api [--observations=1000000] [--seconds=4 | --requests=5000] [--warm=4000] [--rounds=2] [--connections=32] [--data=folder]`; a data
 * folder is kept and, when filled, used again.
 */
export const run = (args) =>
  withFilledAssay(
    args,
    async ({ workspace, connection, keys, jobs, count, assay, postmaster, startBeside }) => {
      const only = option(args, "only", "")
      const rounds = Number(option(args, "rounds", "2"))
      const bareHandler = fileURLToPath(new URL("api/bare.mjs", import.meta.url))
      const bare = await startBeside(bareHandler, JSON.stringify({ workspace, connection }))
      const servers = [
        { name: "assay", ...assay },
        { name: "fastify", ...bare }
      ]
      const settings = {
        connections: Number(option(args, "connections", "32")),
        ...extentOf(args, "4")
      }
      const loads = {
        list: ["list of 50 with locations", 1.0, Array(2).fill("/api/observations?limit=50&include=locations")],
        job: ["job detail", 0.8, jobs.map((id) => `/api/jobs/${id}`)],
        observation: ["observation detail", 1.0, refs(1000, count).map((ref) => `/api/observations/${ref}`)]
      }
      for (const [name, [what, target, paths]] of Object.entries(loads)) {
        if (only !== "" && only !== name) continue
        const requests = paths.map((path) => ({ method: "GET", path }))
        for (const keyCount of [fewKeys, manyKeys]) {
          const keysOf = () => keys.slice(0, keyCount)
          const results = await compare(servers, postmaster, rounds, { ...settings, keysOf, requests })
          report(`${what}, ${keyCount} keys`, ` (aim ${target})`, results)
        }
      }
    },
    { keyCount: manyKeys }
  )
