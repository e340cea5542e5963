import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"

const spec = /^ {4}([\w.-]+) \(([^\s)]+)\)$/
const remote = /^ {2}(remote|revision): (\S+)/

/** `Gemfile.lock`: gems of registries and of repositories; the project's own paths are left out. */
export const gemLockfile = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  const direct = new Set<string>()
  let section = ""
  let source = ""
  for (const [line, start] of linesOf(text)) {
    if (line.length > MAX_LINE || line === "") continue
    if (line[0] !== " ") {
      section = line.trim()
      source = ""
    } else if (section === "DEPENDENCIES") direct.add(directName(line))
    else if (section === "GEM" || section === "GIT") {
      source = sourceAfter(line, source)
      const gem = gemOf(line, start, section, source)
      if (gem !== null && found.length < MAX_PACKAGES) found.push(gem)
    }
  }
  return found.map((gem) => ({ ...gem, direct: direct.has(gem.name) }))
}

const directName = (line: string): string => /^ {2}([\w.-]+)/.exec(line)?.[1] ?? ""

const sourceAfter = (line: string, source: string): string => {
  const match = remote.exec(line)
  if (match === null) return source
  return match[1] === "revision" ? `${source}#${match[2]}` : match[2]!
}

const gemOf = (line: string, start: number, section: string, remoteUrl: string): LockedPackage | null => {
  const match = spec.exec(line)
  if (match === null) return null
  const [, name = "", full = ""] = match
  const source = section === "GIT" ? `git+${remoteUrl}` : remoteUrl
  return {
    ecosystem: "RubyGems",
    name,
    // What follows a hyphen is the platform.
    version: full.split("-", 1)[0]!,
    direct: null,
    dev: null,
    start: start + 4,
    end: start + 4 + name.length,
    ...(source === "" ? {} : { source })
  }
}
