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

/** `pnpm-lock.yaml`, formats 5 to 9. Read line by line: it is always written in the same shape. */
export const pnpmLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const entries: Array<Entry> = []
  const roots = new Map<string, boolean>()
  let section = ""
  let list: { readonly indent: number; readonly isDev: boolean } | null = null
  let entry: Entry | null = null
  for (const [line, start] of linesOf(text)) {
    if (line === "" || line.length > MAX_LINE) continue
    if (line[0] !== " ") section = topLevel.exec(line)?.[1] ?? ""
    if (section === "packages") {
      if (line[0] !== " " || entries.length >= MAX_PACKAGES) continue
      if (line[2] !== " ") {
        entry = line.length > MAX_KEY ? null : entryOf(line, start)
        if (entry !== null) entries.push(entry)
      } else if (entry !== null) note(entry, line)
      continue
    }
    if (section === "snapshots") continue
    const opened = direct.exec(line)
    if (opened !== null) {
      list = { indent: opened[1]!.length, isDev: opened[2] === "devDependencies" }
      continue
    }
    const name = list === null ? null : declared.exec(line)
    if (list === null || name === null) continue
    if (name[1]!.length <= list.indent) list = null
    else if (name[1]!.length === list.indent + 2) roots.set(name[2]!, (roots.get(name[2]!) ?? true) && list.isDev)
  }
  return entries.map(({ name, version, start, dev, source, hasDigest }) => ({
    ecosystem: "npm",
    name,
    version,
    direct: roots.has(name),
    dev: dev ?? (roots.get(name) === false ? false : null),
    start,
    end: start + name.length,
    hasDigest,
    ...(source === undefined ? {} : { source })
  }))
}
