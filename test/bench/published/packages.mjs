import { mkdirSync } from "node:fs"
import { debianVersions } from "./debianPackage.mjs"
import { downloadNpm, npmVersions } from "./npmPackage.mjs"

const versionsOf = { npm: npmVersions, debian: debianVersions }

/** Downloads what the entries need of the npm registry, many packages a call. Debian's sources come one by one. */
export const download = async (folder, entries) => {
  mkdirSync(folder, { recursive: true })
  await downloadNpm(
    folder,
    entries.filter(({ ecosystem }) => ecosystem === "npm")
  )
}

/** Folders of both versions of an entry's package, or in `missing` why there are none. */
export const obtain = async (folder, entry) => {
  try {
    return await versionsOf[entry.ecosystem](folder, entry)
  } catch (error) {
    return { missing: error.message }
  }
}
