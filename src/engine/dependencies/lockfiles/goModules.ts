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
  for (const [kind, line, start] of directivesOf(text)) {
    if (kind === "require" && found.length < MAX_PACKAGES) {
      const module = moduleOf(line, start)
      if (module !== null) found.push(module)
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

/** Lines with the directive they belong to, alone or in a block. */
function* directivesOf(text: string): Generator<readonly [kind: string | undefined, line: string, start: number]> {
  let open = ""
  for (const [line, start] of linesOf(text)) {
    if (line.length > MAX_LINE) continue
    const opened = block.exec(line)
    if (opened !== null) open = opened[1]!
    else if (open !== "" && line.trimStart().startsWith(")")) open = ""
    else yield [open === "" ? single.exec(line)?.[1] : open, line, start]
  }
}

const moduleOf = (line: string, start: number): LockedPackage | null => {
  const match = required.exec(line)
  if (match === null) return null
  const [, name = "", version = "", comment = ""] = match
  const at = start + line.indexOf(name, line.startsWith("require") ? "require".length : 0)
  const direct = !/^\/\/\s*indirect\b/.test(comment)
  return { ecosystem: "Go", name, version, direct, dev: null, start: at, end: at + name.length }
}

/** All that `go.sum` lists, for an inventory. */
export const goSums = (text: string): ReadonlyArray<LockedPackage> => {
  const found: Array<LockedPackage> = []
  for (const [line, start] of linesOf(text)) {
    const match = line.length > MAX_LINE ? null : /^(\S+) (v[^\s/]+) h1:/.exec(line)
    if (match === null || found.length >= MAX_PACKAGES) continue
    const [, name = "", version = ""] = match
    const end = start + name.length
    found.push({ ecosystem: "Go", name, version, direct: null, dev: null, start, end, hasDigest: true })
  }
  return found
}
