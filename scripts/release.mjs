import { spawnSync } from "node:child_process"
import { copyFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ensureBuilt } from "./build.mjs"

/**
 * Makes a release tarball. npm leaves package-lock.json out of every tarball; under its other name the lock is included, so
 * that `npm ci --omit=dev` installs from a release what was tested.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
const shrinkwrap = `${root}npm-shrinkwrap.json`

// The compiler leaves the output of deleted sources behind; a release must not contain it.
rmSync(`${root}dist`, { recursive: true, force: true })
const problem = ensureBuilt()
if (problem !== null) throw new Error(problem)
copyFileSync(`${root}package-lock.json`, shrinkwrap)
try {
  process.exitCode = spawnSync("npm", ["pack"], { cwd: root, stdio: "inherit" }).status ?? 1
} finally {
  rmSync(shrinkwrap, { force: true })
}
