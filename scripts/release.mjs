import { spawnSync } from "node:child_process"
import { copyFileSync, readFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ensureBuilt } from "./build.mjs"
import { writeRecords } from "./releaseRecords.mjs"

/**
 * Makes a release tarball. npm leaves package-lock.json out of every tarball; under its other name the lock is included, so
 * that `npm ci --omit=dev` installs from a release what was tested. Beside it go its bill of materials and its provenance.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
const shrinkwrap = `${root}npm-shrinkwrap.json`

// The compiler leaves the output of deleted sources behind; a release must not contain it.
rmSync(`${root}dist`, { recursive: true, force: true })
const problem = ensureBuilt()
if (problem !== null) throw new Error(problem)
copyFileSync(`${root}package-lock.json`, shrinkwrap)
try {
  const { status } = spawnSync("npm", ["pack"], { cwd: root, stdio: "inherit" })
  if (status !== 0) throw new Error("`npm pack` failed; its messages are above.")
} finally {
  rmSync(shrinkwrap, { force: true })
}
const { name, version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
for (const path of writeRecords(`${root}${name}-${version}.tgz`)) console.log(path.slice(root.length))
