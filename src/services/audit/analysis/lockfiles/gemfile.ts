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
    if (line.length > MAX_LINE) continue
    if (line !== "" && line[0] !== " ") {
      section = line.trim()
      source = ""
    }
    const origin = remote.exec(line)
    if (origin !== null) source = origin[1] === "revision" ? `${source}#${origin[2]}` : origin[2]!
    if (section === "DEPENDENCIES") {
      const name = /^ {2}([\w.-]+)/.exec(line)?.[1]
      if (name !== undefined) direct.add(name)
    }
    const gem = section === "GEM" || section === "GIT" ? spec.exec(line) : null
    if (gem === null || found.length >= MAX_PACKAGES) continue
    const [, name = "", full = ""] = gem
    // What follows a hyphen is the platform.
    const version = full.split("-", 1)[0]!
    const origins = section === "GIT" ? `git+${source}` : source
    found.push({
      ecosystem: "RubyGems",
      name,
      version,
      direct: null,
      dev: null,
      start: start + 4,
      end: start + 4 + name.length,
      ...(origins === "" ? {} : { source: origins })
    })
  }
  return found.map((gem) => ({ ...gem, direct: direct.has(gem.name) }))
}
