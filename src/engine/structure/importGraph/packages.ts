import type { Project } from "../../core/tool/AuditTool.ts"
import { isRecord, parseConfiguration, textIn } from "./jsonc.ts"

/** A package.json of the repository. */
export interface Package {
  /** Folder, "" for the root. */
  readonly folder: string
  readonly name: string | null
  readonly manifest: Readonly<Record<string, unknown>>
  /** Everything it declares, under whatever heading. */
  readonly declared: ReadonlySet<string>
}

export const dirname = (path: string): string => {
  const slash = path.lastIndexOf("/")
  return slash < 0 ? "" : path.slice(0, slash)
}

export const joined = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

const headings = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
  "bundledDependencies",
  "bundleDependencies",
  "resolutions",
  "overrides"
]

const declaredIn = (manifest: Readonly<Record<string, unknown>>): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const heading of headings) {
    const entries = manifest[heading]
    for (const name of Array.isArray(entries) ? entries : isRecord(entries) ? Object.keys(entries) : [])
      names.add(String(name))
  }
  return names
}

/** Every package.json of the project, by folder. */
export const packagesOf = (project: Project): ReadonlyMap<string, Package> => {
  const packages = new Map<string, Package>()
  for (const { path } of project.files) {
    if (path !== "package.json" && !path.endsWith("/package.json")) continue
    const manifest = parseConfiguration(project.manifest(path))
    if (manifest === null) continue
    const folder = dirname(path)
    packages.set(folder, { folder, name: textIn(manifest, "name"), manifest, declared: declaredIn(manifest) })
  }
  return packages
}

/** Packages above a file, nearest first. */
export const packagesAbove = (packages: ReadonlyMap<string, Package>, path: string): ReadonlyArray<Package> => {
  const found: Array<Package> = []
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const here = packages.get(folder)
    if (here !== undefined) found.push(here)
    if (folder === "") return found
  }
}

const conditions = ["source", "import", "module", "default", "require", "node", "browser", "types"]

/** First path that an `exports` or `imports` entry can mean. */
const targetsOf = (entry: unknown): ReadonlyArray<string> => {
  if (typeof entry === "string") return [entry]
  if (Array.isArray(entry)) return entry.flatMap(targetsOf)
  return isRecord(entry) ? conditions.flatMap((condition) => targetsOf(entry[condition])) : []
}

/** Where `exports` or `imports` lead for a key such as "./a" or "#a", patterns included. */
export const mappedTargets = (map: unknown, key: string): ReadonlyArray<string> => {
  if (key === "." && (typeof map === "string" || (isRecord(map) && !Object.keys(map).some((k) => k.startsWith(".")))))
    return targetsOf(map)
  if (!isRecord(map)) return []
  if (Object.hasOwn(map, key)) return targetsOf(map[key])
  for (const [pattern, entry] of Object.entries(map)) {
    const star = pattern.indexOf("*")
    if (star < 0) continue
    const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)]
    if (key.length < head.length + tail.length || !key.startsWith(head) || !key.endsWith(tail)) continue
    const middle = key.slice(head.length, key.length - tail.length)
    return targetsOf(entry).map((target) => target.replaceAll("*", () => middle))
  }
  return []
}
