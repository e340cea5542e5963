import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { command, filledFolder } from "./commands.mjs"

/** To start npm costs more than to download a small package, so one call downloads several. */
const TOGETHER = 25

const specOf = ({ name, version }) => `${name}@${version}`

const targetOf = (folder, { name, version }) => join(folder, `${name.replace("/", "__")}@${version}`)

const unpack = (archive, target) =>
  filledFolder(target, async (folder) => {
    mkdirSync(join(folder, "package"))
    await command("tar", ["xzf", archive, "-C", "package", "--strip-components=1", "--no-same-owner"], folder)
    await command("chmod", ["-R", "u+rwX", "package"], folder)
  })

/** Scripts of a package never run: `npm pack` only downloads it. */
const pack = async (folder, releases) => {
  const scratch = mkdtempSync(join(folder, "pack."))
  try {
    const output = await command("npm", ["pack", ...releases.map(specOf), "--json", "--ignore-scripts"], scratch)
    for (const { name, version, filename } of JSON.parse(output)) {
      await unpack(join(scratch, filename), targetOf(folder, { name, version }))
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** A release that the registry lacks fails the whole call, whose error names it: the others are asked for without it. */
const download = async (folder, releases) => {
  if (releases.length === 0) return
  try {
    await pack(folder, releases)
  } catch ({ cause }) {
    if (releases.length === 1) return
    const others = releases.filter((release) => !`${cause?.stderr}`.includes(specOf(release)))
    const half = Math.ceil(releases.length / 2)
    const parts = others.length < releases.length ? [others] : [releases.slice(0, half), releases.slice(half)]
    for (const part of parts) await download(folder, part)
  }
}

const releasesOf = ({ package: name, before, after }) => [before, after].map((version) => ({ name, version }))

/** Downloads the packages of entries that the folder lacks. */
export const downloadNpm = async (folder, entries) => {
  const bySpec = new Map(entries.flatMap(releasesOf).map((release) => [specOf(release), release]))
  const lacking = [...bySpec.values()].filter((release) => !existsSync(targetOf(folder, release)))
  for (let from = 0; from < lacking.length; from += TOGETHER) {
    await download(folder, lacking.slice(from, from + TOGETHER))
  }
}

/** Both versions of a package on the npm registry, which were downloaded before. */
export const npmVersions = async (folder, entry) => {
  const [before, after] = releasesOf(entry).map((release) => {
    const target = targetOf(folder, release)
    if (!existsSync(target)) throw new Error(`\`npm pack ${specOf(release)}\` failed`)
    return join(target, "package")
  })
  return { before, after }
}
