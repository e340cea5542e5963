import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { installSidePackage } from "../../scripts/sidePackage.mjs"

/** `npm run bench -- <name> [arguments]`, where <name>.bench.mjs beside this file exports `run(args)`. */
const [name, ...args] = process.argv.slice(2)
const names = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".bench.mjs"))
  .map((file) => file.replace(".bench.mjs", ""))
const file = new URL(`./${name}.bench.mjs`, import.meta.url)

if (name === undefined || !/^[\w-]+$/.test(name) || !existsSync(file)) {
  console.error(`Usage: npm run bench -- <${names.join(" | ")}> [arguments]`)
  process.exitCode = 2
} else if (!installSidePackage(fileURLToPath(new URL(".", import.meta.url)))) {
  console.error("The benches compare Assay with other tools, and `npm ci` failed in test/bench.")
  process.exitCode = 1
} else {
  const { run } = await import(file.href)
  await run(args)
}
