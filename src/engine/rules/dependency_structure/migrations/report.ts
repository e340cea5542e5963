import type { EmitAt, FileSummary, Match } from "../../../core/tool/AuditTool.ts"
import type { RuleId } from "../rules.ts"
import type { Migration } from "./Migration.ts"
import { type MigrationFacts, migrations } from "./usage.ts"

/** Locations of one suggestion; the message has the count of all. */
const MAX_LOCATIONS = 50
/** So many files must have moved where nothing is stated about the old side, and so many for each that remains. */
const MIN_MOVED = 3
const MIN_RATIO = 2

interface Side {
  readonly sites: Array<{ readonly path: string; readonly start: number; readonly end: number }>
  /** Files of the old side. */
  readonly remaining: Set<string>
  /** Files that use the successor and nothing old. */
  readonly moved: Set<string>
  /** Successors in use, with the count of files. */
  readonly successors: Map<string, number>
}

const sidesOf = (summaries: ReadonlyArray<FileSummary<MigrationFacts>>): ReadonlyMap<string, Side> => {
  const sides = new Map<string, Side>()
  const sideOf = (id: string): Side => {
    const known = sides.get(id) ?? { sites: [], remaining: new Set(), moved: new Set(), successors: new Map() }
    sides.set(id, known)
    return known
  }
  for (const { path, facts } of summaries) {
    for (const [id, start, end] of facts.from ?? []) {
      sideOf(id).sites.push({ path, start, end })
      sideOf(id).remaining.add(path)
    }
    for (const [id, name] of facts.to ?? []) {
      const { successors, remaining, moved } = sideOf(id)
      successors.set(name, (successors.get(name) ?? 0) + 1)
      if (!remaining.has(path)) moved.add(path)
    }
  }
  return sides
}

/** Deprecated and the successor in use, or most files have moved. */
const isPending = ({ deprecation }: Migration, { remaining, moved, successors }: Side): boolean =>
  remaining.size > 0 &&
  (deprecation === null ? moved.size >= Math.max(MIN_MOVED, MIN_RATIO * remaining.size) : successors.size > 0)

/** The successor that most files use. */
const successorOf = ({ toTitle }: Migration, { successors }: Side): string => {
  const [most] = [...successors].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return toTitle ?? most?.[0] ?? ""
}

const files = (count: number): string => `${count.toLocaleString("en-US")} ${count === 1 ? "file" : "files"}`

const matchOf = (migration: Migration, side: Side): Omit<Match<RuleId>, "start" | "end"> => {
  const successor = successorOf(migration, side)
  const using = [...side.successors.values()].reduce((sum, count) => sum + count, 0)
  const sites = side.sites.length === 1 ? "1 location" : `${side.sites.length.toLocaleString("en-US")} locations`
  const stated = migration.deprecation === null ? "" : ` ${migration.deprecation}`
  return {
    rule: migration.rule,
    subject: migration.id,
    title: `Migrate from ${migration.fromTitle} to ${successor}`,
    message:
      `${sites} in ${files(side.remaining.size)} ${side.sites.length === 1 ? "still uses" : "still use"} ${migration.fromTitle}, and ${files(using)} of this ` +
      `repository ${using === 1 ? "uses" : "use"} ${successor} already.${stated}`
  }
}

/** One suggestion for each migration that the repository has begun. */
export const reportMigrations = (summaries: ReadonlyArray<FileSummary<MigrationFacts>>, emit: EmitAt<RuleId>): void => {
  const sides = sidesOf(summaries)
  for (const migration of migrations) {
    const side = sides.get(migration.id)
    if (side === undefined || !isPending(migration, side)) continue
    const match = matchOf(migration, side)
    for (const { path, start, end } of side.sites.slice(0, MAX_LOCATIONS)) emit(path, { ...match, start, end })
  }
}
