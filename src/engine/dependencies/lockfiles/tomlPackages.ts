import type { LockedPackage } from "./LockedPackage.ts"
import { MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"

interface Entry {
  name: string
  start: number
  version: string
  source: string
  isDev: boolean | null
  /** Names of what it depends on, where the file lists them in an array. */
  readonly needs: Set<string>
}

/** An element of `dependencies = [` in `Cargo.lock`, with a version and a source where names are not enough. */
const needed = /^ "([\w-]+)(?: [^"]*)?",?$/
const string = /^(\w+) *= *"([^"]*)"/
const registryless = /\b(?:editable|virtual|directory|path) *=/

const note = (entry: Entry, line: string, start: number): void => {
  const match = string.exec(line)
  if (match !== null) {
    const [, key, value = ""] = match
    if (key === "name") Object.assign(entry, { name: value, start: start + line.indexOf(`"${value}"`) + 1 })
    else if (key === "version") entry.version = value
    else if (key === "source") entry.source = value
    else if (key === "category") entry.isDev = value === "dev"
  } else if (line.startsWith("source = {")) entry.source = line.slice(9)
  else if (line.startsWith("groups = [")) entry.isDev = !/"(?:main|default)"/.test(line)
  else addNeed(entry, line)
}

const addNeed = (entry: Entry, line: string): void => {
  const name = needed.exec(line)?.[1]
  if (name !== undefined) entry.needs.add(name)
}

const noteSource = (entry: Entry, line: string): void => {
  const match = string.exec(line)
  if (match === null) return
  const [, key, value = ""] = match
  if (key === "url") entry.source += value
  else if (key === "type" && value !== "legacy") entry.source = `${value}+${entry.source}`
  else if (key === "resolved_reference") entry.source += `#${value}`
}

/** `[[package]]` tables of `poetry.lock`, `uv.lock`, `pdm.lock` and `Cargo.lock`. */
const packagesOf = (text: string): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  let entry: Entry | null = null
  let table = ""
  for (const [line, start] of linesOf(text)) {
    if (line === "" || line.length > MAX_LINE) continue
    if (line[0] === "[") {
      table = line.trim()
      if (table !== "[[package]]") continue
      if (entries.length >= MAX_PACKAGES) break
      entry = { name: "", start: 0, version: "", source: "", isDev: null, needs: new Set() }
      entries.push(entry)
    } else if (entry !== null) noteIn(table, entry, line, start)
  }
  return entries.filter(isComplete)
}

const noteIn = (table: string, entry: Entry, line: string, start: number): void => {
  if (table === "[[package]]") note(entry, line, start)
  else if (table === "[package.source]") noteSource(entry, line)
}

const isComplete = ({ name, version }: Entry): boolean => name !== "" && version !== ""

export const pythonTomlLockfile = (text: string): ReadonlyArray<LockedPackage> =>
  packagesOf(text)
    .filter(({ source }) => !registryless.test(source) && !/^(?:directory|file)\+/.test(source))
    .map(({ name, start, version, source, isDev }) => ({
      ecosystem: "PyPI",
      name,
      version,
      direct: null,
      dev: isDev,
      start,
      end: start + name.length,
      ...(source === "" ? {} : { source })
    }))

/** Packages without a source are the workspace's own. */
export const cargoLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const packages = packagesOf(text)
  const own = packages.filter(({ source }) => source === "")
  const direct = new Set(own.flatMap(({ needs }) => [...needs]))
  return packages
    .filter(({ source }) => source !== "")
    .map(({ name, start, version, source }) => ({
      ecosystem: "crates.io",
      name,
      version,
      direct: direct.size === 0 ? null : direct.has(name),
      dev: null,
      start,
      end: start + name.length,
      source
    }))
}
