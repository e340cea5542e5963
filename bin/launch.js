import { existsSync } from "node:fs"

const root = new URL("../", import.meta.url)

// A release contains the compiled program and no sources; a checkout compiles them when they have changed.
if (existsSync(new URL("src/", root))) {
  const { ensureBuilt } = await import("../scripts/build.mjs")
  const problem = ensureBuilt()
  if (problem !== null) {
    console.error(problem)
    process.exit(1)
  }
}

await import(new URL("dist/main.js", root).href)
