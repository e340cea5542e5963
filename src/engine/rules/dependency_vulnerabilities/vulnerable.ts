import { roleOf } from "../../core/files/FileRole.ts"
import { folderOf } from "../../core/text/paths.ts"
import { type EmitAt, type Match, type Project } from "../../core/tool/AuditTool.ts"
import type { Advisory, AdvisoryMatch, Severity } from "../../dependencies/advisories/Advisory.ts"
import { type Ecosystem, type LockedPackage, MAX_PACKAGES } from "../../dependencies/lockfiles/LockedPackage.ts"
import { ecosystemOf, type LockfileFormat, lockfileFormat } from "../../dependencies/lockfiles/names.ts"
import { parseLockfile } from "../../dependencies/lockfiles/parseLockfile.ts"
import { isDevelopmentOnly, namesAny, rangeCheck, usageChecks } from "./reachability.ts"
import type { RuleId } from "./rules.ts"
import type { ImportedPackages, Usage } from "./usage.ts"

/** A lock file has thousands of these: kept as rows. */
export type Row = readonly [name: string, version: string, isDev: 0 | 1, start: number, end: number, isIndirect: 0 | 1]

export const rowsOf = (path: string, text: string): ReadonlyArray<Row> | undefined => {
  const packages = parseLockfile(path, text).filter(({ name, version }) => name !== "" && version !== "")
  return packages.length === 0 ? undefined : packages.slice(0, MAX_PACKAGES).map(rowOf)
}

const rowOf = ({ name, version, dev, direct, start, end }: LockedPackage): Row => [
  name,
  version,
  dev === true ? 1 : 0,
  start,
  end,
  direct === false ? 1 : 0
]

/** A locked version of a package that advisories name. */
interface Affected {
  readonly row: Row
  readonly matches: ReadonlyArray<AdvisoryMatch>
}

interface Context {
  readonly project: Project
  readonly imported: ImportedPackages
  readonly emit: EmitAt<RuleId>
}

/** One package named twice in a file is one thing to fix. */
export const vulnerableIn = (path: string, rows: ReadonlyArray<Row>, context: Context): void => {
  const { project, emit } = context
  const format = lockfileFormat(path)
  const lowered = loweringOf(path)
  if (format === null || lowered === null || isShadowed(path, project)) return
  const ecosystem = ecosystemOf[format]
  const byName = new Map<string, Array<Affected>>()
  const asked = new Set<string>()
  for (const row of rows) {
    const [name, version] = row
    if (asked.has(`${name} ${version}`)) continue
    asked.add(`${name} ${version}`)
    const matches = project.advisories.affecting(ecosystem, name, version)
    if (matches.length > 0) byName.set(name, [...(byName.get(name) ?? []), { row, matches }])
  }
  for (const [name, affected] of byName) {
    const malicious = affected.filter(({ matches }) => matches.some(({ advisory }) => advisory.malicious))
    const others = affected.filter((one) => !malicious.includes(one))
    if (malicious.length > 0) emit(path, maliciousMatch(ecosystem, name, malicious))
    if (others.length > 0) emit(path, vulnerableMatch({ path, format, name, lowered }, others, context))
  }
}

/** How many priorities less it matters because of where the file is; null for a sample of something broken. */
const loweringOf = (path: string): number | null => {
  const folder = folderOf(path)
  const role = roleOf(`${folder}x.json`)
  if (role === "source" || role === "test") return 0
  return role === "example" || role === "docs" ? 2 : null
}

/** Where there is a lock file, it says more than the build file beside it. */
const isShadowed = (path: string, project: Project): boolean => {
  const folder = folderOf(path)
  const format = lockfileFormat(path)
  if (format === "gradle") return project.has(`${folder}gradle.lockfile`)
  return format === "csproj" && project.has(`${folder}packages.lock.json`)
}

const severities: ReadonlyArray<Severity> = ["critical", "high", "moderate", "low"]
/** One rule for each urgency, which is the severity less what the use of the package takes off. */
const rulesByUrgency: ReadonlyArray<RuleId> = [
  "vulnerable_version_critical",
  "vulnerable_version",
  "vulnerable_version_moderate",
  "vulnerable_version_low"
]
const UNKNOWN = severities.indexOf("high")
const MODERATE = severities.indexOf("moderate")

const rankOf = ({ severity }: Advisory): number => (severity === null ? UNKNOWN : severities.indexOf(severity))

const idOf = ({ id, aliases }: Advisory): string => {
  const known = aliases.find((alias) => alias.startsWith("CVE-"))
  return known === undefined ? id : `${known} (${id})`
}

/** Databases have ids of their own for one vulnerability: the shared one names it. */
const sharedId = ({ id, aliases }: Advisory): string => aliases.find((alias) => alias.startsWith("CVE-")) ?? id

/** Of the package and its worst advisory, so that another version that has it too is the same finding. */
const identityOf = (ecosystem: Ecosystem, name: string, [worst]: ReadonlyArray<Advisory>): string =>
  `${ecosystem} ${name} ${worst === undefined ? "" : sharedId(worst)}`

const MAX_LISTED = 8

/** Worst first; the same advisory for several versions once. */
const advisoriesOf = (affected: ReadonlyArray<Affected>): ReadonlyArray<Advisory> => {
  const byId = new Map(affected.flatMap(({ matches }) => matches.map(({ advisory }) => [advisory.id, advisory])))
  return [...byId.values()].sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))
}

