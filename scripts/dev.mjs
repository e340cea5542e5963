import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { bundle, markBuilt, sourcesDigest } from "./build.mjs"

/**
 * `npm run dev`: the compiler watches `src`; after each compilation without errors the service starts again. Arguments go
 * to `assay`, for example `npm run dev -- serve --help`.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
const serviceArguments = process.argv.length > 2 ? process.argv.slice(2) : ["serve"]

let service = null
let digest = sourcesDigest()

const stopService = () =>
  new Promise((resolve) => {
    if (service === null || service.exitCode !== null || service.signalCode !== null) return resolve()
    service.once("exit", resolve)
    service.kill()
  })

const restart = async () => {
  if (!bundle()) return
  markBuilt(digest)
  await stopService()
  service = spawn(process.execPath, ["--max-semi-space-size=64", "dist/main.js", ...serviceArguments], {
    cwd: root,
    stdio: "inherit"
  })
}

// Restarts follow one another: two at once would both want the ports.
let restarts = Promise.resolve()

const compiler = spawn(
  process.execPath,
  [
    "node_modules/typescript/bin/tsc",
    "-p",
    "tsconfig.build.json",
    "--watch",
    "--preserveWatchOutput",
    "--pretty",
    "false"
  ],
  { cwd: root, stdio: ["ignore", "pipe", "inherit"] }
)
compiler.stdout.setEncoding("utf8").on("data", (text) => {
  process.stdout.write(text)
  // Read as soon as a compilation starts: what changes during it makes the mark differ, and leads to another one.
  if (/Starting (?:incremental )?compilation|File change detected/.test(text)) digest = sourcesDigest()
  if (/Found 0 errors/.test(text)) restarts = restarts.then(restart)
})

const stop = async () => {
  compiler.kill()
  await stopService()
  process.exit()
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop)
compiler.on("exit", stop)
