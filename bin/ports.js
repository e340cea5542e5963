import { createServer } from "node:net"

/** Each server's port and address; a worker has the last one only. */
const servers = [
  { port: "ASSAY_PORT", address: "ASSAY_HOST", fallback: "4000" },
  { port: "ASSAY_DOCS_PORT", address: "ASSAY_HOST", fallback: "4001" },
  { port: "ASSAY_ADMIN_PORT", address: "ASSAY_ADMIN_ADDR", fallback: "4002" }
]

const reasons = {
  EADDRINUSE: (port, host) => `port ${port} on ${host} is taken; is another assay running?`,
  EADDRNOTAVAIL: (_, host) => `this machine does not have the address ${host}.`,
  EACCES: (port) => `this user may not listen on port ${port}.`
}

const problemOf = ({ port: portVariable, address, fallback }, environment) =>
  new Promise((resolve) => {
    const port = Number(environment[portVariable] || fallback)
    const host = environment[address] || "127.0.0.1"
    // 0 is any free port; what is no port is rejected with all other settings.
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return resolve([])
    const probe = createServer()
    probe.once("error", ({ code }) => {
      const variable = code === "EADDRNOTAVAIL" ? address : portVariable
      resolve(code in reasons ? [`assay: ${reasons[code](port, host)} Set ${variable}.`] : [])
    })
    probe.listen(port, host, () => probe.close(() => resolve([])))
  })

/** Why `assay serve` could not listen, before anything is compiled or started. */
export const portProblems = async (args, environment) => {
  if (args[0] !== "serve" || args.includes("--help") || args.includes("-h")) return []
  const isWorker = /(?:^| )--role[ =]worker(?: |$)/.test(args.join(" "))
  const problems = await Promise.all((isWorker ? servers.slice(2) : servers).map((one) => problemOf(one, environment)))
  return problems.flat()
}
