import { type LockedPackage, MAX_PACKAGES } from "./LockedPackage.ts"
import { linesOf, MAX_LINE } from "./lines.ts"

const required = /^\s*(?:require\s+)?"?([\w.~/-]+)"?\s+(v[\w.+-]+)\s*(\/\/.*)?$/
const replaced = /^\s*(?:replace\s+)?"?([\w.~/-]+)"?(?:\s+(v[\w.+-]+))?\s+=>\s+"?([\w.~/-]+)"?(?:\s+(v[\w.+-]+))?/
const block = /^(require|replace|exclude|retract|tool|ignore|godebug)\s*\(/
const single = /^(require|replace)\s/

interface Replacement {
  readonly version: string | undefined
  readonly name: string
  /** Undefined for a folder. */
  readonly by: string | undefined
}

/** Every module's version, after the file's own replacements. `go.sum` names versions that no build uses. */
export const goModules = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  const replacements = new Map<string, Replacement>()
  let open = ""
  for (const [line, start] of linesOf(text)) {
    if (line.length > MAX_LINE || found.length >= MAX_PACKAGES) continue
    const opened = block.exec(line)
    if (opened !== null) {
      open = opened[1]!
      continue
    }
    if (open !== "" && line.trimStart().startsWith(")")) {
      open = ""
      continue
    }
    const kind = open === "" ? single.exec(line)?.[1] : open
    if (kind === "require") {
      const module = required.exec(line)
      if (module === null) continue
      const [, name = "", version = "", comment = ""] = module
      const at = start + line.indexOf(name, line.startsWith("require") ? "require".length : 0)
      const direct = !/^\/\/\s*indirect\b/.test(comment)
      found.push({ ecosystem: "Go", name, version, direct, dev: null, start: at, end: at + name.length })
    } else if (kind === "replace") {
      const match = replaced.exec(line)
      if (match !== null) replacements.set(match[1]!, { version: match[2], name: match[3]!, by: match[4] })
    }
  }
  return found.flatMap((module): ReadonlyArray<LockedPackage> => {
    const other = replacements.get(module.name)
    if (other === undefined || (other.version !== undefined && other.version !== module.version)) return [module]
    return other.by === undefined ? [] : [{ ...module, name: other.name, version: other.by }]
  })
}

/** All that `go.sum` lists, for an inventory. */
export const goSums = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  for (const [line, start] of linesOf(text)) {
    const match = line.length > MAX_LINE ? null : /^(\S+) (v[^\s/]+) h1:/.exec(line)
    if (match === null || found.length >= MAX_PACKAGES) continue
    const [, name = "", version = ""] = match
    found.push({
      ecosystem: "Go",
      name,
      version,
      direct: null,
      dev: null,
      start,
      end: start + name.length,
      hasDigest: true
    })
  }
  return found
}
