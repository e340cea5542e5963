import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * `npm run grammars [-- <name> …]` copies the grammars in `grammars/`, and those named, from the package that
 * `grammars/package.json` pins. With `--check` it compares only, with exit code 1 for a difference.
 */
const folder = fileURLToPath(new URL("../grammars/", import.meta.url))
const isCheck = process.argv.includes("--check")
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const present = readdirSync(folder).flatMap((file) => /^tree-sitter-(\w+)\.wasm$/.exec(file)?.[1] ?? [])

// In a folder of its own: the package contains 105 grammars, 118 MB, which must not stay.
const scratch = mkdtempSync(join(tmpdir(), "assay-grammars-"))
try {
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(folder, name), join(scratch, name))
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: scratch, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error("`npm ci` of grammars/package.json failed.")
  for (const name of new Set([...present, ...named])) {
    const file = `tree-sitter-${name}.wasm`
    const origin = join(scratch, "node_modules/tree-sitter-wasm/out", name, file)
    // assay: ignore path_traversal.untrusted_path -- anyone who runs the script names the folder to read
    if (!isCheck) copyFileSync(origin, join(folder, file))
    // assay: ignore path_traversal.untrusted_path -- anyone who runs the script names the folder to read
    else if (!readFileSync(origin).equals(readFileSync(join(folder, file)))) {
      console.error(`grammars/${file} differs from the package's.`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
