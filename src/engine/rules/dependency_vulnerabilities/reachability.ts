import { folderOf } from "../../core/text/paths.ts"
import type { MatchCheck, Project } from "../../core/tool/AuditTool.ts"
import type { Advisory } from "../../dependencies/advisories/Advisory.ts"
import type { Ecosystem } from "../../dependencies/lockfiles/LockedPackage.ts"
import { compareVersions } from "../../dependencies/versions/order.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import type { Usage } from "./usage.ts"

/** Whether the code imports the package, and calls what the advisories name. */
export const usageChecks = (
  name: string,
  usage: Usage | null,
  advisories: ReadonlyArray<Advisory>
): ReadonlyArray<MatchCheck> => {
  if (usage === null) return []
  const [first, ...others] = usage.paths
  const where =
    first === undefined
      ? "no audited file imports it; another dependency may"
      : `imported in ${first}${others.length === 0 ? "" : ` and ${others.length} more`}`
  return [
    { looked_for: `an import of ${name} in the source code`, found: first !== undefined, detail: where },
    ...symbolChecks(name, usage, advisories)
  ]
}

const MAX_SHOWN = 5

const symbolChecks = (name: string, usage: Usage, advisories: ReadonlyArray<Advisory>): ReadonlyArray<MatchCheck> => {
  const symbols = [...new Set(advisories.flatMap(({ symbols: named }) => named ?? []))]
  if (symbols.length === 0 || usage.paths.length === 0) return []
  const used = symbols.filter((symbol) => isUsed(symbol, usage.names))
  const shown = symbols.slice(0, MAX_SHOWN).join(", ")
  const more = symbols.length > MAX_SHOWN ? ` and ${symbols.length - MAX_SHOWN} more` : ""
  return [
    {
      looked_for: `a use of what the advisory names in ${name}: ${shown}${more}`,
      found: used.length > 0,
      detail: used.length > 0 ? `${used.slice(0, MAX_SHOWN).join(", ")} is used` : "no file that imports it names them"
    }
  ]
}

/**
 * Whether the code can reach what an advisory of Go is about: the Go vulnerability database names all functions through
 * which it is reached. Other ecosystems name some of them.
 */
export const namesAny = ({ symbols }: Advisory, ecosystem: Ecosystem, usage: Usage | null): boolean =>
  ecosystem !== "Go" ||
  symbols === undefined ||
  usage === null ||
  usage.paths.length === 0 ||
  symbols.some((symbol) => isUsed(symbol, usage.shippedNames))

/** A method is called on a value of its type, which `NewDecoder` makes and `Decoder` names. */
const isUsed = (symbol: string, names: ReadonlySet<string>): boolean => {
  const parts = symbol.split(/[.:#()*&/-]+/).filter((part) => part !== "")
  const [last = "", type] = [...parts].reverse()
  return (
    names.has(last) || (type !== undefined && /^[A-Z]/.test(type) && [...names].some((name) => name.includes(type)))
  )
}

const headings = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]

/** What a package.json asks for; null where it does not name the package. */
const rangeIn = (manifest: string | null, name: string): string | null => {
  const read = parseConfiguration(manifest)
  if (read === null) return null
  for (const heading of headings) {
    const entries = read[heading]
    const range = isRecord(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined
    if (typeof range === "string") return range
  }
  return null
}

/** Whether a package.json asks for the package among what only its developers need. */
export const isDevelopmentOnly = (manifest: string | null, name: string): boolean => {
  const read = parseConfiguration(manifest)
  const asked = headings.filter((heading) => {
    const entries = read?.[heading]
    return isRecord(entries) && Object.hasOwn(entries, name)
  })
  return asked.length === 1 && asked[0] === "devDependencies"
}

const upperBound = (mark: string, [major = 0, minor = 0, patch = 0]: ReadonlyArray<number>): string => {
  if (mark === "~") return `${major}.${minor + 1}.0`
  if (major > 0) return `${major + 1}.0.0`
  return minor > 0 ? `0.${minor + 1}.0` : `0.0.${patch + 1}`
}

/** Whether a range of package.json allows a version; null for a form of range that is not read here. */
export const allows = (range: string, version: string): boolean | null => {
  if (/^(?:\*|latest|x)?$/.test(range.trim())) return true
  const [, mark = "", lower = ""] = /^\s*(\^|~|>=|=|)\s*v?(\d+\.\d+\.\d+)\s*$/.exec(range) ?? []
  if (lower === "") return null
  const atLeast = (compareVersions("npm", version, lower) ?? -1) >= 0
  if (mark === ">=") return atLeast
  if (mark === "" || mark === "=") return version === lower
  return atLeast && (compareVersions("npm", version, upperBound(mark, lower.split(".").map(Number))) ?? 1) < 0
}

const MAX_RANGE = 100

const updateCommands: Readonly<Record<string, string>> = {
  npm: "npm update",
  pnpm: "pnpm update",
  yarn: "yarn upgrade"
}

/** Whether the manifest beside a lock file lets the package manager take the fixed version. */
export const rangeCheck = (
  { path, format, name }: { readonly path: string; readonly format: string; readonly name: string },
  fixed: string | null,
  project: Project
): MatchCheck | null => {
  const update = Object.hasOwn(updateCommands, format) ? updateCommands[format] : undefined
  if (update === undefined || fixed === null) return null
  const manifest = `${folderOf(path)}package.json`
  const range = rangeIn(project.manifest(manifest), name)
  if (range === null || range.length > MAX_RANGE) return null
  const isAllowed = allows(range, fixed)
  if (isAllowed === null) return null
  return {
    looked_for: `a range in ${manifest} that allows ${name} ${fixed}`,
    found: isAllowed,
    detail: isAllowed
      ? `\`${range}\` in ${manifest} allows ${fixed}: \`${update} ${name}\` suffices`
      : `\`${range}\` in ${manifest} does not allow ${fixed}: change it first`
  }
}
