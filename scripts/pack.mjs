import { copyFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ensureBuilt } from "./build.mjs"

/**
 * Before and after `npm pack`. npm leaves package-lock.json out of every tarball; under its other name the lock is
 * included, so that `npm ci --omit=dev` installs from a release what was tested.
 */
const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const shrinkwrap = file("npm-shrinkwrap.json")

if (process.argv[2] === "after") rmSync(shrinkwrap, { force: true })
else {
  // The compiler leaves the output of deleted sources behind; a release must not contain it.
  rmSync(file("dist"), { recursive: true, force: true })
  const problem = ensureBuilt()
  if (problem !== null) throw new Error(problem)
  copyFileSync(file("package-lock.json"), shrinkwrap)
}
