import { type JsonKey, readJson, unescaped } from "./jsonEvents.ts"
import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"

interface Entry {
  readonly key: JsonKey
  readonly fields: Map<string, string>
}

const readKeys: ReadonlySet<string> = new Set([
  "name",
  "version",
  "resolved",
  "integrity",
  "dev",
  "link",
  "license",
  "inBundle",
  "bundled"
])
const declarations: ReadonlySet<string> = new Set(["dependencies", "devDependencies", "optionalDependencies"])

const nameOf = (path: string): string => {
  const at = path.lastIndexOf("node_modules/")
  return at < 0 ? "" : path.slice(at + "node_modules/".length)
}

/** `"version": "npm:lodash@4.17.20"` and `"1.0.0"` in the first version of the format. */
const aliased = (name: string, version: string): readonly [string, string] => {
  const alias = /^npm:(@?[^@]+)@(.+)$/.exec(version)
  return alias === null ? [name, version] : [alias[1]!, alias[2]!]
}

/** A first version's entry that is no release names its origin instead. */
const isOrigin = (version: string): boolean => /[:/]/.test(version)

const packageOf = ({ key, fields }: Entry, name: string, direct: boolean | null): LockedPackage | null => {
  const [realName, version] = aliased(fields.get("name") ?? name, fields.get("version") ?? "")
  if (realName === "" || fields.get("link") === "true" || (version === "" && !fields.has("resolved"))) return null
  const origin = fields.get("resolved") ?? (isOrigin(version) ? version : undefined)
  const licence = fields.get("license")
  const isBundled = fields.get("inBundle") === "true" || fields.get("bundled") === "true"
  return {
    ecosystem: "npm",
    name: realName,
    version: isOrigin(version) ? "" : version,
    direct,
    dev: fields.get("dev") === "true",
    // The name at the end of the path, unless it is written in another way.
    start: key.text.endsWith(name) && key.end - key.start === key.text.length ? key.end - name.length : key.start,
    end: key.end,
    hasDigest: fields.has("integrity") || isBundled,
    ...(origin === undefined ? {} : { source: origin }),
    ...(licence === undefined ? {} : { licence })
  }
}

const isList = (path: ReadonlyArray<string>): boolean =>
  path[1] === "packages" ? path.length === 2 : path[1] === "dependencies" && path.length % 2 === 0

/** Whether an object inside an entry holds more entries, or what the project itself declares. */
const isRead = (path: ReadonlyArray<string>, key: string): boolean =>
  path[1] === "packages"
    ? path.length === 3 && path[2] === "" && declarations.has(key)
    : key === "dependencies" && path.length % 2 === 1

const lockedOf = (entry: Entry, path: ReadonlyArray<string>, direct: ReadonlySet<string>): LockedPackage | null => {
  const isNew = path[1] === "packages"
  const name = isNew ? nameOf(entry.key.text) : entry.key.text
  // The project itself and its workspaces.
  if (name === "") return null
  const isTop = isNew ? entry.key.text === `node_modules/${name}` : path.length === 3
  return packageOf(entry, name, isNew ? isTop && direct.has(name) : null)
}

/** `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3. */
export const npmLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  const direct = new Set<string>()
  const open: Array<Entry> = []
  const isFull = () => found.length >= MAX_PACKAGES
  let hasPackages = false
  readJson(text, {
    enter: (path, key) => {
      if (path.length === 0) return true
      if (path.length === 1) {
        // Version 2 says everything twice, first in the new form.
        if (key.text === "packages") hasPackages = true
        return key.text === "packages" || (key.text === "dependencies" && !hasPackages)
      }
      if (isFull()) return false
      if (isList(path)) {
        open.push({ key: { ...key, text: unescaped(key.text) }, fields: new Map() })
        return true
      }
      return isRead(path, key.text)
    },
    leave: (path) => {
      if (path.length < 3 || !isList(path.slice(0, -1))) return
      const entry = open.pop()
      const locked = entry === undefined ? null : lockedOf(entry, path, direct)
      if (locked !== null) found.push(locked)
    },
    scalar: (path, key, start, end) => {
      if (path.length === 4 && path[1] === "packages" && path[2] === "") direct.add(unescaped(key.text))
      else if (path.length >= 3 && path.length % 2 === 1 && readKeys.has(key.text)) {
        open.at(-1)?.fields.set(key.text, unescaped(text.slice(start, end)))
      }
    }
  })
  return found
}
