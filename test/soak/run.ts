import { existsSync, readdirSync } from "node:fs"

/** `npm run soak -- <name> [arguments]`, where <name>.soak.ts beside this file exports `run(args)`: whether nothing went wrong. */
interface Soak {
  readonly run: (args: ReadonlyArray<string>) => Promise<boolean>
}

const [name = "", ...args] = process.argv.slice(2)
const file = new URL(`${name}.soak.ts`, import.meta.url)

if (!/^[\w-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(new URL(".", import.meta.url))
    .filter((entry) => entry.endsWith(".soak.ts"))
    .map((entry) => entry.replace(".soak.ts", ""))
  console.error(`Usage: npm run soak -- <${names.join(" | ")}> [arguments]`)
  process.exitCode = 2
} else {
  const soak: Soak = await import(file.href)
  process.exitCode = (await soak.run(args)) ? 0 : 1
}
