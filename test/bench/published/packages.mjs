import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Scripts of a package never run: `npm pack` only downloads it. */
const download = async (name, version, target) => {
  const folder = mkdtempSync(`${target}.`)
  try {
    await execute("npm", ["pack", `${name}@${version}`, "--silent", "--ignore-scripts"], { cwd: folder })
    const archive = readdirSync(folder).find((file) => file.endsWith(".tgz"))
    mkdirSync(join(folder, "package"))
    await execute("tar", ["xzf", archive, "-C", "package", "--strip-components=1", "--no-same-owner"], { cwd: folder })
    await execute("chmod", ["-R", "u+rwX", "package"], { cwd: folder })
    rmSync(join(folder, archive))
    renameSync(folder, target)
    return true
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return false
  }
}

/** Folders of both versions of an entry's package, downloaded once; null if the registry no longer has one of them. */
export const obtain = async (folder, entry) => {
  mkdirSync(folder, { recursive: true })
  const one = async (version) => {
    const target = join(folder, `${entry.package.replace("/", "__")}@${version}`)
    if (!existsSync(target) && !(await download(entry.package, version, target))) return null
    return join(target, "package")
  }
  const [before, after] = await Promise.all([one(entry.before), one(entry.after)])
  return before === null || after === null ? null : { before, after }
}
