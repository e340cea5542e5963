import { readJson, unescaped } from "./jsonEvents.ts"
import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { attribute, readXml } from "./xmlEvents.ts"

/** `packages.lock.json`: per framework; a package of several frameworks is listed once per version. */
export const nugetLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found = new Map<string, LockedPackage>()
  let entry: { readonly start: number; readonly end: number; type: string; resolved: string } | null = null
  readJson(text, {
    enter: (path, key) => {
      if (path.length === 0) return true
      if (path.length === 1) return key.text === "dependencies"
      if (path.length === 3) entry = { start: key.start, end: key.end, type: "", resolved: "" }
      return path.length === 2 || (path.length === 3 && found.size < MAX_PACKAGES)
    },
    leave: (path) => {
      if (path.length !== 4 || entry === null) return
      const { start, end, type, resolved } = entry
      const name = unescaped(path[3]!)
      entry = null
      if (type === "Project" || resolved === "" || found.has(`${name} ${resolved}`)) return
      found.set(`${name} ${resolved}`, {
        ecosystem: "NuGet",
        name,
        version: resolved,
        direct: type === "Direct",
        dev: null,
        start,
        end
      })
    },
    scalar: (path, key, start, end) => {
      if (path.length !== 4 || entry === null) return
      if (key.text === "type") entry.type = text.slice(start, end)
      else if (key.text === "resolved") entry.resolved = text.slice(start, end)
    }
  })
  return [...found.values()]
}

const exact = /^\s*\[?\s*(\d[\w.+-]*)\s*\]?\s*$/

const named: Readonly<Record<string, string>> = {
  packagereference: "include",
  packageversion: "include",
  globalpackagereference: "include",
  package: "id"
}

/** References of a project file, `Directory.Packages.props` and `packages.config` with literal versions. */
export const dotnetProject = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  let open: { readonly name: string; readonly start: number; readonly end: number; readonly dev: boolean } | null = null
  const add = (at: NonNullable<typeof open>, version: string) => {
    const literal = exact.exec(version)
    if (literal === null || found.length >= MAX_PACKAGES) return
    const { name, start, end, dev } = at
    found.push({ ecosystem: "NuGet", name, version: literal[1]!, direct: true, dev, start, end })
  }
  readXml(text, {
    open: (path, tag) => {
      const element = path.at(-1)!.toLowerCase()
      const nameAttribute = Object.hasOwn(named, element) ? named[element]! : null
      if (nameAttribute === null) return
      const name = attribute(text, tag, nameAttribute) ?? attribute(text, tag, "update")
      open = null
      if (name === null) return
      const isPrivate = attribute(text, tag, "privateassets")?.value.toLowerCase() === "all"
      const isDev = attribute(text, tag, "developmentdependency")?.value.toLowerCase() === "true"
      open = { name: name.value, start: name.start, end: name.end, dev: isPrivate || isDev }
      const version = attribute(text, tag, "version") ?? attribute(text, tag, "versionoverride")
      if (version !== null) add(open, version.value)
    },
    text: (path, start, end) => {
      if (open !== null && path.at(-1) === "Version" && path.at(-2) === "PackageReference")
        add(open, text.slice(start, end))
    },
    close: () => undefined
  })
  return found
}
