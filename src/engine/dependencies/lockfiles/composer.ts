import { readJson, unescaped } from "./jsonEvents.ts"
import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"

interface Entry {
  name: string
  version: string
  start: number
  end: number
  licences: Array<string>
  source: string | undefined
}

const lists: ReadonlySet<string> = new Set(["packages", "packages-dev"])

/** `composer.lock`. */
export const composerLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  let entry: Entry | null = null
  readJson(text, {
    enter: (path, key) => {
      if (path.length === 0) return true
      if (path.length === 1) return lists.has(key.text)
      if (path.length === 2 && found.length < MAX_PACKAGES) {
        entry = { name: "", version: "", start: 0, end: 0, licences: [], source: undefined }
        return true
      }
      return path.length === 3 && (key.text === "license" || key.text === "source" || key.text === "dist")
    },
    leave: (path) => {
      if (path.length !== 3 || entry === null) return
      const { name, version, start, end, licences, source } = entry
      entry = null
      if (name === "" || version === "") return
      found.push({
        ecosystem: "Packagist",
        name,
        version,
        direct: null,
        dev: path[1] === "packages-dev",
        start,
        end,
        ...(licences.length === 0 ? {} : { licence: licences.join(" OR ") }),
        ...(source === undefined ? {} : { source })
      })
    },
    scalar: (path, key, start, end) => {
      if (entry === null) return
      const value = unescaped(text.slice(start, end))
      if (path.length === 3 && key.text === "name") Object.assign(entry, { name: value, start, end })
      else if (path.length === 3 && key.text === "version") entry.version = value
      else if (path.length === 4 && path[3] === "license") entry.licences.push(value)
      else if (path.length === 4 && path[3] === "dist" && key.text === "url") entry.source = value
    }
  })
  return found
}
