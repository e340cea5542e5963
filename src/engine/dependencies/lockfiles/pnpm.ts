import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"

interface Entry {
  readonly name: string
  readonly version: string
  readonly start: number
  dev: boolean | null
  source: string | undefined
  hasDigest: boolean
}

const MAX_KEY = 512

const topLevel = /^'?([\w-]+)'?:/
/** `lodash@4.17.20`, `/@scope/name@1.0.0(peer@2)`, in quotes where YAML wants them. */
const withAt = /^ {2}'?\/?((?:@[^@/'\s]+\/)?[^@/'\s]+)@([^('\s]+)[^']*'?:/
/** `/lodash/4.17.20`, `/@scope/name/1.0.0_peer@2`. */
const withSlash = /^ {2}'?\/((?:@[^@/'\s]+\/)?[^@/'\s]+)\/(\d[^_('\s:]*)[^']*'?:/
const direct = /^( *)'?(dependencies|devDependencies|optionalDependencies)'?:$/
const declared = /^( +)'?(@?[\w./~-]+)'?:/

const entryOf = (line: string, start: number): Entry | null => {
  const match = withSlash.exec(line) ?? withAt.exec(line)
  if (match === null) return null
  const [, name = "", version = ""] = match
  const isRelease = /^\d/.test(version)
  return {
    name,
    version: isRelease ? version : "",
    start: start + line.indexOf(name),
    dev: null,
    source: isRelease ? undefined : version.replace(/^npm:/, ""),
    hasDigest: false
  }
}

const note = (entry: Entry, line: string): void => {
  if (line.startsWith("    dev: ")) entry.dev = line.startsWith("true", 9)
  if (!line.startsWith("    resolution:") && !line.startsWith("      ")) return
  if (/\bintegrity: ?['"]?sha/.test(line)) entry.hasDigest = true
  const source = /\btarball: ?['"]?([^\s'",}]+)|\brepo: ?['"]?([^\s'",}]+)/.exec(line)
  if (source !== null) entry.source = source[1] ?? source[2]
  // A repository is pinned by its commit.
  if (/\bcommit: ?['"]?[0-9a-f]{40}/.test(line)) entry.hasDigest = true
}

/** Packages that the project itself asks for, and whether for development only. */
class Roots {
  private readonly names = new Map<string, boolean>()
  private list: { readonly indent: number; readonly isDev: boolean } | null = null

  take(line: string): void {
    const opened = direct.exec(line)
    if (opened !== null) {
      this.list = { indent: opened[1]!.length, isDev: opened[2] === "devDependencies" }
      return
    }
    const match = this.list === null ? null : declared.exec(line)
    if (this.list === null || match === null) return
    const [, { length: indent } = "", name = ""] = match
    if (indent <= this.list.indent) this.list = null
    else if (indent === this.list.indent + 2) this.names.set(name, (this.names.get(name) ?? true) && this.list.isDev)
  }

  has(name: string): boolean {
    return this.names.has(name)
  }

  isShipped(name: string): boolean {
    return this.names.get(name) === false
  }
}

/** `pnpm-lock.yaml`, formats 5 to 9. Read line by line: it is always written in the same shape. */
export const pnpmLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const entries: Array<Entry> = []
  const roots = new Roots()
  let section = ""
  for (const [line, start] of linesOf(text)) {
    if (line === "" || line.length > MAX_LINE) continue
    if (line[0] !== " ") section = topLevel.exec(line)?.[1] ?? ""
    if (section === "packages") {
      if (line[0] === " ") takePackage(entries, line, start)
    } else if (section !== "snapshots") roots.take(line)
  }
  return entries.flatMap((entry): ReadonlyArray<LockedPackage> => {
    const { name, version, start, dev, source, hasDigest } = entry
    if (name === "") return []
    return [
      {
        ecosystem: "npm",
        name,
        version,
        direct: roots.has(name),
        dev: dev ?? (roots.isShipped(name) ? false : null),
        start,
        end: start + name.length,
        hasDigest,
        ...(source === undefined ? {} : { source })
      }
    ]
  })
}

/** A key that cannot be read still ends the package before it. */
const nameless = (): Entry => ({ name: "", version: "", start: 0, dev: null, source: undefined, hasDigest: false })

const takePackage = (entries: Array<Entry>, line: string, start: number): void => {
  const last = entries.at(-1)
  if (line[2] === " ") {
    if (last !== undefined) note(last, line)
  } else if (entries.length < MAX_PACKAGES) {
    entries.push((line.length > MAX_KEY ? null : entryOf(line, start)) ?? nameless())
  }
}
