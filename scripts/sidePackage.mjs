import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Installs a package of development tools that has its own lock file, unless it is installed as locked. Such packages
 * keep what few people run (the benches' comparison peers, the conformance suite) out of everyone's installation.
 */
export const installSidePackage = (folder) => {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8")
  const installed = join(folder, "node_modules/.installed-lock.json")
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return true
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", 2, 2] })
  if (status !== 0) return false
  writeFileSync(installed, lock)
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) {
    if (!installSidePackage(folder)) console.error(`\`npm ci\` failed in ${folder}; what needs it fails too.`)
  }
}
