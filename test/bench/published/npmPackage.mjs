import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { command, filledFolder } from "./commands.mjs"

/** Scripts of a package never run: `npm pack` only downloads it. */
const download = (name, version, target) =>
  filledFolder(target, async (folder) => {
    await command("npm", ["pack", `${name}@${version}`, "--silent", "--ignore-scripts"], folder)
    const archive = readdirSync(folder).find((file) => file.endsWith(".tgz"))
    mkdirSync(join(folder, "package"))
    await command("tar", ["xzf", archive, "-C", "package", "--strip-components=1", "--no-same-owner"], folder)
    await command("chmod", ["-R", "u+rwX", "package"], folder)
    rmSync(join(folder, archive))
  })

/** Both versions of a package on the npm registry. */
export const npmVersions = async (folder, entry) => {
  const one = async (version) => {
    const target = join(folder, `${entry.package.replace("/", "__")}@${version}`)
    if (!existsSync(target)) await download(entry.package, version, target)
    return join(target, "package")
  }
  const [before, after] = await Promise.all([one(entry.before), one(entry.after)])
  return { before, after }
}
