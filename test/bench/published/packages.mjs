import { mkdirSync } from "node:fs"
import { debianVersions } from "./debianPackage.mjs"
import { npmVersions } from "./npmPackage.mjs"

const versionsOf = { npm: npmVersions, debian: debianVersions }

/** Folders of both versions of an entry's package, downloaded once, or in `missing` why there are none. */
export const obtain = async (folder, entry) => {
  mkdirSync(folder, { recursive: true })
  try {
    return await versionsOf[entry.ecosystem](folder, entry)
  } catch (error) {
    return { missing: error.message }
  }
}
