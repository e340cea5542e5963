import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { compare, option, refs, report, withFilledAssay } from "./api/servers.mjs"

const listening = async () => {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on("data", (chunk) => {
      bytes += chunk.length
    })
    request.on("end", () => response.end("{}"))
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, url: `http://127.0.0.1:${server.address().port}`, bytes: () => bytes }
}

/** Starts a server with these variables, and leaves none of them behind. */
const withVariables = async (variables, start) => {
  Object.assign(process.env, variables)
  try {
    return await start()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
}

const urlOf = ({ host, port, user, database, password }) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/**
 * Claim: without a collector, traces cost nothing; with one that takes nothing, requests are as quick as without.
 * `npm run bench -- telemetry [--seconds=4] [--rounds=3] [--connections=16] [--before=bin/assay of another checkout]`.
 */
export const run = (args) =>
  withFilledAssay(
    ["--observations=20000", ...args],
    async ({ connection, keys, jobs, count, postmaster, startBeside }) => {
      const own = fileURLToPath(new URL("../../bin/assay", import.meta.url))
      const before = option(args, "before", undefined)
      const collector = await listening()
      const sampled = (ratio) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: ratio
      })
      const variants = [
        ...(before === undefined ? [] : [["before", {}, before]]),
        ["off", {}, own],
        ["1 %", sampled("0.01"), own],
        ["all", sampled("1"), own],
        ["away", { ...sampled("1"), OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, own]
      ]
      const servers = []
      for (const [name, variables, file] of variants) {
        const settings = {
          DATABASE_URL: urlOf(connection),
          ASSAY_PORT: "0",
          ASSAY_DOCS_PORT: "0",
          ASSAY_ADMIN_PORT: "0"
        }
        const quiet = { ASSAY_LOG_LEVEL: "error", ...settings, ...variables }
        servers.push({ name, ...(await withVariables(quiet, () => startBeside(file, "serve", "--role", "api"))) })
      }
      const loads = {
        "job detail": jobs.map((id) => `/api/jobs/${id}`),
        "observation detail": refs(1000, count).map((ref) => `/api/observations/${ref}`)
      }
      const load = {
        connections: Number(option(args, "connections", "16")),
        seconds: Number(option(args, "seconds", "4")),
        keysOf: () => keys
      }
      for (const [what, paths] of Object.entries(loads)) {
        const requests = paths.map((path) => ({ method: "GET", path }))
        report(
          what,
          " (first two)",
          await compare(servers, postmaster, Number(option(args, "rounds", "3")), { ...load, requests })
        )
      }
      console.log(`\nThe collector got ${(collector.bytes() / 1e6).toFixed(1)} MB.`)
      collector.server.closeAllConnections()
      collector.server.close()
    },
    { keyCount: 2048 }
  )