const listed = (advisories: ReadonlyArray<Advisory>): string => {
  const shown = advisories.slice(0, MAX_LISTED).map((advisory) => {
    const level = advisory.severity === null ? "" : `, ${advisory.severity}`
    return `${idOf(advisory)}${level}: ${advisory.summary.replace(/\.$/, "")}`
  })
  const more = advisories.length - shown.length
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`
}

const versionsOf = (affected: ReadonlyArray<Affected>): string => affected.map(({ row }) => row[1]).join(", ")

const rangeOf = ([name, , , start, end]: Row) => ({
  start,
  end,
  // The flagged text, as far as it is the end of the name: `artifact` of `group:artifact`.
  identifiers: end - start > 0 && end - start <= name.length ? [name.slice(start - end)] : []
})

const maliciousMatch = (ecosystem: Ecosystem, name: string, affected: ReadonlyArray<Affected>): Match<RuleId> => ({
  rule: "malicious_package",
  ...rangeOf(affected[0]!.row),
  identity: `${ecosystem} ${name}`,
  title: `${name} ${versionsOf(affected)} is malicious`,
  message: `\`${name}\` ${versionsOf(affected)} is known to be malicious. ${listed(advisoriesOf(affected))}`
})

interface Place {
  readonly path: string
  readonly format: LockfileFormat
  readonly name: string
  readonly lowered: number
}

/** What takes urgency off, in words; each is worth one priority. */
const mitigations = (
  { path, format, name }: Place,
  affected: ReadonlyArray<Affected>,
  { usage, project }: { readonly usage: Usage | null; readonly project: Project }
): ReadonlyArray<string> => {
  const ecosystem = ecosystemOf[format]
  // The lock file of yarn does not record what is for development.
  const isForDevelopment =
    affected.every(({ row }) => row[2] === 1) ||
    (format === "yarn" && isDevelopmentOnly(project.manifest(`${folderOf(path)}package.json`), name))
  const why = ecosystem === "Maven" ? "in a scope that is not shipped" : "used for development only"
  const isUnused = usage !== null && usage.paths.length === 0
  // The go command marks so what no package of the module imports, though another module of the repository may; the lock
  // file of cargo lists what the workspace's own packages depend on.
  const isIndirect = (format === "gomod" || format === "cargo") && affected.every(({ row }) => row[5] === 1)
  const unused = isUnused ? ["no audited file imports it"] : isIndirect ? ["only other dependencies import it"] : []
  if (isForDevelopment) return [why, ...unused]
  return usage?.isOnlyTested === true ? ["only tests import it", ...unused] : unused
}

const vulnerableMatch = (place: Place, affected: ReadonlyArray<Affected>, context: Context): Match<RuleId> => {
  const { path, format, name, lowered } = place
  const { project, imported } = context
  const ecosystem = ecosystemOf[format]
  const advisories = advisoriesOf(affected)
  const usage = imported.usageOf(ecosystem, name)
  const everywhere = mitigations(place, affected, { usage, project })
  const isImported = ({ packages }: Advisory): boolean =>
    packages === undefined || imported.importsAny(ecosystem, packages) !== false
  const isReached = (advisory: Advisory): boolean => isImported(advisory) && namesAny(advisory, ecosystem, usage)
  // One that is reached counts for more than a worse one that is not.
  const reached = advisories.filter(isReached)
  const part = advisories.some(isImported) ? "calls the functions that have it" : "imports the part that has it"
  const elsewhere = everywhere.length === 0 && reached.length === 0 ? [`no audited file ${part}`] : []
  const lowering = [...everywhere, ...elsewhere]
  const worst = (reached.length === 0 ? advisories : reached)[0]!
  const rank = rankOf(worst) + lowered + lowering.length
  // What is not shipped, or what only other packages call, wakes no one, whatever the severity.
  const urgency = Math.min(lowering.length === 0 ? rank : Math.max(rank, MODERATE), rulesByUrgency.length - 1)
  const count = advisories.length === 1 ? "a known vulnerability" : `${advisories.length} known vulnerabilities`
  const fixes = affected.map((one) => fixOf(ecosystem, name, one, project))
  const range = rangeCheck({ path, format, name }, fixedVersion(ecosystem, affected, project), project)
  const why = lowering.length === 0 ? "" : ` (lowered: ${lowering.join(", ")})`
  return {
    rule: rulesByUrgency[urgency]!,
    ...rangeOf(affected[0]!.row),
    identity: identityOf(ecosystem, name, advisories),
    title: `${name} ${versionsOf(affected)} has ${count}`,
    message: `\`${name}\` ${versionsOf(affected)} has ${count}${why}. ${listed(advisories)}`,
    checks: [...usageChecks(name, usage, advisories), ...(range === null ? [] : [range])],
    suggestedChange: [...fixes, ...(range?.detail === undefined ? [] : [`${range.detail}.`])].join("\n")
  }
}

/** The lowest version that fixes every affected one; null where an advisory has no fix. */
const fixedVersion = (ecosystem: Ecosystem, affected: ReadonlyArray<Affected>, project: Project): string | null => {
  const fixes = affected.flatMap(({ matches }) => matches.map(({ fixed }) => fixed))
  const known = fixes.flatMap((fixed) => fixed ?? [])
  if (known.length === 0 || known.length < fixes.length) return null
  return known.reduce((a, b) => project.advisories.later(ecosystem, a, b))
}

/** The lowest version in which nothing of this is left. */
const fixOf = (ecosystem: Ecosystem, name: string, { row, matches }: Affected, project: Project): string => {
  const open = matches.filter(({ fixed }) => fixed === null)
  const fixed = matches.flatMap(({ fixed }) => fixed ?? [])
  const rest =
    open.length === 0 ? "" : ` No fixed version is known for ${open.map(({ advisory }) => advisory.id).join(", ")}.`
  if (fixed.length === 0) return rest.trim()
  const target = fixed.reduce((a, b) => project.advisories.later(ecosystem, a, b))
  return `Upgrade ${name} ${row[1]} to ${target} or later.${rest}`
}
