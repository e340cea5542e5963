import { existsSync } from "node:fs"
import { portProblems } from "./ports.js"

const root = new URL("../", import.meta.url)

const end = (problems, status) => {
  for (const problem of problems) console.error(problem)
  process.exit(status)
}

const problems = await portProblems(process.argv.slice(2), process.env)
if (problems.length > 0) end(problems, 2)

// A release contains the compiled program and no sources; a checkout compiles them when they have changed.
if (existsSync(new URL("src/", root))) {
  const { ensureBuilt } = await import("../scripts/build.mjs")
  const problem = ensureBuilt()
  if (problem !== null) end([problem], 1)
}

// The bundle loads in a fraction of the time; without esbuild there is none. `node --enable-source-maps` shows lines of the
// sources, to which the maps of the modules themselves lead.
const bundled = new URL("dist/bundled/main.cjs", root)
const isBundled = existsSync(bundled) && !process.sourceMapsEnabled
await import(isBundled ? bundled.href : new URL("dist/main.js", root).href)
