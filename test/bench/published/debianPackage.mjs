import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { command, filledFolder } from "./commands.mjs"

const seriesOf = (source) =>
  readFileSync(join(source, "debian/patches/series"), "utf8")
    .split("\n")
    .map((line) =>
      line
        .replace(/(^|\s)#.*/, "")
        .trim()
        .split(/\s+/)
    )
    .filter(([name]) => name !== "")

const apply = async (source, patches) => {
  for (const [name, strip = "-p1"] of patches) {
    await command("patch", [strip, "--batch", "--silent", "--input", join("debian/patches", name)], source)
  }
}

/**
 * Debian keeps a fix apart from the source, as a patch in a series. Before is the source with the series up to the fix,
 * after is the same with the fix, so that the two differ in nothing else.
 */
const unpack = (entry, target) =>
  filledFolder(target, async (folder) => {
    await command("apt-get", ["source", "--download-only", "--quiet=2", `${entry.package}=${entry.version}`], folder)
    const description = readdirSync(folder).find((file) => file.endsWith(".dsc"))
    await command("dpkg-source", ["--no-check", "--skip-patches", "-x", description, "before"], folder)
    const source = join(folder, "before")
    const series = seriesOf(source)
    const places = entry.patches.map((patch) => series.findIndex(([name]) => name === patch))
    if (places.includes(-1)) throw new Error(`the source has no patch ${entry.patches.join(", ")}`)
    const first = Math.min(...places)
    await apply(source, series.slice(0, first))
    cpSync(source, join(folder, "after"), { recursive: true, verbatimSymlinks: true })
    await apply(join(folder, "after"), series.slice(first, Math.max(...places) + 1))
  })

/** A source package of Debian without and with the patches of a vulnerability. */
export const debianVersions = async (folder, entry) => {
  const target = join(folder, `${entry.package}_${entry.version}_${entry.id}`)
  if (!existsSync(target)) await unpack(entry, target)
  return { before: join(target, "before"), after: join(target, "after") }
}
