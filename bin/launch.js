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

// The bundle loads in a fraction of the time; without esbuild there is none.
const bundled = new URL("dist/bundled/main.js", root)
await import(existsSync(bundled) ? bundled.href : new URL("dist/main.js", root).href)
