import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { compareText } from "../text/compareText.ts"

const here = new URL(".", import.meta.url)
// As a bundle, all of the engine is in one folder, a level below core/process.
const isBundled = here.pathname.endsWith("/bundled/")
const engine = fileURLToPath(isBundled ? here : new URL("../../", here))
const product = fileURLToPath(new URL(isBundled ? "../../../../../package.json" : "../../../../package.json", here))

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : /\.(?:[jt]|cj)s$/.test(entry.name) ? [path] : []
    })

let code: string | undefined

/** Digest of the engine's own code and of the versions it runs on, so that no one has to remember to raise a number. */
const codeDigest = (): string => {
  if (code !== undefined) return code
  const hash = createHash("sha1").update(process.version).update(readFileSync(product))
  for (const path of filesUnder(engine)) hash.update(path.slice(engine.length)).update(readFileSync(path))
  code = hash.digest("hex")
  return code
}

/** Names all that the outcome of inspecting a file depends on, apart from the file. */
export const ruleSetHash = (options: { readonly salt: string; readonly tools: unknown }): string =>
  // The salt is a secret of the installation; of a digest of so much else it cannot be guessed.
  createHash("sha256").update(codeDigest()).update(JSON.stringify(options)).digest("hex")
